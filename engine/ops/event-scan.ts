import { sparseKernels } from '../kernels/sparse.ts';
import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import {
  fanOutShape,
  listFanOut,
  type SynapseShape,
  topologyShape,
  weightShape,
} from '../kernels/synapses.ts';
import { type Tensor, wordsPerRow } from '../graph/tensor.ts';
import { integerMembraneShape } from '../kernels/neurons.ts';
import { axesOf, expectShape, expectWhole } from './shapes.ts';

/** Synapses in signed bytes: which links there are never changes, their weights may. */
export interface Synapses {
  readonly shape: SynapseShape;
  /** `u32`, see `weightShape`. */
  readonly weight: Tensor;
  /** As `drawTopology` gives it. */
  readonly topology: Uint32Array;
}

/** Which expert reads which token: `u32[active, rows]`. */
export type Experts = Tensor;

/** Sequences of tokens whose state is kept in slots. */
export interface Sequences {
  /** Tokens of a sequence. */
  readonly sequence: number;
  /** `u32[sequences]`, see `slotWord`: where each goes on, or begins. */
  readonly slots: Tensor;
  readonly slotCount: number;
}

/** The topology as a constant of the graph, once for all calls of the same synapses. */
function topologyOf(graph: Graph, { shape, weight, topology }: Synapses): Tensor {
  return constantOnce(graph, `topology of ${weight.name}`, topologyShape(shape), () => topology);
}

function fanOutOf(graph: Graph, { shape, weight, topology }: Synapses): Tensor {
  const list = () => listFanOut(shape, topology);
  return constantOnce(graph, `fan-out of ${weight.name}`, fanOutShape(shape), list);
}

const constants = new WeakMap<Graph, Map<string, Tensor>>();

function constantOnce(
  graph: Graph,
  name: string,
  shape: readonly number[],
  data: () => Uint32Array,
): Tensor {
  const known = constants.get(graph) ?? new Map<string, Tensor>();
  constants.set(graph, known);
  const tensor = known.get(name) ?? graph.constant(name, shape, data());
  known.set(name, tensor);
  return tensor;
}

/** Checks synapses against what they are fed with; gives the events they read. */
function eventsOf(op: string, input: Tensor, { shape, weight }: Synapses, experts: Experts) {
  const { rows, width } = axesOf(op, input);
  expectShape(`${op} weight`, weight, weightShape(shape), 'u32');
  const [active = 0] = experts.shape;
  expectShape(`${op} experts`, experts, [active, rows], 'u32');
  if (width !== shape.width || active > shape.experts) {
    throw new EngineError(
      'shape-mismatch',
      `${op}: ${active} of ${shape.experts} experts of ${shape.width} neurons are given ${width} features`,
    );
  }
  return { rows, active, ...shape };
}

/**
 * `scale` times fixed sparse synapses times the input: `[active, rows, width]` from `[1, rows, width]`, for
 * each event with the synapses of its expert (+ residual). The gradient goes to input and residual; the
 * weights have none.
 */
export function sparseLinear(
  graph: Graph,
  input: Tensor,
  synapses: Synapses,
  {
    experts,
    scale,
    residual,
  }: { readonly experts: Experts; readonly scale: number; readonly residual?: Tensor },
): Tensor {
  const events = eventsOf('sparseLinear', input, synapses, experts);
  const { rows, active, width } = events;
  expectShape('sparseLinear', input, [1, rows, width]);
  if (residual) expectShape('sparseLinear residual', residual, [active, rows, width]);
  const output = graph.scratch('sparse linear', 'f32', [active, rows, width]);
  const { weight } = synapses;
  const topology = topologyOf(graph, synapses);
  graph.call(
    sparseKernels.sparse_linear_forward,
    { input, weight, topology, experts, output, residual },
    { ...events, scale },
  );
  graph.differentiable({
    inputs: [input, ...(residual ? [residual] : [])],
    output,
    backward(gradient, gradients) {
      gradients.into(input, (inputGradient, accumulate) => {
        const fanOut = fanOutOf(graph, synapses);
        graph.call(
          sparseKernels.sparse_linear_backward,
          { gradient, weight, topology, fanOut, experts, inputGradient },
          { ...events, scale, accumulate },
        );
      });
      if (residual) gradients.give(residual, gradient);
    },
  });
  return output;
}

interface ScanOptions extends Sequences {
  readonly experts: Experts;
  /** See `scanStateShape`; it lasts if it is not scratch. */
  readonly state: Tensor;
  /** 256ths of the membrane kept per token. */
  readonly leak: number;
  /** The integer current of 1, and the threshold. */
  readonly theta: number;
  /** Integer current of a recurrent weight of 1. */
  readonly gain: number;
}

/** Shape of the `u32` state: for each slot and expert its int16 membranes, two a word, then its spikes. */
export function scanStateShape(
  slotCount: number,
  { experts, width }: Pick<SynapseShape, 'experts' | 'width'>,
): [number, number, number] {
  return [slotCount, experts, integerMembraneShape(1, width)[1] + wordsPerRow(width)];
}

/**
 * Neurons in int16 that go through the tokens of sequences, the same bits on every backend: spikes
 * `bits[active, rows, width]` from a drive of the same shape. The neurons of the expert that reads a token
 * receive the spikes they fired at the token they read last; all others rest.
 *
 *   I = round(theta drive) + gain S s[-1]      v = clip16((leak v >> 8) + I)      s = 1[v >= theta], then v = 0
 *
 * The gradient goes through the slope of sigmoid(I / theta) in place of the step, and through the recurrent
 * synapses to the tokens before, not through the membrane; it ends where the sequence of the call begins.
 */
export function eventScan(
  graph: Graph,
  drive: Tensor,
  synapses: Synapses,
  options: ScanOptions,
): Tensor {
  const { experts, state, slots, sequence, slotCount, leak, theta, gain } = options;
  const events = eventsOf('eventScan', drive, synapses, experts);
  const { rows, active, width } = events;
  expectShape('eventScan', drive, [active, rows, width]);
  expectWhole('eventScan', 'rows / sequence', rows / sequence, 1);
  expectWhole('eventScan', 'gain', gain, 0);
  expectShape('eventScan slots', slots, [rows / sequence], 'u32');
  expectShape('eventScan state', state, scanStateShape(slotCount, events), 'u32');
  const spikes = graph.scratch('spikes', 'bits', [active, rows, width]);
  const current = graph.scratch('current', 'u32', [active, rows, width]);
  const { weight } = synapses;
  const topology = topologyOf(graph, synapses);
  const scan = { ...events, sequence, theta, gain };
  graph.call(
    sparseKernels.event_scan_forward,
    { drive, weight, topology, experts, slots, state, spikes, current },
    { ...scan, leak, slotCount },
  );
  graph.differentiable({
    inputs: [drive],
    output: spikes,
    backward(gradient, gradients) {
      const fanOut = fanOutOf(graph, synapses);
      const operands = { current, weight, topology, fanOut, experts, gradient };
      graph.call(sparseKernels.event_scan_backward, operands, scan);
      gradients.give(drive, gradient);
    },
  });
  return spikes;
}

/**
 * Adds the gated spikes of the experts that read a token to its stream, `[1, rows, width]`:
 * `stream + factor sum_k gate_k mask_k s_k`. Gates are `f32[active, rows]`; the mask, where there is one,
 * says which spikes are not dropped.
 */
export function eventMix(
  graph: Graph,
  stream: Tensor,
  spikes: Tensor,
  {
    gates,
    mask,
    factor = 1,
  }: { readonly gates: Tensor; readonly mask?: Tensor | undefined; readonly factor?: number },
): Tensor {
  const { steps: active, rows, width } = axesOf('eventMix', spikes, 'bits');
  expectShape('eventMix stream', stream, [1, rows, width]);
  expectShape('eventMix gates', gates, [active, rows]);
  if (mask) expectShape('eventMix mask', mask, spikes.shape, 'bits');
  const output = graph.scratch('mixed events', 'f32', stream.shape);
  const attributes = { rows, active, width, factor };
  graph.call(sparseKernels.event_mix_forward, { stream, spikes, gates, output, mask }, attributes);
  graph.differentiable({
    inputs: [stream, spikes, gates],
    output,
    backward(gradient, gradients) {
      const spikeGradient = graph.scratch('gradient of spikes', 'f32', [active, rows, width]);
      const gateGradient = graph.scratch('gradient of gates', 'f32', [active, rows]);
      graph.call(
        sparseKernels.event_mix_backward,
        { gradient, spikes, gates, spikeGradient, gateGradient, mask },
        attributes,
      );
      gradients.give(spikes, spikeGradient);
      gradients.give(gates, gateGradient);
      gradients.give(stream, gradient);
    },
  });
  return output;
}

/** Means of each expert over the tokens of a play, `f32[experts, 3, width]`: input, recurrent spikes received, spikes fired. */
export function expertMeans(
  graph: Graph,
  input: Tensor,
  spikes: Tensor,
  {
    experts,
    count,
    sequence,
  }: { readonly experts: Experts; readonly count: number; readonly sequence: number },
): Tensor {
  const { steps: active, rows, width } = axesOf('expertMeans', spikes, 'bits');
  const means = graph.scratch('expert means', 'f32', [count, 3, width]);
  graph.call(
    sparseKernels.expert_means,
    { input, spikes, experts, means },
    { rows, active, experts: count, width, sequence },
  );
  return means;
}

/** Presynaptic activity that synapses learn from: `input` for those from the input, `heard` for the recurrent ones. */
interface HebbianOptions {
  /** As `expertMeans`. */
  readonly means: Tensor;
  /** As `adamW` gives it: where the optimiser left its step out, nothing changes. */
  readonly scale: Tensor;
  /** As `clockInput`. */
  readonly clock: Tensor;
  readonly presynaptic: 'input' | 'heard';
  readonly learningRate: number;
  /** Of the random numbers: distinct for all synapses of a program. */
  readonly stream: number;
}

/**
 * `dw = round(127 eta pre post)` from the means of a play, weights within +-127. Rounded at random, to the
 * two whole numbers around it in proportion to how near they are: with small rates nearly every move is
 * below a half, and would never be made.
 */
export function hebbianUpdate(
  graph: Graph,
  synapses: Synapses,
  { means, scale, clock, presynaptic, learningRate, stream }: HebbianOptions,
): void {
  const { weight, shape } = synapses;
  const topology = topologyOf(graph, synapses);
  graph.call(
    sparseKernels.hebbian_update,
    { means, topology, scale, clock, weight },
    { ...shape, source: presynaptic === 'input' ? 0 : 1, rate: 127 * learningRate, stream },
  );
}
