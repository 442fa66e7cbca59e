import { plasticityKernels } from '../kernels/plasticity.ts';
import type { Backend, Player } from '../graph/backend.ts';
import { EngineError } from '../errors.ts';
import { Graph } from '../graph/graph.ts';
import { layOutParameters, type ParameterLayout } from '../graph/parameters.ts';
import type { Program } from '../graph/program.ts';
import { sharedTensor, type Tensor, wordsPerRow } from '../graph/tensor.ts';
import { keep } from '../ops/keep.ts';
import { spikeLinear } from '../ops/linear.ts';
import { byteWords } from '../graph/tensor.ts';
import { quantisedSpikeLinear } from '../ops/quantised-linear.ts';
import { randomSigns, packBytes } from './random-signs.ts';
import { EMBEDDING_SIZE } from './text-embedder.ts';

/** Neurons in columns, of each of which one fires: a memory is a spike in every column. */
export interface AttractorSettings {
  readonly columns: number;
  /** Neurons per column: even, at most 256. */
  readonly perColumn: number;
}

/** Which neuron of each column fires. */
export type Code = Uint8Array;

/** Drive of the neurons by an embedding. */
export interface Cue {
  /** `[columns * perColumn]`: the likeness to a random direction, in its standard deviations. */
  readonly current: Float32Array;
  /** The most strongly driven neurons. */
  readonly code: Code;
}

/** Synapses among all neurons, and those from embeddings to them, on a device. */
export interface Attractor {
  /** Drives neurons by the likeness of an embedding to fixed random directions, or to their opposites. */
  cueOf(vector: Int8Array): Promise<Cue>;
  /** The spikes that reach each neuron when those of a code fire, `[columns * perColumn]`. */
  support(code: Code): Promise<Float32Array>;
  /** Strengthens the synapses between all neurons of a code. */
  learn(code: Code): void;
  /** Weakens the synapses from one neuron to others; all by their index. */
  weaken(source: number, targets: readonly number[]): void;
  /** Synapses `[source, target]`: 1 where two neurons belong to a memory, else 0. */
  weights(): Promise<Float32Array>;
  setWeights(weights: Float32Array): void;
  close(): void;
}

/** Their synapses take 256 MiB. */
const MAX_NEURONS = 8192;

/** Bits of a number of an embedding. */
const PLANES = 8;

/** Of the random directions. */
const SEED = 9;
const STREAM = 0x21;

/** Throws EngineError `invalid-setting` for sizes that cannot be. */
export function checkSettings({ columns, perColumn }: AttractorSettings): void {
  const isWhole = Number.isInteger(columns) && Number.isInteger(perColumn / 2);
  const isBetween = columns >= 2 && perColumn >= 2 && perColumn <= 256;
  if (isWhole && isBetween && columns * perColumn <= MAX_NEURONS) return;
  throw new EngineError(
    'invalid-setting',
    `associative memory: ${columns} columns of ${perColumn} neurons: expected at least 2 columns of an even number from 2 to 256, and at most ${MAX_NEURONS} neurons`,
  );
}

/** Throws EngineError `invalid-setting` for sizes that cannot be. */
export async function openAttractor(
  backend: Backend,
  settings: AttractorSettings,
): Promise<Attractor> {
  checkSettings(settings);
  const { columns, perColumn } = settings;
  const neurons = columns * perColumn;
  const layout = layOutParameters([]);
  const weight = sharedTensor('synapses', 'f32', [neurons, neurons]);
  const coding = traceCoding(layout, neurons);
  const recalling = traceRecalling(layout, weight);
  const learning = traceChange(layout, weight, 'learn');
  const weakening = traceChange(layout, weight, 'weaken');
  const programs = [coding, recalling, learning, weakening].map(({ program }) => program);
  const player = await backend.load(layout, programs);
  const change = (
    program: SynapseChange,
    sources: readonly number[],
    targets: readonly number[],
  ) => {
    const trace = new Float32Array(neurons);
    for (const target of targets) trace[target] = 1;
    player.write(program.sources, bitsOf(sources, neurons));
    player.write(program.targets, trace);
    player.play(program.program);
  };
  return {
    async cueOf(vector) {
      player.write(coding.planes, planesOf(vector));
      player.play(coding.program);
      const current = currentOf(await readNumbers(player, coding.sums), vector);
      return { current, code: strongest(current, settings) };
    },
    support(code) {
      player.write(recalling.code, bitsOf(placesOf(code, perColumn), neurons));
      player.play(recalling.program);
      return readNumbers(player, recalling.support);
    },
    learn(code) {
      const places = placesOf(code, perColumn);
      change(learning, places, places);
    },
    weaken: (source, targets) => change(weakening, [source], targets),
    weights: () => readNumbers(player, weight),
    setWeights: (weights) => player.write(weight, weights),
    close: () => player.close(),
  };
}

/** Half as many directions as neurons: one neuron is driven by each, and one by its opposite. */
function traceCoding(layout: ParameterLayout, neurons: number) {
  const graph = new Graph('code', layout);
  const outputs = neurons / 2;
  const planes = graph.local('bit planes', 'bits', [1, PLANES, EMBEDDING_SIZE]);
  const signs = randomSigns(EMBEDDING_SIZE * outputs, SEED, STREAM);
  const packed = packBytes(signs, outputs);
  const words = graph.constant('directions', [EMBEDDING_SIZE, byteWords(outputs)], packed);
  const scale = graph.constant('scale', [outputs], new Float32Array(outputs).fill(1));
  const sums = quantisedSpikeLinear(graph, planes, { words, scale, outputs });
  return { planes, sums: keep(graph, 'sums of planes', sums), program: graph.build() };
}

function traceRecalling(layout: ParameterLayout, weight: Tensor) {
  const graph = new Graph('recall', layout);
  const code = graph.local('code', 'bits', [1, 1, weight.shape[0] ?? 0]);
  const support = keep(graph, 'support', spikeLinear(graph, code, weight));
  return { code, support, program: graph.build() };
}

interface SynapseChange {
  readonly program: Program;
  /** `bits[1, 1, neurons]` */
  readonly sources: Tensor;
  /** `f32[neurons]`: 1 for targets, else 0. */
  readonly targets: Tensor;
}

/**
 * Clipped Hebbian learning as STDP of one pairing that creates or removes a synapse. Synapses are stored by
 * source, so both are the depression of STDP, with its sign reversed for learning: it visits the rows of the
 * few sources that fire, where potentiation would visit entries of all rows.
 */
function traceChange(
  layout: ParameterLayout,
  weight: Tensor,
  direction: 'learn' | 'weaken',
): SynapseChange {
  const graph = new Graph(direction, layout);
  const [neurons = 0] = weight.shape;
  const sources = graph.local('sources', 'bits', [1, 1, neurons]);
  const targets = graph.local('targets', 'f32', [neurons]);
  const pair = direction === 'learn' ? -1 : 1;
  graph.call(
    plasticityKernels.stdp_depress,
    { spikes: sources, trace: targets, weight },
    { pre: neurons, post: neurons, pair, triplet: 0, slowDecay: 0, low: 0, high: 1, soft: false },
  );
  return { sources, targets, program: graph.build() };
}

/** Bit k of every number, for each k: one row of spikes. Numbers are in two's complement. */
function planesOf(vector: Int8Array): Uint32Array {
  const stride = wordsPerRow(EMBEDDING_SIZE);
  const words = new Uint32Array(PLANES * stride);
  for (const [i, value] of vector.entries()) {
    for (let plane = 0; plane < PLANES; plane++) {
      const at = plane * stride + (i >>> 5);
      words[at] = (words[at] ?? 0) | (((value >>> plane) & 1) << (i & 31));
    }
  }
  return words;
}

/** For each direction the current of its neuron and of that for its opposite, by turns. */
function currentOf(sums: Float32Array, vector: Int8Array): Float32Array {
  const deviation = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  const directions = sums.length / PLANES;
  const likeness = new Float32Array(directions);
  for (let plane = 0; plane < PLANES; plane++) {
    const worth = plane === PLANES - 1 ? -(2 ** plane) : 2 ** plane;
    const ofPlane = sums.subarray(plane * directions, (plane + 1) * directions);
    for (const [d, sum] of ofPlane.entries()) likeness[d] = (likeness[d] ?? 0) + worth * sum;
  }
  const current = new Float32Array(2 * directions);
  for (const [d, alike] of likeness.entries()) {
    current[2 * d] = alike / deviation;
    current[2 * d + 1] = -alike / deviation;
  }
  return current;
}

/** The most strongly driven neuron of each column; the first among equals. */
export function strongest(current: Float32Array, { columns, perColumn }: AttractorSettings): Code {
  return Uint8Array.from({ length: columns }, (_, column) => {
    const first = column * perColumn;
    let winner = 0;
    for (let neuron = 1; neuron < perColumn; neuron++) {
      if ((current[first + neuron] ?? 0) > (current[first + winner] ?? 0)) winner = neuron;
    }
    return winner;
  });
}

/** Indices of the neurons of a code. */
export function placesOf(code: Code, perColumn: number): number[] {
  return Array.from(code, (neuron, column) => column * perColumn + neuron);
}

function bitsOf(places: readonly number[], neurons: number): Uint32Array {
  const words = new Uint32Array(wordsPerRow(neurons));
  for (const place of places) {
    words[place >>> 5] = (words[place >>> 5] ?? 0) | (1 << (place & 31));
  }
  return words;
}

// Numbers are always read as f32.
const readNumbers = async (player: Player, tensor: Tensor) =>
  (await player.read(tensor)) as Float32Array;
