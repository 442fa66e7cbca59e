import type { Surrogate } from '../../kernels/neurons.ts';
import { EngineError } from '../../errors.ts';

/** What a layer of neurons is made of; EvoLIF has a trained leak and a trained threshold for each neuron. */
export const NEURON_TYPES = ['LIF', 'EvoLIF', 'Izhikevich'] as const;
export type NeuronType = (typeof NEURON_TYPES)[number];

/** What makes one dense_chronospike model differ from another in shape or dynamics. */
export interface ChronospikeStructure {
  readonly vocabulary: number;
  /** d_model. */
  readonly width: number;
  readonly heads: number;
  readonly blocks: number;
  /** Time steps T of the neurons inside each token. */
  readonly steps: number;
  /** Decay of the attention of each head, in tokens. */
  readonly tau: readonly number[];
  /** neuron_type */
  readonly neuron: NeuronType;
  /** Leak and threshold of LIF; those that EvoLIF begins with. Izhikevich has its own constants. */
  readonly beta: number;
  readonly threshold: number;
  readonly surrogate: Surrogate;
}

/** Shortest time constant of a head, in tokens. */
const SHORTEST_TAU = 2;

/** Time constants from 2 tokens to `longest`, geometric over the heads. */
export function geometricTau(heads: number, longest: number): number[] {
  return Array.from(
    { length: heads },
    (_, head) => SHORTEST_TAU * (longest / SHORTEST_TAU) ** (head / Math.max(1, heads - 1)),
  );
}

/** The LIF neuron of the family where nothing else is said. */
export const defaultNeuron = {
  neuron: 'LIF',
  beta: 0.9,
  threshold: 1,
  surrogate: 'atan',
} as const satisfies Partial<ChronospikeStructure>;

/** What is beyond these is a slip of the finger: tracing it would take for ever. */
const LARGEST = {
  vocabulary: 0x110000,
  d_model: 1 << 14,
  heads: 1 << 10,
  blocks: 1 << 8,
  time_steps: 1 << 10,
} as const;

/** Throws EngineError `invalid-structure` that names the value and what was expected. */
export function checkStructure(structure: ChronospikeStructure): void {
  const { vocabulary, width, heads, blocks, steps, tau, beta, threshold } = structure;
  checkCounts({ vocabulary, d_model: width, heads, blocks, time_steps: steps });
  if (width % heads !== 0) {
    refuse(`d_model ${width} is not divisible by ${heads} heads: expected a multiple of ${heads}`);
  }
  if (tau.length !== heads || tau.some((value) => !(value > 0))) {
    refuse(`tau is [${tau.join(', ')}]: expected ${heads} positive numbers, one per head`);
  }
  if (!(beta >= 0 && beta <= 1)) refuse(`beta is ${beta}: expected a number from 0 to 1`);
  if (!(threshold > 0)) refuse(`threshold is ${threshold}: expected a positive number`);
}

function checkCounts(counts: Readonly<Record<keyof typeof LARGEST, number>>): void {
  for (const [name, value] of Object.entries(counts)) {
    const most = LARGEST[name as keyof typeof LARGEST];
    if (Number.isInteger(value) && value >= 1 && value <= most) continue;
    refuse(`${name} is ${value}: expected a whole number from 1 to ${most}`);
  }
}

function refuse(message: string): never {
  throw new EngineError('invalid-structure', `dense_chronospike: ${message}`);
}
