import { equations, type WrittenKernel } from '../../kernel-language/written-kernel.ts';
import { parameterAttribute } from '../../kernels/equation-kernels.ts';
import { SURROGATES } from '../../kernels/neurons.ts';
import type { WrittenNeuron } from '../../kernels/written-neuron.ts';
import { beginBody, neuronBody, traceBody } from './neuron-bodies.ts';
import { type EpropSizes, planOf } from './plan.ts';
import { synapseBody } from './synapse-body.ts';

/**
 * E-prop of a neuron that was read from equations. With h' = F(h, I, s) and the spike s = spike(x(h, I)), a
 * synapse whose source fired z carries, for each state,
 *
 *   d = sum_k (dx/dh_k) eps_k + (dx/dI) z        e = slope(x) d
 *   eps_k' = sum_j (dF_k/dh_j) eps_j + (dF_k/dI) z + (dF_k/ds) e
 *   filtered = decay filtered + e                gradient += signal filtered
 *
 * and a learned number the same with its own derivatives in place of those by I. Where derivatives are alike for
 * all neurons, eps_k depends on the source alone: one trace for all of its synapses.
 */
export interface EpropKernels {
  /** States to where they start. */
  readonly begin: WrittenKernel;
  /** Traces of the sources a step on; `sources` are what synapses take of them. */
  readonly trace: WrittenKernel;
  /** A step of the neurons, with the derivatives that eligibilities follow from, and those of learned numbers. */
  readonly neurons: WrittenKernel;
  /** Eligibilities of the synapses a step on, and their gradients. */
  readonly synapses: WrittenKernel;
  /** Gradients of numbers of each neuron; those of a layer before they are added up; and their sums. */
  readonly perNeuron: WrittenKernel;
  readonly perLayer: WrittenKernel;
  readonly layerSums: WrittenKernel;
  readonly sizes: EpropSizes;
}

const NEURONS = { rows: 'int', width: 'int', dt: 'float' } as const;
const SYNAPSES = { rows: 'int', pre: 'int', post: 'int', dt: 'float' } as const;

/** Throws EngineError `invalid-equation` where e-prop does not know the neuron. */
export function epropKernels(neuron: WrittenNeuron): EpropKernels {
  const plan = planOf(neuron);
  const own = neuron.parameters.map((_, index) => [parameterAttribute(index), 'float'] as const);
  const constants = Object.fromEntries(own);
  const kernel = (part: string, row: Row): WrittenKernel => ({
    name: `equations_${neuron.digest.slice(0, 32)}_eprop_${part}`,
    area: 'eprop',
    ...row,
  });
  const { sizes } = plan;
  const hasLearned = neuron.learned.length > 0;
  return {
    sizes,
    begin: kernel('begin', {
      operands: { states: 'write' },
      attributes: { rows: 'int', width: 'int' },
      write: () => beginBody(neuron),
    }),
    trace: kernel('trace', {
      operands: { spikes: 'read', sources: 'write', ...(sizes.traces > 0 && { traces: 'update' }) },
      attributes: { ...NEURONS, ...constants },
      write: () => traceBody(neuron, plan),
    }),
    neurons: kernel('neurons', {
      operands: {
        current: 'read',
        states: 'update',
        spikes: 'write',
        factors: 'write',
        ...(sizes.learnedPerNeuron > 0 && { perNeuron: 'read' }),
        ...(sizes.learnedPerLayer > 0 && { perLayer: 'read' }),
        ...(hasLearned && { own: 'update', filtered: 'update' }),
      },
      attributes: {
        ...NEURONS,
        ...constants,
        decay: 'float',
        surrogate: SURROGATES,
        surrogateWidth: 'float',
      },
      write: (choices) => neuronBody(neuron, plan, choices['surrogate']),
    }),
    synapses: kernel('synapses', {
      operands: {
        sources: 'read',
        factors: 'read',
        signal: 'read',
        eligibilities: 'update',
        gradient: 'update',
      },
      attributes: { ...SYNAPSES, ...constants, decay: 'float' },
      write: () => synapseBody(neuron, plan),
    }),
    ...learnedKernels(neuron, sizes, kernel),
  };
}

type Row = Omit<WrittenKernel, 'name' | 'area'>;

function learnedKernels(
  neuron: WrittenNeuron,
  sizes: EpropSizes,
  kernel: (part: string, row: Row) => WrittenKernel,
): Pick<EpropKernels, 'perNeuron' | 'perLayer' | 'layerSums'> {
  return {
    perNeuron: kernel('per_neuron', learnedRow(neuron, 0)),
    perLayer: kernel('per_layer', learnedRow(neuron, sizes.learnedPerNeuron)),
    layerSums: kernel('layer_sums', {
      operands: { total: 'read', gradient: 'write' },
      attributes: { count: 'int', width: 'int' },
      write: equations({
        over: { parameter: 'count', column: 'width' },
        shapes: { total: 'f32[count, width]', gradient: 'f32[count]' },
        equations: 'gradient = rowSum(total)',
      }),
    }),
  };
}

/** The gradients of learned numbers from `first` on: the sequences one after the other. */
function learnedRow({ learned }: WrittenNeuron, first: number): Row {
  return {
    operands: { filtered: 'read', signal: 'read', gradient: 'update' },
    attributes: { count: 'int', rows: 'int', width: 'int' },
    write: equations({
      over: { parameter: 'count', row: 'rows', column: 'width' },
      scan: 'row',
      shapes: {
        filtered: `f32[${Math.max(1, learned.length)}, rows, width]`,
        signal: 'f32[rows, width]',
        gradient: 'f32[count, width]',
      },
      equations: `
        state sum = gradient
        sum = sum + signal * filtered[parameter + ${first}, row, column]
        after
        gradient = sum`,
    }),
  };
}
