import type { Attributes } from '../../kernels/kernels.ts';
import { spikeReader } from './attention-kernels.ts';
import { at, type ReferenceKernels } from './views.ts';

type Attention = Attributes<'carried_attention_forward'>;

/** Calls `visit` for every head of every sequence, with where its state, its tokens and its decay begin. */
function eachHead(
  { steps, batch, sequence, heads, headWidth }: Attention,
  visit: (place: { head: number; start: number; state: number; decay: number }) => void,
): void {
  for (let i = 0; i < steps * batch * heads; i++) {
    const head = i % heads;
    visit({
      head,
      start: Math.floor(i / heads) * sequence,
      state: i * headWidth ** 2,
      decay: head * (sequence + 1),
    });
  }
}

/** State that a chunk of a longer text takes over from the chunks before it. */
const carriedKernels = {
  carried_attention_forward: ({ f, u }, attributes) => {
    const { heads, headWidth, sequence } = attributes;
    const spike = spikeReader(u('qkv'), attributes);
    const output = f('output');
    eachHead(attributes, ({ head, start, state, decay }) => {
      for (let i = 0; i < sequence; i++) {
        for (let e = 0; e < headWidth; e++) {
          let sum = 0;
          for (let d = 0; d < headWidth; d++) {
            sum += spike(start + i, 0, head, d) * at(f('state'), state + d * headWidth + e);
          }
          const to = ((start + i) * heads + head) * headWidth + e;
          output[to] = at(output, to) + sum * at(f('decay'), decay + i + 1);
        }
      }
    });
  },
  carried_attention_backward: ({ f }, attributes) => {
    const { heads, headWidth, sequence } = attributes;
    const target = f('qkvGradient');
    eachHead(attributes, ({ head, start, state, decay }) => {
      for (let i = 0; i < sequence; i++) {
        for (let d = 0; d < headWidth; d++) {
          let sum = 0;
          for (let e = 0; e < headWidth; e++) {
            const from = ((start + i) * heads + head) * headWidth + e;
            sum += at(f('state'), state + d * headWidth + e) * at(f('gradient'), from);
          }
          const to = ((start + i) * 3 * heads + head) * headWidth + d;
          target[to] = at(target, to) + sum * at(f('decay'), decay + i + 1);
        }
      }
    });
  },
  carried_attention_update: ({ f, u }, attributes) => {
    const { headWidth, sequence } = attributes;
    const spike = spikeReader(u('qkv'), attributes);
    const values = f('state');
    eachHead(attributes, ({ head, start, state, decay }) => {
      const kept = (distance: number) => at(f('decay'), decay + distance) / at(f('decay'), decay);
      for (let cell = 0; cell < headWidth ** 2; cell++) {
        const d = Math.floor(cell / headWidth);
        let sum = kept(sequence) * at(values, state + cell);
        for (let j = 0; j < sequence; j++) {
          const joint = spike(start + j, 1, head, d) * spike(start + j, 2, head, cell % headWidth);
          sum += kept(sequence - 1 - j) * joint;
        }
        values[state + cell] = sum;
      }
    });
  },
} satisfies Partial<ReferenceKernels>;

/** Spikes between 0 and 1, for the beginning of training. */
const relaxedKernels = {
  decay_scores: ({ f }, { rows, sequence, heads }) => {
    const scores = f('scores');
    for (let row = 0; row < rows; row++) {
      const i = row % sequence;
      const head = Math.floor(row / sequence) % heads;
      for (let j = 0; j < sequence; j++) {
        const factor = j > i ? 0 : at(f('decay'), head * sequence + i - j);
        scores[row * sequence + j] = factor * at(scores, row * sequence + j);
      }
    }
  },
} satisfies Partial<ReferenceKernels>;

export const chronospikeKernels = { ...carriedKernels, ...relaxedKernels };
