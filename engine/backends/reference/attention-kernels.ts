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

/** Calls `visit` for every query position i and every key position j <= i of every head and sequence. */
function eachPair(
  { steps, batch, sequence, heads }: Heads & { steps: number; batch: number; sequence: number },
  visit: (pair: { start: number; head: number; i: number; j: number; scores: number }) => void,
): void {
  for (let s = 0; s < steps * batch; s++) {
    for (let head = 0; head < heads; head++) {
      const scores = (s * heads + head) * sequence * sequence;
      for (let i = 0; i < sequence; i++) {
        for (let j = 0; j <= i; j++) visit({ start: s * sequence, head, i, j, scores });
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
    eachPair(attributes, ({ start, head, i, j, scores }) => {
      let sum = 0;
      for (let d = 0; d < headWidth; d++) {
        const from = ((start + i) * heads + head) * headWidth + d;
        sum += at(f('gradient'), from) * spike(start + j, 2, head, d);
      }
      target[scores + i * sequence + j] = sum * at(f('decay'), head * sequence + i - j);
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
    eachPair(attributes, ({ start, head, i, j, scores }) => {
      const score = at(f('scoreGradient'), scores + i * sequence + j);
      const common = matches(spike, attributes, head, [start + i, start + j]);
      const weight = common * at(f('decay'), head * sequence + i - j);
      for (let d = 0; d < headWidth; d++) {
        const feature = head * headWidth + d;
        add(start + i, 0, feature, score * spike(start + j, 1, head, d));
        add(start + j, 1, feature, score * spike(start + i, 0, head, d));
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
} satisfies Partial<ReferenceKernels>;

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
