import type { Surrogate } from '../../../engine/kernels/neurons.ts';
import { decayTable } from '../../../engine/ops/spike-attention.ts';
import type { Source } from '../random.ts';
import { bits, both, type CaseMakers, f32, numbers, u32 } from './operands.ts';

const SURROGATES: readonly Surrogate[] = ['atan', 'fast_sigmoid', 'sigmoid', 'triangle'];

export const chronospikeCases = {
  clear_sequences: (size, from) =>
    [
      { steps: 2, batch: 3, width: size },
      { steps: 1, batch: size, width: 5 },
    ].map((attributes) => ({
      name: JSON.stringify(attributes),
      kernel: 'clear_sequences',
      operands: {
        begins: u32([attributes.batch], from.integers(attributes.batch, 2)),
        state: numbers([attributes.steps, attributes.batch, attributes.width], from),
      },
      attributes,
    })),
  last_tokens: (size, from) =>
    shifts(size).map(({ rows, width, sequence }) => ({
      name: `${rows} sequences of ${sequence} x ${width}`,
      kernel: 'last_tokens',
      operands: {
        source: numbers([rows * sequence, width], from),
        target: numbers([rows, width], from),
      },
      attributes: { rows, width, sequence },
    })),
  carried_shift_forward: (size, from) =>
    shifts(size).map(({ rows, width, sequence }) => ({
      name: `${rows} sequences of ${sequence} x ${width}`,
      kernel: 'carried_shift_forward',
      operands: {
        previous: numbers([rows, width], from),
        mix: numbers([width], from),
        output: numbers([rows * sequence, width], from),
      },
      attributes: { rows, width, sequence },
    })),
  carried_shift_backward: (size, from) =>
    shifts(size).map(({ rows, width, sequence }) => ({
      name: `${rows} sequences of ${sequence} x ${width}`,
      kernel: 'carried_shift_backward',
      operands: {
        previous: numbers([rows, width], from),
        gradient: numbers([rows * sequence, width], from),
        change: numbers([rows, width], from),
      },
      attributes: { rows, width, sequence },
    })),
  carried_attention_forward: (size, from) =>
    chunks(size, from).map(({ name, qkv, decay, state, attributes, rows, width }) => ({
      name,
      kernel: 'carried_attention_forward',
      operands: { qkv, decay, state, output: numbers([rows, width], from) },
      attributes,
    })),
  carried_attention_backward: (size, from) =>
    chunks(size, from).map(({ name, decay, state, attributes, rows, width }) => ({
      name,
      kernel: 'carried_attention_backward',
      operands: {
        decay,
        state,
        gradient: numbers([rows, width], from),
        qkvGradient: numbers([rows, 3 * width], from),
      },
      attributes,
    })),
  carried_attention_update: (size, from) =>
    chunks(size, from).map(({ name, qkv, decay, state, attributes }) => ({
      name,
      kernel: 'carried_attention_update',
      operands: { qkv, decay, state },
      attributes,
    })),
  relaxed_lif_forward: (size, from) =>
    relaxed(size, from).map(({ name, current, hardness, decay, attributes }) => ({
      name,
      kernel: 'relaxed_lif_forward',
      operands: {
        current,
        hardness,
        spikes: numbers([attributes.steps, attributes.rows, attributes.width], from),
        ...decay,
      },
      attributes,
    })),
  relaxed_lif_backward: (size, from) =>
    relaxed(size, from).map(({ name, current, hardness, decay, attributes }, index) => ({
      name,
      kernel: 'relaxed_lif_backward',
      operands: {
        current,
        hardness,
        gradient: numbers([attributes.steps, attributes.rows, attributes.width], from),
        currentGradient: numbers(current.shape.slice(), from),
        ...decay,
      },
      attributes: { ...attributes, surrogate: SURROGATES[index % SURROGATES.length]! },
    })),
  decay_scores: (size, from) => {
    const sequence = Math.min(size, 65);
    const heads = 3;
    return [
      {
        name: `${sequence} tokens`,
        kernel: 'decay_scores',
        operands: {
          decay: f32([heads, sequence], decayTable([2, 5, 8], 4, sequence)),
          scores: numbers([2 * heads * sequence, sequence], from),
        },
        attributes: { rows: 2 * heads * sequence, sequence, heads },
      },
    ];
  },
} satisfies Partial<CaseMakers>;

const shifts = (size: number) => [
  { rows: 4, width: size, sequence: 3 },
  { rows: size, width: 5, sequence: 1 },
  { rows: 2, width: 7, sequence: Math.min(size, 65) },
];

/** Heads of one word and of several, chunks of one token and of many. */
function chunks(size: number, from: Source) {
  const shapes = [
    { steps: 2, batch: 2, sequence: Math.min(size, 17), heads: 3, headWidth: 8 },
    { steps: 1, batch: 1, sequence: Math.min(size, 65), heads: 2, headWidth: 5 },
    { steps: 1, batch: 2, sequence: 6, heads: 2, headWidth: Math.min(size, 65) },
  ];
  return shapes.map((attributes) => {
    const { steps, batch, sequence, heads, headWidth } = attributes;
    const rows = steps * batch * sequence;
    const tau = Array.from({ length: heads }, (_, head) => 2 + 3 * head);
    return {
      name: JSON.stringify(attributes),
      qkv: bits([rows, 3 * heads * headWidth], from),
      decay: f32([heads, sequence + 1], decayTable(tau, headWidth, sequence + 1)),
      state: numbers([steps, batch, heads, headWidth, headWidth], from),
      attributes,
      rows,
      width: heads * headWidth,
    };
  });
}

/** Currents of each step and held ones, spikes that are hard, soft and between, a beta that moves. */
function relaxed(size: number, from: Source) {
  const shapes = [
    { steps: 4, rows: 3, width: size, currentSteps: 4 },
    { steps: 3, rows: size, width: 5, currentSteps: 1 },
  ];
  return shapes.flatMap((shape, index) =>
    both.map((moves) => {
      const attributes = { ...shape, beta: 0.8, threshold: 1 };
      const hardness = [0, 0.4, 1, 0.7][2 * index + Number(moves)]!;
      return {
        name: JSON.stringify({ ...attributes, hardness, moves }),
        current: numbers([shape.currentSteps, shape.rows, shape.width], from, -0.5, 1.6),
        hardness: f32([1], Float32Array.of(hardness)),
        decay: moves ? { decay: f32([1], Float32Array.of(0.65)) } : {},
        attributes,
      };
    }),
  );
}
