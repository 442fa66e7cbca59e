import type { Attributes } from '../../kernels/kernels.ts';
import { blocksOf, SYNAPSE_BLOCK, type SynapseShape } from '../../kernels/synapses.ts';
import { philox } from '../../random/philox.ts';
import { integerMembraneShape } from '../../kernels/neurons.ts';
import { parseSlot } from '../../kernels/slots.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import { at, bitAt, type ReferenceKernels, setBit } from './views.ts';

/** The bytes of packed weights. */
export function bytesOf(words: Uint32Array): Int8Array {
  return new Int8Array(words.buffer, words.byteOffset, words.byteLength);
}

/** Calls `visit` with the source and the byte of each link of an expert's neuron. */
function eachLink(
  shape: SynapseShape,
  topology: Uint32Array,
  [expert, neuron]: readonly [number, number],
  visit: (source: number, place: number) => void,
): void {
  const { width, fanIn } = shape;
  if (expert >= shape.experts) return;
  const block = expert * blocksOf(shape) + Math.floor(neuron / SYNAPSE_BLOCK);
  const lane = neuron % SYNAPSE_BLOCK;
  let source = (at(topology, 2 * block) + lane) % width;
  for (let p = 0; p < fanIn; p++) {
    visit(source, (block * fanIn + p) * SYNAPSE_BLOCK + lane);
    source = (source + at(topology, 2 * block + 1)) % width;
  }
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

/** Rounds halves to even, as shaders and WASM do. */
function roundEven(x: number): number {
  const floor = Math.floor(x);
  if (x - floor !== 0.5) return Math.round(x);
  return floor % 2 === 0 ? floor : floor + 1;
}

/**
 * One of the two whole numbers around x, at most 254 from 0: the farther from 0 with the chance by which x
 * is past the nearer, in 2^24ths, so that the mean over all words is x.
 */
function roundAtRandom(x: number, word: number): number {
  const scaled = Math.floor(Math.min(Math.abs(x), 254) * 2 ** 24);
  return Math.sign(x) * Math.floor((scaled + (word >>> 8)) / 2 ** 24);
}

const clip16 = (x: number) => Math.max(-0x8000, Math.min(0x7fff, x));
/** Currents beyond it saturate the membrane like this one. */
const MAX_DRIVE = 2 ** 20;

export const sparseKernels = {
  sparse_linear_forward: ({ f, u, optional }, attributes) => {
    const { rows, active, width, scale } = attributes;
    const [input, output, residual] = [f('input'), f('output'), optional('residual')];
    const bytes = bytesOf(u('weight'));
    for (let i = 0; i < active * rows * width; i++) {
      const [event, neuron] = [Math.floor(i / width), i % width];
      const row = (event % rows) * width;
      let sum = 0;
      eachLink(
        attributes,
        u('topology'),
        [at(u('experts'), event), neuron],
        (source, place) => (sum += (bytes[place] ?? Number.NaN) * at(input, row + source)),
      );
      output[i] = scale * sum + (residual ? at(residual, i) : 0);
    }
  },
  sparse_linear_backward: ({ f, u }, attributes) => {
    const { rows, active, width, scale, accumulate } = attributes;
    const [gradient, inputGradient] = [f('gradient'), f('inputGradient')];
    const bytes = bytesOf(u('weight'));
    if (!accumulate) inputGradient.fill(0);
    for (let i = 0; i < active * rows * width; i++) {
      const [event, neuron] = [Math.floor(i / width), i % width];
      const row = (event % rows) * width;
      const g = scale * at(gradient, i);
      eachLink(attributes, u('topology'), [at(u('experts'), event), neuron], (source, place) => {
        const to = row + source;
        inputGradient[to] = at(inputGradient, to) + (bytes[place] ?? Number.NaN) * g;
      });
    }
  },
  event_scan_forward: ({ f, u }, attributes) => {
    const { rows, active, experts, width, sequence, theta, gain, leak } = attributes;
    const [drive, bytes, words] = [f('drive'), bytesOf(u('weight')), wordsPerRow(width)];
    const spikes = u('spikes').fill(0);
    const current = new Int32Array(u('current').buffer, u('current').byteOffset);
    const pairs = integerMembraneShape(1, width)[1];
    for (let start = 0; start < rows; start += sequence) {
      const { slot, isFresh } = parseSlot(at(u('slots'), start / sequence));
      const size = experts * (pairs + words);
      const state = u('state').subarray(slot * size, (slot + 1) * size);
      if (isFresh) state.fill(0);
      for (let n = 0; n < sequence * active; n++) {
        const event = (n % active) * rows + start + Math.floor(n / active);
        const expert = at(u('experts'), event);
        if (expert >= experts) {
          current.fill(0, event * width, (event + 1) * width);
          continue;
        }
        const own = state.subarray(expert * (pairs + words), (expert + 1) * (pairs + words));
        const membrane = new Int16Array(own.buffer, own.byteOffset, 2 * pairs);
        const heard = own.slice(pairs);
        const fired = own.subarray(pairs).fill(0);
        for (let neuron = 0; neuron < width; neuron++) {
          let sum = 0;
          eachLink(attributes, u('topology'), [expert, neuron], (source, place) => {
            sum += bitAt(heard, words, 0, source) * (bytes[place] ?? Number.NaN);
          });
          const driven = Math.fround(theta * at(drive, event * width + neuron));
          const bounded = Math.max(-MAX_DRIVE, Math.min(MAX_DRIVE, driven));
          const total = roundEven(bounded) + gain * sum;
          current[event * width + neuron] = total;
          const v = clip16((((membrane[neuron] ?? 0) * leak) >> 8) + total);
          membrane[neuron] = v >= theta ? 0 : v;
          if (v < theta) continue;
          setBit(fired, words, 0, neuron);
          setBit(spikes, words, event, neuron);
        }
      }
    }
  },
  event_scan_backward: ({ f, u }, attributes) => {
    const { rows, active, experts, width, sequence, theta, gain } = attributes;
    const [gradient, bytes] = [f('gradient'), bytesOf(u('weight'))];
    const current = new Int32Array(u('current').buffer, u('current').byteOffset);
    for (let start = 0; start < rows; start += sequence) {
      const returned = Array.from({ length: experts }, () => new Float64Array(width));
      for (let n = sequence * active - 1; n >= 0; n--) {
        const event = (n % active) * rows + start + Math.floor(n / active);
        const expert = at(u('experts'), event);
        const back = returned[expert];
        if (!back) {
          gradient.fill(0, event * width, (event + 1) * width);
          continue;
        }
        const next = new Float64Array(width);
        for (let neuron = 0; neuron < width; neuron++) {
          const i = event * width + neuron;
          const s = sigmoid((current[i] ?? 0) / theta);
          const g = (at(gradient, i) + (gain / theta) * at(back, neuron)) * s * (1 - s);
          gradient[i] = g;
          eachLink(attributes, u('topology'), [expert, neuron], (source, place) => {
            next[source] = at(next, source) + (bytes[place] ?? Number.NaN) * g;
          });
        }
        returned[expert] = next;
      }
    }
  },
  expert_means: ({ f, u }, { rows, active, experts, width, sequence }) => {
    const [input, means, words] = [f('input'), f('means').fill(0), wordsPerRow(width)];
    const counts = new Float64Array(experts);
    let last = new Float64Array(experts);
    const add = (expert: number, part: number, neuron: number, value: number) => {
      const to = (expert * 3 + part) * width + neuron;
      means[to] = at(means, to) + value;
    };
    for (let n = 0; n < rows * active; n++) {
      const row = Math.floor(n / active);
      if (n % (sequence * active) === 0) last = new Float64Array(experts).fill(-1);
      const event = (n % active) * rows + row;
      const expert = at(u('experts'), event);
      if (expert >= experts) continue;
      const before = at(last, expert);
      counts[expert] = at(counts, expert) + 1;
      for (let neuron = 0; neuron < width; neuron++) {
        add(expert, 0, neuron, at(input, row * width + neuron));
        if (before >= 0) add(expert, 1, neuron, bitAt(u('spikes'), words, before, neuron));
        add(expert, 2, neuron, bitAt(u('spikes'), words, event, neuron));
      }
      last[expert] = event;
    }
    for (let i = 0; i < means.length; i++) {
      means[i] = at(means, i) / Math.max(1, at(counts, Math.floor(i / (3 * width))));
    }
  },
  hebbian_update: ({ f, u }, attributes: Attributes<'hebbian_update'>) => {
    const { experts, width, source: part, rate, stream } = attributes;
    const [means, bytes] = [f('means'), bytesOf(u('weight'))];
    const [step = 0, , low = 0, high = 0] = u('clock');
    if (at(f('scale'), 0) < 0) return;
    for (let i = 0; i < experts * width; i++) {
      const [expert, neuron] = [Math.floor(i / width), i % width];
      const post = at(means, (expert * 3 + 2) * width + neuron);
      eachLink(attributes, u('topology'), [expert, neuron], (source, place) => {
        const pre = at(means, (expert * 3 + part) * width + source);
        const move = Math.fround(Math.fround(Math.fround(rate) * pre) * post);
        const words = philox([place >> 2, stream, step, 0], [low, high]);
        const moved = (bytes[place] ?? 0) + roundAtRandom(move, at(words, place % 4));
        bytes[place] = Math.max(-127, Math.min(127, moved));
      });
    }
  },
} satisfies Partial<ReferenceKernels>;
