import type { Backend, Player } from '../backends/backend.ts';
import { EngineError } from '../errors.ts';
import { Graph } from '../graph/graph.ts';
import { layOutParameters, type ParameterLayout } from '../graph/parameters.ts';
import { sharedTensor, type Tensor, wordsPerRow } from '../graph/tensor.ts';
import { keep } from '../ops/keep.ts';
import { linear, spikeLinear } from '../ops/linear.ts';
import { stdp, type StdpOptions } from '../plasticity/stdp.ts';
import { drawSigns } from './signs.ts';
import { EMBEDDING_SIZE } from './text-embedder.ts';

/** Neurons in columns, of each of which one fires: a memory is a spike in every column. */
export interface AttractorSettings {
  readonly columns: number;
  /** Neurons of a column: even, at most 256. */
  readonly perColumn: number;
}

/** Which neuron of each column fires. */
export type Code = Uint8Array;

/** Synapses among all neurons, and those from embeddings to them, on a device. */
export interface Attractor {
  /** The code of an embedding: its likeness to fixed random directions, the best of them in each column. */
  codeOf(vector: Int8Array): Promise<Code>;
  /** The spikes that reach each neuron when those of a code fire, `[columns * perColumn]`. */
  support(code: Code): Promise<Float32Array>;
  /** Strengthens the synapses between all neurons of a code. */
  learn(code: Code): void;
  /** Weakens the synapses from one neuron to others; both by their place among all. */
  weaken(source: number, targets: readonly number[]): void;
  /** Synapses `[source, target]`: 1 where two neurons belong to a memory, else 0. */
  weights(): Promise<Float32Array>;
  setWeights(weights: Float32Array): void;
  close(): void;
}

/** Their synapses take 256 MiB. */
const MOST_NEURONS = 8192;

/** Of the random directions. */
const SEED = 9;
const STREAM = 0x21;

/** Synapses are there or not, and one pairing is enough. Traces have decayed when the next memory comes. */
const hebbian: StdpOptions = {
  rule: {
    kind: 'pair',
    pairing: 'nearest',
    tauPlus: 1,
    tauMinus: 1,
    amplitudePlus: 1,
    amplitudeMinus: 0,
  },
  bounds: { low: 0, high: 1 },
  boundary: 'hard',
};
const MEMORIES_APART_MS = 1000;

/** Throws EngineError `invalid-setting` for sizes that cannot be. */
export function checkSettings({ columns, perColumn }: AttractorSettings): void {
  const isWhole = Number.isInteger(columns) && Number.isInteger(perColumn / 2);
  const isBetween = columns >= 2 && perColumn >= 2 && perColumn <= 256;
  if (isWhole && isBetween && columns * perColumn <= MOST_NEURONS) return;
  throw new EngineError(
    'invalid-setting',
    `associative memory: ${columns} columns of ${perColumn} neurons: expected at least 2 columns of an even number from 2 to 256, and at most ${MOST_NEURONS} neurons`,
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
  const learning = traceLearning(layout, weight);
  const weakening = traceWeakening(layout, weight);
  const programs = [coding, recalling, learning, weakening].map(({ program }) => program);
  const player = await backend.load(layout, programs);
  const directions = drawSigns((EMBEDDING_SIZE * neurons) / 2, SEED, STREAM);
  player.write(coding.directions, Float32Array.from(directions));
  const spikesOf = (places: Iterable<number>) => bitsOf(places, neurons);
  return {
    async codeOf(vector) {
      player.write(coding.vector, Float32Array.from(vector));
      player.play(coding.program);
      return strongest(await readNumbers(player, coding.likeness), settings);
    },
    support(code) {
      player.write(recalling.code, spikesOf(placesOf(code, perColumn)));
      player.play(recalling.program);
      return readNumbers(player, recalling.support);
    },
    learn(code) {
      player.write(learning.code, spikesOf(placesOf(code, perColumn)));
      player.play(learning.program);
    },
    weaken(source, targets) {
      const trace = new Float32Array(neurons);
      for (const target of targets) trace[target] = 1;
      player.write(weakening.source, spikesOf([source]));
      player.write(weakening.targets, trace);
      player.play(weakening.program);
    },
    weights: () => readNumbers(player, weight),
    setWeights: (weights) => player.write(weight, weights),
    close: () => player.close(),
  };
}

/** Half as many directions as neurons: one neuron fires for each, and one for its opposite. */
function traceCoding(layout: ParameterLayout, neurons: number) {
  const graph = new Graph('code', layout);
  const vector = graph.local('vector', 'f32', [1, 1, EMBEDDING_SIZE]);
  const directions = graph.local('directions', 'f32', [EMBEDDING_SIZE, neurons / 2]);
  const likeness = keep(graph, 'likeness', linear(graph, vector, directions));
  return { vector, directions, likeness, program: graph.build() };
}

function traceRecalling(layout: ParameterLayout, weight: Tensor) {
  const graph = new Graph('recall', layout);
  const code = graph.local('code', 'bits', [1, 1, weight.shape[0] ?? 0]);
  const support = keep(graph, 'support', spikeLinear(graph, code, weight));
  return { code, support, program: graph.build() };
}

function traceLearning(layout: ParameterLayout, weight: Tensor) {
  const graph = new Graph('learn', layout);
  const [neurons = 0] = weight.shape;
  const code = graph.local('code', 'bits', [1, 1, neurons]);
  const site = {
    name: 'synapses',
    synapses: { pre: neurons, post: neurons, weight },
    spikes: { pre: code, post: code },
    dt: MEMORIES_APART_MS,
  };
  stdp(graph, site, hebbian);
  return { code, program: graph.build() };
}

/** The depression of STDP with an amplitude of 1, by a trace that says which synapses. */
function traceWeakening(layout: ParameterLayout, weight: Tensor) {
  const graph = new Graph('weaken', layout);
  const [neurons = 0] = weight.shape;
  const source = graph.local('source', 'bits', [1, 1, neurons]);
  const targets = graph.local('targets', 'f32', [neurons]);
  const sizes = { pre: neurons, post: neurons };
  const rule = { pair: 1, triplet: 0, slowDecay: 0, low: 0, high: 1, soft: false };
  graph.call('stdp_depress', { spikes: source, trace: targets, weight }, { ...sizes, ...rule });
  return { source, targets, program: graph.build() };
}

/** Of each column the direction that is most alike or most opposite; the first of equals. */
function strongest(likeness: Float32Array, { columns, perColumn }: AttractorSettings): Code {
  const directions = perColumn / 2;
  return Uint8Array.from({ length: columns }, (_, column) => {
    let [best, winner] = [-1, 0];
    for (let d = 0; d < directions; d++) {
      const alike = likeness[column * directions + d] ?? 0;
      if (Math.abs(alike) <= best) continue;
      best = Math.abs(alike);
      winner = 2 * d + Number(alike < 0);
    }
    return winner;
  });
}

/** Where the neurons of a code lie among all. */
export function placesOf(code: Code, perColumn: number): number[] {
  return Array.from(code, (neuron, column) => column * perColumn + neuron);
}

function bitsOf(places: Iterable<number>, neurons: number): Uint32Array {
  const words = new Uint32Array(wordsPerRow(neurons));
  for (const place of places) {
    words[place >>> 5] = (words[place >>> 5] ?? 0) | (1 << (place & 31));
  }
  return words;
}

// Numbers are always read as f32.
const readNumbers = async (player: Player, tensor: Tensor) =>
  (await player.read(tensor)) as Float32Array;
