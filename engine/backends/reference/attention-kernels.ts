import { wordsPerRow } from '../../graph/tensor.ts';
import { parseSlot } from '../../kernels/slots.ts';
import { at, bitAt, type ReferenceKernels } from './views.ts';

interface Heads {
  readonly heads: number;
  readonly headWidth: number;
}

/** Reads one spike of query (part 0), key (1) or value (2) from rows that hold the three side by side. */
export function spikeReader(qkv: Uint32Array, { heads, headWidth }: Heads) {
  const width = heads * headWidth;
  const words = wordsPerRow(3 * width);
  return (row: number, part: 0 | 1 | 2, head: number, feature: number) =>
    bitAt(qkv, words, row, part * width + head * headWidth + feature);
}

function matches(
  spike: ReturnType<typeof spikeReader>,
  { headWidth }: Heads,
  head: number,
  [queryRow, keyRow]: readonly [number, number],
): number {
  let count = 0;
  for (let d = 0; d < headWidth; d++) {
    count += spike(queryRow, 0, head, d) * spike(keyRow, 1, head, d);
  }
  return count;
}

interface Axes {
  readonly batch: number;
  readonly sequence: number;
  readonly heads: number;
}

interface Pair {
  /** First row of the sequence. */
  readonly start: number;
  readonly head: number;
  /** Positions of the query and of a key that is not after it. */
  readonly i: number;
  readonly j: number;
  /** Index of their score. */
  readonly score: number;
}

/** Calls `visit` for every query and every key that is not after it, of every head and sequence of every step. */
function eachPair(
  {
    steps = 1,
    batch,
    sequence,
    heads,
  }: Pick<Axes, 'batch' | 'sequence' | 'heads'> & { steps?: number },
  visit: (pair: Pair) => void,
): void {
  for (let s = 0; s < steps * batch; s++) {
    for (let head = 0; head < heads; head++) {
      for (let i = 0; i < sequence; i++) {
        const row = ((s * heads + head) * sequence + i) * sequence;
        for (let j = 0; j <= i; j++) visit({ start: s * sequence, head, i, j, score: row + j });
      }
    }
  }
}

export const attentionKernels = {
  spike_attention_forward: ({ f, u }, attributes) => {
    const { heads, headWidth, sequence } = attributes;
    const spike = spikeReader(u('qkv'), attributes);
    const output = f('output').fill(0);
    eachPair(attributes, ({ start, head, i, j }) => {
      const score = matches(spike, attributes, head, [start + i, start + j]);
      const weight = score * at(f('decay'), head * sequence + i - j);
      for (let d = 0; d < headWidth; d++) {
        const to = ((start + i) * heads + head) * headWidth + d;
        output[to] = at(output, to) + weight * spike(start + j, 2, head, d);
      }
    });
  },
  spike_attention_backward_scores: ({ f, u }, attributes) => {
    const { heads, headWidth, sequence } = attributes;
    const spike = spikeReader(u('qkv'), attributes);
    const target = f('scoreGradient').fill(0);
    eachPair(attributes, ({ start, head, i, j, score }) => {
      let sum = 0;
      for (let d = 0; d < headWidth; d++) {
        const from = ((start + i) * heads + head) * headWidth + d;
        sum += at(f('gradient'), from) * spike(start + j, 2, head, d);
      }
      target[score] = sum * at(f('decay'), head * sequence + i - j);
    });
  },
  spike_attention_backward: ({ f, u }, attributes) => {
    const { heads, headWidth, sequence } = attributes;
    const spike = spikeReader(u('qkv'), attributes);
    const width = heads * headWidth;
    const target = f('qkvGradient').fill(0);
    const add = (row: number, part: number, feature: number, value: number) => {
      const to = row * 3 * width + part * width + feature;
      target[to] = at(target, to) + value;
    };
    eachPair(attributes, ({ start, head, i, j, score }) => {
      const change = at(f('scoreGradient'), score);
      const common = matches(spike, attributes, head, [start + i, start + j]);
      const weight = common * at(f('decay'), head * sequence + i - j);
      for (let d = 0; d < headWidth; d++) {
        const feature = head * headWidth + d;
        add(start + i, 0, feature, change * spike(start + j, 1, head, d));
        add(start + j, 1, feature, change * spike(start + i, 0, head, d));
        add(start + j, 2, feature, weight * at(f('gradient'), (start + i) * width + feature));
      }
    });
  },
  spike_attention_step: ({ f, u }, attributes) => {
    const { steps, batch, heads, headWidth, slots } = attributes;
    const spike = spikeReader(u('qkv'), attributes);
    const state = f('state');
    const output = f('output').fill(0);
    for (let row = 0; row < steps * batch; row++) {
      const { slot, isFresh } = parseSlot(at(u('slots'), row % batch));
      const kept = Math.floor(row / batch) * slots + slot;
      for (let head = 0; head < heads; head++) {
        const base = at(f('decay'), 2 * head);
        const keep = isFresh ? 0 : at(f('decay'), 2 * head + 1) / base;
        for (let d = 0; d < headWidth; d++) {
          for (let e = 0; e < headWidth; e++) {
            const cell = ((kept * heads + head) * headWidth + d) * headWidth + e;
            const joint = spike(row, 1, head, d) * spike(row, 2, head, e);
            state[cell] = keep * at(state, cell) + joint;
            const to = (row * heads + head) * headWidth + e;
            output[to] = at(output, to) + spike(row, 0, head, d) * at(state, cell) * base;
          }
        }
      }
    }
  },
  attention_scores: ({ f, optional }, attributes) => {
    const { headWidth, factor, queryStride, queryOffset, keyStride, keyOffset } = attributes;
    const queries = f('queries');
    const keys = optional('keys') ?? queries;
    const scores = f('scores').fill(0);
    eachPair(attributes, ({ start, head, i, j, score }) => {
      const query = (start + i) * queryStride + queryOffset + head * headWidth;
      const key = (start + j) * keyStride + keyOffset + head * headWidth;
      let sum = 0;
      for (let d = 0; d < headWidth; d++) sum += at(queries, query + d) * at(keys, key + d);
      scores[score] = factor * sum;
    });
  },
  causal_softmax_forward: ({ f }, { rows, width }) => {
    for (let r = 0; r < rows; r++) {
      const row = f('weights').subarray(r * width, (r + 1) * width);
      const seen = row.subarray(0, (r % width) + 1);
      const largest = seen.reduce((a, b) => Math.max(a, b), -Infinity);
      const powers = seen.map((score) => Math.exp(score - largest));
      const total = powers.reduce((a, b) => a + b, 0);
      row.fill(0).set(powers.map((power) => power / total));
    }
  },
  attention_values: ({ f }, attributes) => {
    const { batch, sequence, heads, headWidth, factor, transpose } = attributes;
    const { valueStride, valueOffset, outputStride, outputOffset } = attributes;
    const output = f('output');
    const placeOf = (row: number, head: number) =>
      row * outputStride + outputOffset + head * headWidth;
    for (let row = 0; row < batch * sequence; row++) {
      const first = placeOf(row, 0);
      output.fill(0, first, first + heads * headWidth);
    }
    eachPair(attributes, ({ start, head, i, j, score }) => {
      const [to, from] = transpose ? [j, i] : [i, j];
      const value = (start + from) * valueStride + valueOffset + head * headWidth;
      const place = placeOf(start + to, head);
      const weight = factor * at(f('weights'), score);
      for (let d = 0; d < headWidth; d++) {
        output[place + d] = at(output, place + d) + weight * at(f('values'), value + d);
      }
    });
  },
  cached_attention: ({ f, u }, { rows, heads, headWidth, sequence, factor }) => {
    const width = heads * headWidth;
    const [qkv, cache] = [f('qkv'), f('cache')];
    const output = f('output').fill(0);
    for (let item = 0; item < rows * heads; item++) {
      const [row, head] = [Math.floor(item / heads), item % heads];
      const cell = at(u('cells'), row);
      const first = cell - (cell % sequence);
      const query = row * 3 * width + head * headWidth;
      const place = (j: number) => (first + j) * 2 * width + head * headWidth;
      const scores = Array.from({ length: cell - first + 1 }, (_, j) => {
        let sum = 0;
        for (let d = 0; d < headWidth; d++) sum += at(qkv, query + d) * at(cache, place(j) + d);
        return factor * sum;
      });
      const largest = Math.max(...scores);
      const powers = scores.map((score) => Math.exp(score - largest));
      const total = powers.reduce((a, b) => a + b, 0);
      for (const [j, power] of powers.entries()) {
        for (let d = 0; d < headWidth; d++) {
          const to = row * width + head * headWidth + d;
          output[to] = at(output, to) + (power / total) * at(cache, place(j) + width + d);
        }
      }
    }
  },
} satisfies Partial<ReferenceKernels>;
