import type { Attributes } from '../../kernels/kernels.ts';
import { RELAXED_SLOPE } from '../../kernels/neurons.ts';
import { spikeReader } from './attention-kernels.ts';
import { surrogates } from './neuron-kernels.ts';
import { at, type ReferenceKernels } from './views.ts';

type Attention = Attributes<'carried_attention_forward'>;
type RelaxedLif = Attributes<'relaxed_lif_forward'>;

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

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

/** Runs relaxed neurons through all steps and reports each membrane above the threshold. */
function relax(
  current: Float64Array,
  { steps, rows, width, currentSteps, beta, threshold }: RelaxedLif,
  hardness: number,
  visit: (index: number, excess: number, spike: number) => void,
): void {
  const neurons = rows * width;
  for (let i = 0; i < neurons; i++) {
    let membrane = 0;
    let spike = 0;
    for (let t = 0; t < steps; t++) {
      const drive = at(current, currentSteps === 1 ? i : t * neurons + i);
      membrane = beta * membrane + drive - spike * threshold;
      const excess = membrane - threshold;
      spike = (1 - hardness) * sigmoid(RELAXED_SLOPE * excess) + hardness * (excess > 0 ? 1 : 0);
      visit(t * neurons + i, excess, spike);
    }
  }
}

/** State that a chunk of a longer text takes over from the chunks before it. */
const carriedKernels = {
  clear_sequences: ({ f, u }, { steps, batch, width }) => {
    for (let row = 0; row < steps * batch; row++) {
      if (at(u('begins'), row % batch) !== 0) f('state').fill(0, row * width, (row + 1) * width);
    }
  },
  last_tokens: ({ f }, { rows, width, sequence }) => {
    for (let row = 0; row < rows; row++) {
      const last = ((row + 1) * sequence - 1) * width;
      f('target').set(f('source').subarray(last, last + width), row * width);
    }
  },
  carried_shift_forward: ({ f }, { rows, width, sequence }) => {
    const output = f('output');
    for (let i = 0; i < rows * width; i++) {
      const to = Math.floor(i / width) * sequence * width + (i % width);
      output[to] = at(output, to) + (1 - at(f('mix'), i % width)) * at(f('previous'), i);
    }
  },
  carried_shift_backward: ({ f }, { rows, width, sequence }) => {
    for (let i = 0; i < rows * width; i++) {
      const from = Math.floor(i / width) * sequence * width + (i % width);
      f('change')[i] = -at(f('previous'), i) * at(f('gradient'), from);
    }
  },
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
  relaxed_lif_forward: ({ f, optional }, attributes) => {
    const beta = optional('decay')?.[0] ?? attributes.beta;
    relax(f('current'), { ...attributes, beta }, at(f('hardness'), 0), (index, _excess, spike) => {
      f('spikes')[index] = spike;
    });
  },
  relaxed_lif_backward: ({ f, optional }, attributes) => {
    const { steps, rows, width, currentSteps, surrogate } = attributes;
    const beta = optional('decay')?.[0] ?? attributes.beta;
    const hardness = at(f('hardness'), 0);
    const neurons = rows * width;
    const slopes = new Float64Array(steps * neurons);
    relax(f('current'), { ...attributes, beta }, hardness, (index, excess) => {
      const soft = sigmoid(RELAXED_SLOPE * excess);
      slopes[index] =
        (1 - hardness) * RELAXED_SLOPE * soft * (1 - soft) +
        hardness * surrogates[surrogate](excess);
    });
    const output = f('currentGradient').fill(0);
    for (let i = 0; i < neurons; i++) {
      let carried = 0;
      for (let index = (steps - 1) * neurons + i; index >= 0; index -= neurons) {
        carried = at(f('gradient'), index) * at(slopes, index) + beta * carried;
        const to = currentSteps === 1 ? i : index;
        output[to] = at(output, to) + carried;
      }
    }
  },
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
