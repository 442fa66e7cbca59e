import type { Surrogate } from '../../kernels/neurons.ts';
import { structureChecks } from '../structure-checks.ts';
import type { Initial, ParameterSpec } from '../../graph/parameters.ts';
import type { WrittenNeuron } from '../../kernels/written-neuron.ts';
import type { Checkpoints } from '../../ops/layer-shapes.ts';
import { evoLifStart, learnedInitial } from '../../ops/learned-start.ts';
import type { SpikingLayer } from '../language/batched-model.ts';

/** Neuron models of the layers; EvoLIF has a trained leak and a trained threshold for each neuron. */
export const NEURON_TYPES = ['LIF', 'EvoLIF', 'Izhikevich'] as const;
export type NeuronType = (typeof NEURON_TYPES)[number];

/** Shape and dynamics of a dense_chronospike model. */
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
  /** Neurons that a user wrote, in place of the model above, which is LIF then. */
  readonly equations?: WrittenNeuron;
  /** Leak and threshold of LIF; those that EvoLIF begins with. Izhikevich has its own constants. */
  readonly beta: number;
  readonly threshold: number;
  readonly surrogate: Surrogate;
  /** Tokens of the longest n-grams whose log-probabilities are added to the logits; none where left out or 0. */
  readonly ngramOrder?: number;
  /** How gradients come by the states of each step, while training: the results are the same. */
  readonly checkpoints?: Checkpoints;
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

/** The LIF neuron of the family by default. */
export const defaultNeuron = {
  neuron: 'LIF',
  beta: 0.9,
  threshold: 1,
  surrogate: 'atan',
} as const satisfies Partial<ChronospikeStructure>;

const checks = structureChecks('dense_chronospike');

/** Limits of a structure: tracing a larger one would not end in reasonable time. */
const LIMITS = {
  vocabulary: 0x110000,
  d_model: 1 << 14,
  heads: 1 << 10,
  blocks: 1 << 8,
  time_steps: 1 << 10,
} as const;

/** Throws EngineError `invalid-structure` that names the value and what was expected. */
export function checkStructure(structure: ChronospikeStructure): void {
  const { vocabulary, width, heads, blocks, steps, tau } = structure;
  checks.counts({ vocabulary, d_model: width, heads, blocks, time_steps: steps }, LIMITS);
  checks.headsOf(width, heads);
  if (tau.length !== heads || tau.some((value) => !(value > 0))) {
    checks.refuse(`tau is [${tau.join(', ')}]: expected ${heads} positive numbers, one per head`);
  }
  checks.neuron(structure);
  if (structure.equations && structure.neuron !== 'LIF') {
    checks.refuse(`neuron_type is ${structure.neuron} beside equations: expected LIF`);
  }
}

/** Whether neurons are LIF, whose kernels can do more than others. */
export function isLif({
  neuron,
  equations,
}: Pick<ChronospikeStructure, 'neuron' | 'equations'>): boolean {
  return neuron === 'LIF' && !equations;
}

/** Fraction of neurons expected to fire: spike-fed layers start so that their currents have unit variance. */
const EXPECTED_RATE = 0.17;
const READOUT_DEVIATION = 0.02;
const BESIDE_TABLES = 0.1;
/** The direct path starts with sigmoid(-2), about 12 %. */
const INITIAL_MIX = -2;

/**
 * The parameters of the family in a fixed order: 2 V D + V + D + 1 + blocks (12 D^2 + 11 D) numbers, and
 * two more for each neuron where these are EvoLIF: blocks 20 D.
 * Weights are `[inputs, outputs]`; the columns of `qkv` are queries, keys and values in this order.
 */
export function chronospikeParameters(structure: ChronospikeStructure): ParameterSpec[] {
  const { vocabulary, width, blocks, ngramOrder = 0 } = structure;
  // Beside tables the network begins with next to nothing to say.
  const scale = ngramOrder > 0 ? BESIDE_TABLES : 1;
  return [
    matrix('embed.weight', [vocabulary, width], normal(1)),
    ...Array.from({ length: blocks }, (_, block) => blockParameters(block, structure)).flat(),
    vector('norm.weight', [width], constant(1)),
    matrix('readout.weight', [width, vocabulary], normal(scale * READOUT_DEVIATION)),
    vector('readout.bias', [vocabulary], uniform(scale * width ** -0.5)),
    vector('readout_direct_logit_mix', [1], constant(INITIAL_MIX)),
  ];
}

function blockParameters(block: number, structure: ChronospikeStructure): ParameterSpec[] {
  const { width, blocks } = structure;
  const name = (part: string) => `blocks.${block}.${part}`;
  const spikeFed = normal((EXPECTED_RATE * width) ** -0.5);
  const residual = normal(0.1 * (2 * blocks) ** -0.5);
  return [
    vector(name('norm1.weight'), [width], constant(1)),
    vector(name('norm1.bias'), [width], constant(0)),
    vector(name('shift1'), [width], constant(0.5)),
    matrix(name('qkv.weight'), [width, 3 * width], spikeFed),
    matrix(name('out.weight'), [width, width], residual),
    vector(name('norm2.weight'), [width], constant(1)),
    vector(name('norm2.bias'), [width], constant(0)),
    vector(name('shift2'), [width], constant(0.5)),
    matrix(name('up.weight'), [width, 4 * width], spikeFed),
    vector(name('up.bias'), [4 * width], uniform(width ** -0.5)),
    matrix(name('down.weight'), [4 * width, width], residual),
    vector(name('down.bias'), [width], uniform((4 * width) ** -0.5)),
    ...neuronParameters(structure, block),
  ];
}

const normal = (deviation: number): Initial => ({ kind: 'normal', deviation });
const uniform = (bound: number): Initial => ({ kind: 'uniform', bound });
const constant = (value: number): Initial => ({ kind: 'constant', value });

function matrix(name: string, shape: readonly number[], initial: Initial): ParameterSpec {
  return { name, shape, initial, decayed: true };
}

function vector(name: string, shape: readonly number[], initial: Initial): ParameterSpec {
  return { name, shape, initial, decayed: false };
}

/**
 * The layers in the order in which they fire. A spike adds a row of weights to the currents of the next
 * layer. Those of queries, keys and values meet in the attention of their head: each adds, or is added
 * to, at most a row of the head's state, and is counted as a whole one.
 */
export function spikingLayers({ width, heads, blocks }: ChronospikeStructure): SpikingLayer[] {
  return Array.from({ length: blocks }, (_, block) => [
    { name: `blocks.${block}.in1`, neurons: width, fanOut: 3 * width },
    { name: `blocks.${block}.qkv`, neurons: 3 * width, fanOut: width / heads },
    { name: `blocks.${block}.attention`, neurons: width, fanOut: width },
    { name: `blocks.${block}.in2`, neurons: width, fanOut: 4 * width },
    { name: `blocks.${block}.up`, neurons: 4 * width, fanOut: width },
  ]).flat();
}

/** Something that each row of a batch carries from chunk to chunk. */
export interface CarriedPart {
  readonly name: string;
  /** `[steps, batch, …]` */
  readonly shape: readonly number[];
}

/**
 * Groups of rows that take turns: a step that continues where the step before ended learns the passage at
 * hand more than the language.
 */
export const CARRY_GROUPS = 8;

/** State carried by the rows of a group: the input of each shift's last token, and the state of each attention. */
export function carriedParts(
  structure: ChronospikeStructure,
  batch: number,
  group = 0,
): CarriedPart[] {
  const { width, heads, blocks, steps } = structure;
  const headWidth = width / heads;
  return Array.from({ length: blocks }, (_, block) => [
    // Nothing changes over the time steps before the first neurons.
    {
      name: carriedName(group, `blocks.${block}.shift1`),
      shape: [block === 0 ? 1 : steps, batch, width],
    },
    {
      name: carriedName(group, `blocks.${block}.attention`),
      shape: [steps, batch, heads, headWidth, headWidth],
    },
    { name: carriedName(group, `blocks.${block}.shift2`), shape: [steps, batch, width] },
  ]).flat();
}

/** Name of the state of a group at a site, such as `blocks.0.shift1`. */
export function carriedName(group: number, site: string): string {
  return `carried.${group}.${site}`;
}

const LAYERS_OF_BLOCK = 5;

/** Name of the tensor of a learned parameter of a layer's neurons. */
export const learnedName = (layer: string, parameter: string) => `${layer}.neuron.${parameter}`;

function writtenParameters(
  { equations }: ChronospikeStructure,
  { name, neurons }: SpikingLayer,
): ParameterSpec[] {
  return (equations?.learned ?? []).map((learned) => {
    const shape = [learned.per === 'neuron' ? neurons : 1];
    return vector(learnedName(name, learned.name), shape, learnedInitial(learned));
  });
}

/**
 * The trained numbers of the neurons of a block: of EvoLIF two for each, of a user's what is learned, of the
 * others none.
 */
function neuronParameters(structure: ChronospikeStructure, block: number): ParameterSpec[] {
  const layers = spikingLayers({ ...structure, blocks: block + 1 }).slice(-LAYERS_OF_BLOCK);
  if (structure.equations) return layers.flatMap((layer) => writtenParameters(structure, layer));
  if (structure.neuron !== 'EvoLIF') return [];
  const start = evoLifStart(structure.beta, structure.threshold);
  return layers.flatMap(({ name, neurons }) =>
    (['a', 'b'] as const).map((part) => ({
      name: `${name}.${part}`,
      shape: [neurons],
      initial: { kind: 'constant', value: start[part] },
      decayed: false,
    })),
  );
}
