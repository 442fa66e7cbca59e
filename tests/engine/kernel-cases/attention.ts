import { decayTable } from '../../../engine/ops/spike-attention.ts';
import type { Source } from '../random.ts';
import { bits, type CaseMakers, f32, numbers, slotWords } from './operands.ts';

/** Heads of one word and of several, sequences of one token and of many. */
export const attentionCases = {
  spike_attention_forward: (size, from) =>
    sequences(size, from).map(({ name, qkv, decay, attributes, rows, width }) => ({
      name,
      kernel: 'spike_attention_forward',
      operands: { qkv, decay, output: numbers([rows, width], from) },
      attributes,
    })),
  spike_attention_backward_scores: (size, from) =>
    sequences(size, from).map(({ name, qkv, decay, attributes, rows, width, scores }) => ({
      name,
      kernel: 'spike_attention_backward_scores',
      operands: {
        qkv,
        decay,
        gradient: numbers([rows, width], from),
        scoreGradient: numbers(scores, from),
      },
      attributes,
    })),
  spike_attention_backward: (size, from) =>
    sequences(size, from).map(({ name, qkv, decay, attributes, rows, width, scores }) => ({
      name,
      kernel: 'spike_attention_backward',
      operands: {
        qkv,
        decay,
        gradient: numbers([rows, width], from),
        scoreGradient: causal(scores, from),
        qkvGradient: numbers([rows, 3 * width], from),
      },
      attributes,
    })),
  spike_attention_step: (size, from) => {
    const headWidth = Math.min(size, 65);
    const [steps, batch, heads, slots] = [2, 3, 2, 4];
    const width = heads * headWidth;
    return [
      {
        name: `heads of ${headWidth}`,
        kernel: 'spike_attention_step',
        operands: {
          qkv: bits([steps * batch, 3 * width], from),
          decay: f32([heads, 2], decayTable([2, 9], headWidth, 2)),
          slots: slotWords({ rows: batch, slots }, from),
          state: numbers([steps, slots, heads, headWidth, headWidth], from),
          output: numbers([steps * batch, width], from),
        },
        attributes: { steps, batch, heads, headWidth, slots },
      },
    ];
  },
} satisfies Partial<CaseMakers>;

function sequences(size: number, from: Source) {
  const sequence = Math.min(size, 65);
  const shapes = [
    { steps: 2, batch: 2, sequence: Math.min(size, 17), heads: 3, headWidth: 8 },
    { steps: 1, batch: 1, sequence, heads: 2, headWidth: 5 },
    { steps: 1, batch: 2, sequence: 6, heads: 2, headWidth: Math.min(size, 65) },
  ];
  return shapes.map((attributes) => {
    const { steps, batch, heads, headWidth } = attributes;
    const rows = steps * batch * attributes.sequence;
    const width = heads * headWidth;
    const tau = Array.from({ length: heads }, (_, h) => 2 + 3 * h);
    return {
      name: JSON.stringify(attributes),
      qkv: bits([rows, 3 * width], from),
      decay: f32([heads, attributes.sequence], decayTable(tau, headWidth, attributes.sequence)),
      scores: [steps, batch, heads, attributes.sequence, attributes.sequence],
      attributes,
      rows,
      width,
    };
  });
}

/** Random scores `[…, sequence, sequence]` of each token and those before it; zero of those behind. */
function causal(shape: number[], from: Source) {
  const scores = numbers(shape, from);
  const sequence = shape.at(-1)!;
  const isFuture = (index: number) => index % sequence > Math.floor(index / sequence) % sequence;
  return f32(
    shape,
    (scores.data as Float32Array).map((x, i) => (isFuture(i) ? 0 : x)),
  );
}
