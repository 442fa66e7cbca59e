import { EngineError } from '../errors.ts';
import { keyOf, philox } from '../random/philox.ts';

/** Neurons whose links lie side by side, so that 16 bytes hold one link of each. */
export const SYNAPSE_BLOCK = 16;
const MAX_WEIGHT = 127;
const TOPOLOGY_STREAM = 0x544f504f;
const WEIGHT_STREAM = 0x57454947;

/** Synapses among `width` neurons, `fanIn` to each, for each of `experts`. */
export interface SynapseShape {
  readonly width: number;
  readonly fanIn: number;
  readonly experts: number;
}

/** Links to each neuron at a density: `min(D, max(1, ceil(density D)))`. */
export function fanInOf(width: number, density: number): number {
  // Ten digits: 0.07 of 100 are 7 links, though the product is a little more than 7.
  return Math.min(width, Math.max(1, Math.ceil(Number((density * width).toPrecision(10)))));
}

export function blocksOf({ width }: Pick<SynapseShape, 'width'>): number {
  return Math.ceil(width / SYNAPSE_BLOCK);
}

/** Shape of the `u32` tensor with the weights of all experts. */
export function weightShape(shape: SynapseShape): [number, number] {
  return [shape.experts, (blocksOf(shape) * shape.fanIn * SYNAPSE_BLOCK) / 4];
}

/** Shape of the `u32` tensor with an offset and a stride for each block of each expert. */
export function topologyShape(shape: SynapseShape): [number, number] {
  return [shape.experts, 2 * blocksOf(shape)];
}

/** Shape of the `u32` tensor that says where the links from each neuron lie. */
export function fanOutShape({ experts, width, fanIn }: SynapseShape): [number, number] {
  return [experts, width + 1 + width * fanIn];
}

/**
 * Where the links of each neuron come from: link p of neuron i is from `(o_i + s_i p) mod D`. Neurons of a
 * block have one stride, which is coprime to D so that no source repeats, and offsets in a row, so
 * that link p of 16 neurons reads 16 neighbours. Both are drawn from the seed and never change.
 */
export function drawTopology(shape: SynapseShape, seed: number, stream: number): Uint32Array {
  const { width } = shape;
  const topology = new Uint32Array(shape.experts * 2 * blocksOf(shape));
  for (let block = 0; 2 * block < topology.length; block++) {
    const draw = (place: number) =>
      philox([block, place, stream, TOPOLOGY_STREAM], keyOf(seed))[0] as number;
    topology[2 * block] = draw(0) % width;
    let stride = 0;
    for (let place = 1; commonDivisor(stride, width) !== 1; place++) stride = draw(place) % width;
    topology[2 * block + 1] = stride;
  }
  return topology;
}

/** 1 where the numbers are coprime; that of 0 and 1 is 1: a lone neuron is its own source. */
function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

/** First weights, uniform from -127 to 127; bytes in the places of neurons that are not there are zero. */
export function drawSynapses(shape: SynapseShape, seed: number, stream: number): Uint32Array {
  const [experts, words] = weightShape(shape);
  const packed = new Uint32Array(experts * words);
  const bytes = new Int8Array(packed.buffer);
  forEachLink(shape, ({ place }) => {
    const [word = 0] = philox([place, 0, stream, WEIGHT_STREAM], keyOf(seed));
    bytes[place] = Math.floor((word / 2 ** 32) * (2 * MAX_WEIGHT + 1)) - MAX_WEIGHT;
  });
  return packed;
}

interface Link {
  readonly expert: number;
  /** Postsynaptic neuron. */
  readonly neuron: number;
  /** Number among its links. */
  readonly index: number;
  /** Byte of its weight. */
  readonly place: number;
}

/** Calls `visit` for every link, neuron by neuron. */
export function forEachLink(shape: SynapseShape, visit: (link: Link) => void): void {
  const { experts, width, fanIn } = shape;
  const blocks = blocksOf(shape);
  for (let expert = 0; expert < experts; expert++) {
    for (let neuron = 0; neuron < width; neuron++) {
      const block = expert * blocks + Math.floor(neuron / SYNAPSE_BLOCK);
      for (let index = 0; index < fanIn; index++) {
        const place = (block * fanIn + index) * SYNAPSE_BLOCK + (neuron % SYNAPSE_BLOCK);
        visit({ expert, neuron, index, place });
      }
    }
  }
}

/** The neuron that a link comes from. */
export function sourceOfLink(
  shape: SynapseShape,
  topology: Uint32Array,
  { expert, neuron, index }: Link,
): number {
  const block = expert * blocksOf(shape) + Math.floor(neuron / SYNAPSE_BLOCK);
  const [offset = 0, stride = 0] = topology.subarray(2 * block);
  return (offset + (neuron % SYNAPSE_BLOCK) + stride * index) % shape.width;
}

/**
 * The same links by where they come from: for each expert, `width + 1` places where the links from a neuron
 * begin in the list that follows, which holds bytes of weights within the expert.
 */
export function listFanOut(shape: SynapseShape, topology: Uint32Array): Uint32Array {
  const { width } = shape;
  const [experts, words] = fanOutShape(shape);
  const bytes = 4 * weightShape(shape)[1];
  const list = new Uint32Array(experts * words);
  const startOf = (expert: number, neuron: number) => expert * words + neuron;
  forEachLink(shape, (link) => {
    const after = startOf(link.expert, sourceOfLink(shape, topology, link)) + 1;
    list[after] = (list[after] ?? 0) + 1;
  });
  for (let i = 0; i < list.length; i++) {
    const neuron = i % words;
    if (neuron >= 1 && neuron <= width) list[i] = (list[i] ?? 0) + (list[i - 1] ?? 0);
  }
  const next = list.slice();
  forEachLink(shape, (link) => {
    const from = startOf(link.expert, sourceOfLink(shape, topology, link));
    const at = next[from] ?? 0;
    next[from] = at + 1;
    list[startOf(link.expert, width + 1 + at)] = link.place - link.expert * bytes;
  });
  return list;
}

/** Throws unless topology and weights have the sizes of the shape. */
export function checkSynapses(
  name: string,
  shape: SynapseShape,
  { topology, weight }: { readonly topology: Uint32Array; readonly weight: Uint32Array },
): void {
  const sizes = [
    ['topology', topology.length, topologyShape(shape)],
    ['weights', weight.length, weightShape(shape)],
  ] as const;
  for (const [part, length, [experts, words]] of sizes) {
    if (length === experts * words) continue;
    throw new EngineError(
      'shape-mismatch',
      `${name}: the ${part} are ${length} words, expected ${experts * words}`,
    );
  }
}
