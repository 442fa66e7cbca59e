import type { Surrogate } from '../../kernels/neurons.ts';
import { EngineError } from '../../errors.ts';
import type { ParameterSpec } from '../../graph/parameters.ts';
import type { LearnedParameter, WrittenNeuron } from '../../kernels/written-neuron.ts';
import { expectNonNegative, expectCount, expectPositive } from '../../checks.ts';

/**
 * A recurrent layer of (adaptive) leaky integrate-and-fire neurons, or of neurons that a user wrote, with leaky
 * readout neurons, trained by e-prop (Bellec et al. 2020). Times in milliseconds.
 */
export interface EpropStructure {
  readonly inputs: number;
  readonly neurons: number;
  readonly outputs: number;
  /** Time steps of a sequence. */
  readonly steps: number;
  /** Sequences at a time. */
  readonly batch: number;
  readonly dt: number;
  readonly tauMembrane: number;
  readonly tauReadout: number;
  readonly threshold: number;
  readonly surrogate: Surrogate;
  /** Adaptive thresholds; plain LIF by default. */
  readonly adaptation?: { readonly tau: number; readonly gain: number };
  /** Neurons of at most four states, in place of those of the constants above; their step is `dt`. */
  readonly equations?: WrittenNeuron;
  /** Feedback of errors: by the output weights, or by fixed random weights. */
  readonly feedback: 'symmetric' | 'random';
}

/** Throws EngineError where a size or constant cannot be. */
export function checkEprop(structure: EpropStructure): void {
  for (const name of ['inputs', 'neurons', 'outputs', 'steps', 'batch'] as const) {
    expectCount('eprop', name, structure[name]);
  }
  for (const name of ['dt', 'tauMembrane', 'tauReadout', 'threshold'] as const) {
    expectPositive('eprop', name, structure[name]);
  }
  checkMemory(structure);
  const { adaptation, feedback } = structure;
  if (adaptation) {
    expectPositive('eprop', 'adaptation.tau', adaptation.tau);
    expectNonNegative('eprop', 'adaptation.gain', adaptation.gain);
  }
  if (feedback === 'symmetric' || feedback === 'random') return;
  throw new EngineError(
    'invalid-setting',
    `eprop: feedback is ${String(feedback)}, expected symmetric or random`,
  );
}

/** Eligibilities that a device is asked for at most: 4 GiB of numbers. */
const MAX_ELIGIBILITIES = 2 ** 30;

/** Throws before memory is taken for more eligibilities than a device may have. */
function checkMemory({ inputs, neurons, batch, equations, adaptation }: EpropStructure): void {
  const ofSynapse = equations ? equations.states.length + 1 : adaptation ? 2 : 1;
  const count = batch * neurons * (inputs + neurons) * ofSynapse;
  if (count <= MAX_ELIGIBILITIES) return;
  throw new EngineError(
    'invalid-setting',
    `eprop: ${count} eligibilities of synapses: expected at most ${MAX_ELIGIBILITIES}`,
  );
}

/** The parameters that hold what neurons learn: a row for each number of each neuron, and numbers of the layer. */
export const LEARNED = { neuron: 'perNeuron', layer: 'perLayer' } as const;

/**
 * `input [inputs, neurons]`, `recurrent [neurons, neurons]`, `output [neurons, outputs]`; of neurons that learn,
 * `perNeuron [numbers, neurons]` and `perLayer [numbers]`.
 */
export function epropParameters(structure: EpropStructure): ParameterSpec[] {
  const { inputs, neurons, outputs } = structure;
  const [ofNeurons, ofLayer] = [learnedOf(structure, 'neuron'), learnedOf(structure, 'layer')];
  return [
    matrix('input', inputs, neurons),
    matrix('recurrent', neurons, neurons),
    matrix('output', neurons, outputs),
    ...(ofNeurons.length > 0 ? [zeros(LEARNED.neuron, [ofNeurons.length, neurons])] : []),
    ...(ofLayer.length > 0 ? [zeros(LEARNED.layer, [ofLayer.length])] : []),
  ];
}

/** The numbers that neurons learn, one each or one for all, in the order of their parameter. */
export function learnedOf(
  { equations }: EpropStructure,
  unit: LearnedParameter['per'],
): readonly LearnedParameter[] {
  return (equations?.learned ?? []).filter(({ per }) => per === unit);
}

function zeros(name: string, shape: readonly number[]): ParameterSpec {
  return { name, shape, initial: { kind: 'constant', value: 0 }, decayed: false };
}

function matrix(name: string, rows: number, columns: number): ParameterSpec {
  const initial = { kind: 'normal', deviation: 1 / Math.sqrt(rows) } as const;
  return { name, shape: [rows, columns], initial, decayed: true };
}
