import { memoryKernels } from '../kernels/memory.ts';
import type { Backend, Player } from '../graph/backend.ts';
import { rateDecode } from '../encoders/rate.ts';
import { Graph } from '../graph/graph.ts';
import { layOutParameters, type ParameterLayout } from '../graph/parameters.ts';
import type { Program } from '../graph/program.ts';
import { byteWords, sharedTensor, type Tensor, wordCount, wordsPerRow } from '../graph/tensor.ts';
import { keep } from '../ops/keep.ts';
import { quantisedSpikeLinear } from '../ops/quantised-linear.ts';
import { rateCode } from '../ops/rate-code.ts';
import { createFeatureReader, type FeatureReader, INPUTS } from './features.ts';
import { randomSigns, packBytes } from './random-signs.ts';

/** Bytes of an embedding. */
export const EMBEDDING_SIZE = 256;

/** Time steps of the neurons: embeddings have whole numbers from -16 to 16. A power of two, see `traceLayer`. */
const STEPS = 16;
/** Texts per submission; the remainder is embedded one by one. */
const BATCH = 16;
/** Of the fixed synapses. Embeddings of another seed or stream are not comparable. */
const SEED = 9;
const STREAM = 0x20;

/** Embeds texts so that texts with common n-grams are near each other. */
export interface TextEmbedder {
  /**
   * One embedding for each text, `EMBEDDING_SIZE` numbers, to be compared by `similarity`; all zero for a
   * text without a word. The same bytes on every machine. Calls may overlap.
   */
  embed(texts: readonly string[]): Promise<Int8Array[]>;
  close(): void;
}

interface Layer {
  readonly rows: number;
  readonly program: Program;
  /** `bits[1, rows, INPUTS]` */
  readonly spikes: Tensor;
  /** `f32[rows * EMBEDDING_SIZE]`: the current that a neuron fires in every step for. */
  readonly range: Tensor;
  /** `f32[1, 1, 2 * rows * EMBEDDING_SIZE]`: rates of the ON neurons of all rows, then of the OFF neurons. */
  readonly rates: Tensor;
}

interface Synapses {
  readonly words: Tensor;
  readonly scale: Tensor;
}

/**
 * Loads the layer: `INPUTS` neurons with fixed synapses of -1 and 1 onto `EMBEDDING_SIZE` pairs of ON and
 * OFF neurons without leak, whose spikes over 16 steps are the embedding.
 */
export async function openTextEmbedder(backend: Backend): Promise<TextEmbedder> {
  const layout = layOutParameters([]);
  const synapses: Synapses = {
    words: sharedTensor('synapses', 'u32', [INPUTS, byteWords(EMBEDDING_SIZE)]),
    scale: sharedTensor('scale of synapses', 'f32', [EMBEDDING_SIZE]),
  };
  const single = traceLayer(layout, synapses, 1);
  const batch = traceLayer(layout, synapses, BATCH);
  const player = await backend.load(layout, [single.program, batch.program]);
  const signs = randomSigns(INPUTS * EMBEDDING_SIZE, SEED, STREAM);
  player.write(synapses.words, packBytes(signs, EMBEDDING_SIZE));
  player.write(synapses.scale, new Float32Array(EMBEDDING_SIZE).fill(1));
  const reader = createFeatureReader();
  const [embedOne, embedBatch] = [single, batch].map((layer) => play(player, layer, reader));
  return {
    async embed(texts) {
      const embeddings: Int8Array[] = [];
      for (let first = 0; first < texts.length;) {
        const isFull = texts.length - first >= BATCH;
        const some = texts.slice(first, first + (isFull ? BATCH : 1));
        const embedSome = isFull ? embedBatch : embedOne;
        embeddings.push(...((await embedSome?.(some)) ?? []));
        first += some.length;
      }
      return embeddings;
    },
    close: () => player.close(),
  };
}

/**
 * All numbers are whole or have few binary digits: currents are sums of -1 and 1, ranges and steps powers
 * of two. Floating point is exact for them, so that every backend has the same spikes.
 */
function traceLayer(layout: ParameterLayout, { words, scale }: Synapses, rows: number): Layer {
  const graph = new Graph(`embed ${rows}`, layout);
  const width = rows * EMBEDDING_SIZE;
  const spikes = graph.local('spikes', 'bits', [1, rows, INPUTS]);
  const range = graph.local('range', 'f32', [width]);
  const current = quantisedSpikeLinear(graph, spikes, { words, scale, outputs: EMBEDDING_SIZE });
  // One row of all texts, as each has its own range.
  const flat = graph.scratch('currents', 'f32', [1, 1, width]);
  graph.call(memoryKernels.copy, { source: current, target: flat }, { count: width });
  const fired = rateCode(graph, flat, { steps: STEPS, range });
  const rates = keep(graph, 'rates', rateDecode(graph, fired));
  return { rows, program: graph.build(), spikes, range, rates };
}

/** Writes, plays and reads without a gap in which another call could interfere. */
function play(
  player: Player,
  { rows, program, spikes, range, rates }: Layer,
  reader: FeatureReader,
) {
  const words = wordsPerRow(INPUTS);
  const bits = new Uint32Array(wordCount(spikes));
  const ranges = new Float32Array(rows * EMBEDDING_SIZE);
  return async (texts: readonly string[]): Promise<Int8Array[]> => {
    bits.fill(0);
    for (const [row, text] of texts.entries()) {
      const active = reader.read(text, bits.subarray(row * words, (row + 1) * words));
      ranges.fill(rangeOf(active), row * EMBEDDING_SIZE, (row + 1) * EMBEDDING_SIZE);
    }
    player.write(spikes, bits);
    player.write(range, ranges);
    player.play(program);
    // Rates are always read as f32.
    const read = (await player.read(rates)) as Float32Array;
    return texts.map((_, row) => embeddingOf(read, row, rows));
  };
}

/** The smallest power of two that is at least 2.4 standard deviations of a sum of `active` signs. */
function rangeOf(active: number): number {
  let range = 1;
  while (range * range < 6 * active) range *= 2;
  return range;
}

function embeddingOf(rates: Float32Array, row: number, rows: number): Int8Array {
  const on = row * EMBEDDING_SIZE;
  const off = on + rows * EMBEDDING_SIZE;
  const embedding = new Int8Array(EMBEDDING_SIZE);
  for (let c = 0; c < EMBEDDING_SIZE; c++) {
    embedding[c] = STEPS * ((rates[on + c] ?? 0) - (rates[off + c] ?? 0));
  }
  return embedding;
}

/** The cosine between two embeddings, from -1 to 1; 0 where one of them is all zero. */
export function similarity(a: Int8Array, b: Int8Array): number {
  let [product, ofA, ofB] = [0, 0, 0];
  for (let i = 0; i < EMBEDDING_SIZE; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0];
    product += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return product === 0 ? 0 : product / Math.sqrt(ofA * ofB);
}
