import { decayTable } from '../../engine/ops/spike-attention.ts';
import type { KernelAttributes, KernelName, Surrogate } from '../../engine/graph/kernel-table.ts';
import { wordCount } from '../../engine/graph/tensor.ts';
import type { KernelCase, OperandData } from './play.ts';
import { randomSource, type Source } from './random.ts';

type Case<K extends KernelName> = KernelCase<K> & { readonly name: string };
type CaseMaker<K extends KernelName> = (size: number, from: Source) => Case<K>[];

/** Relative to 1 + magnitude. Sums of a thousand float32 terms lose a few of their last bits. */
const TOLERANCE = 2e-5;
const SURROGATES: readonly Surrogate[] = ['atan', 'fast_sigmoid', 'sigmoid', 'triangle'];

const f32 = (shape: number[], data: Float32Array): OperandData => ({ dtype: 'f32', shape, data });
const u32 = (shape: number[], data: Uint32Array): OperandData => ({ dtype: 'u32', shape, data });
const bits = (shape: number[], from: Source, density?: number): OperandData => {
  const width = shape.at(-1)!;
  const rows = shape.slice(0, -1).reduce((a, b) => a * b, 1);
  return { dtype: 'bits', shape, data: from.spikes(rows, width, density) };
};
const numbers = (shape: number[], from: Source, low = -1, high = 1): OperandData =>
  f32(shape, from.floats(wordCount({ dtype: 'f32', shape }), low, high));
const emptyBits = (shape: number[]): OperandData => ({
  dtype: 'bits',
  shape,
  data: new Uint32Array(wordCount({ dtype: 'bits', shape })),
});
const clock = (step: number, slot: number, seed: number): OperandData =>
  u32([4], Uint32Array.of(step, slot, seed, 7));
const both = [false, true] as const;

/** For every kernel: cases of a size, with odd shapes derived from it. */
export const kernelCases: { readonly [K in KernelName]: CaseMaker<K> } = {
  fill: (count, from) => [
    {
      name: 'fill',
      kernel: 'fill',
      operands: { target: numbers([count], from) },
      attributes: { count, value: 0.5 },
    },
  ],
  add: (count, from) => [
    {
      name: 'add',
      kernel: 'add',
      operands: { addend: numbers([count], from), target: numbers([count], from) },
      attributes: { count },
    },
  ],
  copy: (count, from) => [
    {
      name: 'copy',
      kernel: 'copy',
      operands: { source: numbers([count], from), target: numbers([count], from) },
      attributes: { count },
    },
  ],
  sum_steps: (count, from) =>
    both.map((accumulate) => ({
      name: `accumulate ${accumulate}`,
      kernel: 'sum_steps',
      operands: { source: numbers([3, count], from), target: numbers([count], from) },
      attributes: { count, steps: 3, accumulate },
    })),
  mean_steps_forward: (count, from) => [
    {
      name: 'mean',
      kernel: 'mean_steps_forward',
      operands: { source: numbers([5, count], from), target: numbers([count], from) },
      attributes: { count, steps: 5 },
    },
  ],
  mean_steps_backward: (count, from) =>
    both.map((accumulate) => ({
      name: `accumulate ${accumulate}`,
      kernel: 'mean_steps_backward',
      operands: { gradient: numbers([count], from), target: numbers([5, count], from) },
      attributes: { count, steps: 5, accumulate },
    })),
  reduce_rows: (width, from) =>
    both.map((accumulate) => ({
      name: `accumulate ${accumulate}`,
      kernel: 'reduce_rows',
      operands: { partial: numbers([7, width], from), total: numbers([width], from) },
      attributes: { rows: 7, width, accumulate },
    })),
  column_sum: (size, from) =>
    [
      { rows: size, width: 3 },
      { rows: 5, width: size },
    ].map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'column_sum',
      operands: {
        source: numbers([rows, width], from),
        partial: numbers([Math.ceil(rows / 64), width], from),
      },
      attributes: { rows, width, chunk: 64 },
    })),

  embedding_forward: (size, from) => [embeddingCase('embedding_forward', size, from)],
  embedding_backward: (size, from) => {
    const { attributes, operands } = embeddingCase('embedding_forward', size, from);
    const { rows, width } = attributes;
    return [
      {
        name: 'backward',
        kernel: 'embedding_backward',
        operands: {
          ids: operands.ids,
          chain: u32([rows], chainOf(operands.ids.data as Uint32Array)),
          gradient: numbers([rows, width], from),
          tableGradient: numbers(operands.table.shape as number[], from),
        },
        attributes,
      },
    ];
  },
  token_chain: (rows, from) => [
    {
      name: 'chain',
      kernel: 'token_chain',
      operands: {
        ids: u32([rows], from.integers(rows, 9)),
        chain: u32([rows], new Uint32Array(rows)),
      },
      attributes: { rows },
    },
  ],

  linear_forward: (size, from) =>
    products(size).flatMap(({ rows, columns, depth }) =>
      both.map((epilogue) => ({
        name: `${rows} x ${depth} x ${columns}, epilogue ${epilogue}`,
        kernel: 'linear_forward' as const,
        operands: {
          input: numbers([rows, depth], from),
          weight: numbers([depth, columns], from),
          output: numbers([rows, columns], from),
          ...(epilogue && {
            bias: numbers([columns], from),
            residual: numbers([1, columns], from),
          }),
        },
        attributes: { rows, columns, depth, residualRows: 1 },
      })),
    ),
  linear_backward_input: (size, from) =>
    products(size).flatMap(({ rows, columns, depth }) =>
      both.map((accumulate) => ({
        name: `${rows} x ${depth} x ${columns}, accumulate ${accumulate}`,
        kernel: 'linear_backward_input' as const,
        operands: {
          gradient: numbers([rows, depth], from),
          weight: numbers([columns, depth], from),
          inputGradient: numbers([rows, columns], from),
        },
        attributes: { rows, columns, depth, accumulate },
      })),
    ),
  linear_backward_weight: (size, from) =>
    products(size).flatMap(({ rows, columns, depth }) =>
      both.map((accumulate) => ({
        name: `${rows} x ${depth} x ${columns}, accumulate ${accumulate}`,
        kernel: 'linear_backward_weight' as const,
        operands: {
          input: numbers([depth, rows], from),
          gradient: numbers([depth, columns], from),
          weightGradient: numbers([rows, columns], from),
        },
        attributes: { rows, columns, depth, accumulate },
      })),
    ),
  spike_linear_forward: (size, from) =>
    products(size).flatMap(({ rows, columns, depth }) =>
      [0, 0.2, 1].map((density) => ({
        name: `${rows} x ${depth} x ${columns}, density ${density}`,
        kernel: 'spike_linear_forward' as const,
        operands: {
          spikes: bits([rows, depth], from, density),
          weight: numbers([depth, columns], from),
          output: numbers([rows, columns], from),
          ...(density > 0 && {
            bias: numbers([columns], from),
            residual: numbers([rows, columns], from),
          }),
        },
        attributes: { rows, columns, depth, residualRows: rows, accumulate: density === 0.2 },
      })),
    ),
  transpose_bits: (size, from) =>
    [
      { rows: size, width: 70 },
      { rows: 33, width: size },
    ].map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'transpose_bits',
      operands: { spikes: bits([rows, width], from), transposed: emptyBits([width, rows]) },
      attributes: { rows, width },
    })),

  lif_forward: (size, from) =>
    lifCases(size, from).map(({ current, attributes }) => ({
      name: `T ${attributes.steps} from ${attributes.currentSteps}`,
      kernel: 'lif_forward',
      operands: {
        current,
        spikes: emptyBits([attributes.steps, attributes.rows, attributes.width]),
      },
      attributes,
    })),
  lif_backward: (size, from) =>
    lifCases(size, from).flatMap(({ current, attributes }) =>
      SURROGATES.map((surrogate) => ({
        name: `T ${attributes.steps} from ${attributes.currentSteps}, ${surrogate}`,
        kernel: 'lif_backward' as const,
        operands: {
          current,
          spikeGradient: numbers([attributes.steps, attributes.rows, attributes.width], from),
          currentGradient: numbers(current.shape as number[], from),
        },
        attributes: { ...attributes, surrogate },
      })),
    ),
  lif_membrane: (size, from) =>
    lifCases(size, from).map(({ current, attributes }) => ({
      name: `T ${attributes.steps} from ${attributes.currentSteps}`,
      kernel: 'lif_membrane',
      operands: {
        current,
        membrane: numbers([attributes.steps, attributes.rows, attributes.width], from),
      },
      attributes,
    })),
  spike_count: (size, from) =>
    [
      { rows: size, width: 33 },
      { rows: 65, width: size },
    ].map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'spike_count',
      operands: {
        spikes: bits([rows, width], from),
        counts: u32([width], from.integers(width, 10)),
      },
      attributes: { rows, width },
    })),

  layer_norm_forward: (size, from) =>
    rowShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'layer_norm_forward',
      operands: {
        input: numbers([rows, width], from, -3, 5),
        gain: numbers([width], from),
        offset: numbers([width], from),
        output: numbers([rows, width], from),
        statistics: numbers([rows, 2], from),
      },
      attributes: { rows, width, epsilon: 1e-5 },
    })),
  layer_norm_backward_input: (size, from) =>
    normBackward('layer_norm_backward_input', 2, size, from),
  layer_norm_backward_parameters: (size, from) =>
    rowShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'layer_norm_backward_parameters',
      operands: {
        input: numbers([rows, width], from),
        statistics: numbers([rows, 2], from),
        gradient: numbers([rows, width], from),
        gainPartial: numbers([Math.ceil(rows / 64), width], from),
        offsetPartial: numbers([Math.ceil(rows / 64), width], from),
      },
      attributes: { rows, width, chunk: 64 },
    })),
  rms_norm_forward: (size, from) =>
    rowShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'rms_norm_forward',
      operands: {
        input: numbers([rows, width], from, -3, 5),
        gain: numbers([width], from),
        output: numbers([rows, width], from),
        statistics: numbers([rows], from),
      },
      attributes: { rows, width, epsilon: 1e-6 },
    })),
  rms_norm_backward_input: (size, from) => normBackward('rms_norm_backward_input', 1, size, from),
  rms_norm_backward_parameters: (size, from) =>
    rowShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'rms_norm_backward_parameters',
      operands: {
        input: numbers([rows, width], from),
        statistics: numbers([rows], from),
        gradient: numbers([rows, width], from),
        gainPartial: numbers([Math.ceil(rows / 64), width], from),
      },
      attributes: { rows, width, chunk: 64 },
    })),

  token_shift_forward: (size, from) =>
    sequenceShapes(size).map(({ rows, width, sequence }) => ({
      name: `${rows} rows of ${width} in ${sequence}`,
      kernel: 'token_shift_forward',
      operands: {
        input: numbers([rows, width], from),
        mix: numbers([width], from),
        output: numbers([rows, width], from),
      },
      attributes: { rows, width, sequence },
    })),
  token_shift_backward_input: (size, from) =>
    sequenceShapes(size).flatMap(({ rows, width, sequence }) =>
      both.map((accumulate) => ({
        name: `${rows} rows of ${width} in ${sequence}, accumulate ${accumulate}`,
        kernel: 'token_shift_backward_input' as const,
        operands: {
          gradient: numbers([rows, width], from),
          mix: numbers([width], from),
          inputGradient: numbers([rows, width], from),
        },
        attributes: { rows, width, sequence, accumulate },
      })),
    ),
  token_shift_backward_mix: (size, from) =>
    sequenceShapes(size).map(({ rows, width, sequence }) => ({
      name: `${rows} rows of ${width} in ${sequence}`,
      kernel: 'token_shift_backward_mix',
      operands: {
        input: numbers([rows, width], from),
        gradient: numbers([rows, width], from),
        partial: numbers([Math.ceil(rows / 64), width], from),
      },
      attributes: { rows, width, sequence, chunk: 64 },
    })),
  token_shift_step: (width, from) => [
    {
      name: 'step',
      kernel: 'token_shift_step',
      operands: {
        input: numbers([2, width], from),
        mix: numbers([width], from),
        previous: numbers([2, width], from),
        output: numbers([2, width], from),
      },
      attributes: { count: 2 * width, width },
    },
  ],

  spike_attention_forward: (size, from) =>
    attentionCases(size, from).map(({ name, qkv, decay, attributes, rows, width }) => ({
      name,
      kernel: 'spike_attention_forward',
      operands: { qkv, decay, output: numbers([rows, width], from) },
      attributes,
    })),
  spike_attention_backward_scores: (size, from) =>
    attentionCases(size, from).map(({ name, qkv, decay, attributes, rows, width, scores }) => ({
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
    attentionCases(size, from).map(({ name, qkv, decay, attributes, rows, width, scores }) => ({
      name,
      kernel: 'spike_attention_backward',
      operands: {
        qkv,
        decay,
        gradient: numbers([rows, width], from),
        scoreGradient: numbers(scores, from),
        qkvGradient: numbers([rows, 3 * width], from),
      },
      attributes,
    })),
  spike_attention_step: (size, from) => {
    const headWidth = Math.min(size, 65);
    const [steps, batch, heads] = [2, 3, 2];
    const width = heads * headWidth;
    return [
      {
        name: `heads of ${headWidth}`,
        kernel: 'spike_attention_step',
        operands: {
          qkv: bits([steps * batch, 3 * width], from),
          decay: f32([heads, 2], decayTable([2, 9], headWidth, 2)),
          state: numbers([steps, batch, heads, headWidth, headWidth], from),
          output: numbers([steps * batch, width], from),
        },
        attributes: { steps, batch, heads, headWidth },
      },
    ];
  },

  readout_mix_forward: (count, from) => [
    {
      name: 'mix',
      kernel: 'readout_mix_forward',
      operands: {
        direct: numbers([count], from),
        deep: numbers([count], from),
        mix: numbers([1], from),
        output: numbers([count], from),
      },
      attributes: { count },
    },
  ],
  readout_mix_backward: (count, from) =>
    both.flatMap((accumulateDirect) =>
      both.map((accumulateDeep) => ({
        name: `accumulate ${accumulateDirect} ${accumulateDeep}`,
        kernel: 'readout_mix_backward' as const,
        operands: {
          mix: numbers([1], from),
          gradient: numbers([count], from),
          directGradient: numbers([count], from),
          deepGradient: numbers([count], from),
        },
        attributes: { count, accumulateDirect, accumulateDeep },
      })),
    ),
  readout_mix_backward_mix: (count, from) => [
    {
      name: 'mix',
      kernel: 'readout_mix_backward_mix',
      operands: {
        direct: numbers([count], from),
        deep: numbers([count], from),
        mix: numbers([1], from),
        gradient: numbers([count], from),
        partial: numbers([Math.ceil(count / 64)], from),
      },
      attributes: { count, chunk: 64 },
    },
  ],

  cross_entropy_forward: (size, from) =>
    rowShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'cross_entropy_forward',
      operands: {
        logits: numbers([rows, width], from, -9, 9),
        targets: u32([rows], from.integers(rows, width)),
        losses: numbers([rows], from),
        scale: numbers([rows], from),
      },
      attributes: { rows, width },
    })),
  cross_entropy_backward: (size, from) =>
    rowShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'cross_entropy_backward',
      operands: {
        logits: numbers([rows, width], from, -9, 9),
        targets: u32([rows], from.integers(rows, width)),
        scale: numbers([rows], from, 9, 12),
        logitsGradient: numbers([rows, width], from),
      },
      attributes: { rows, width },
    })),
  mean_loss: (rows, from) => [
    {
      name: 'slot 9 of 4 wraps to 1',
      kernel: 'mean_loss',
      operands: {
        losses: numbers([rows], from),
        clock: clock(9, 9, 0),
        history: numbers([4], from),
      },
      attributes: { rows, slots: 4 },
    },
  ],

  squared_norm: (count, from) => [
    {
      name: 'norm',
      kernel: 'squared_norm',
      operands: {
        gradients: numbers([count], from),
        partial: numbers([Math.ceil(count / 128)], from),
      },
      attributes: { count, chunk: 128 },
    },
  ],
  gradient_norm: (rows, from) =>
    [1e-3, 1e3, Number.POSITIVE_INFINITY, Number.NaN].map((first) => {
      const partial = from.floats(rows, 0, 1);
      partial[0] = first;
      return {
        name: `a partial sum of ${first}`,
        kernel: 'gradient_norm' as const,
        operands: {
          partial: f32([rows], partial),
          clock: clock(3, 2, 0),
          rates: f32([5], Float32Array.of(1e-3, 0.1, 0.5, 0.1, 0.05)),
          norms: numbers([3], from),
          scale: numbers([1], from),
        },
        attributes: { rows, slots: 3 },
      };
    }),
  adamw: (count, from) =>
    [0.5, -1].map((scale) => ({
      name: `scale ${scale}`,
      kernel: 'adamw',
      operands: {
        parameters: numbers([count], from),
        gradients: numbers([count], from),
        momentum: numbers([count], from),
        variance: numbers([count], from, 0, 1),
        scale: f32([1], Float32Array.of(scale)),
        rates: f32([5], Float32Array.of(1e-2, 0.1, 1, 0.271, 0.142)),
      },
      attributes: { count, decayed: Math.floor(count / 2), beta1: 0.9, beta2: 0.95, epsilon: 1e-8 },
    })),

  random_uniform: (count, from) => [
    {
      name: 'uniform',
      kernel: 'random_uniform',
      operands: { clock: clock(5, 0, 1234567), output: numbers([count], from) },
      attributes: { count, stream: 3 },
    },
  ],
  random_spikes: (size, from) =>
    rowShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'random_spikes',
      operands: {
        probabilities: numbers([rows, width], from, 0, 1),
        clock: clock(5, 0, 77),
        spikes: emptyBits([rows, width]),
      },
      attributes: { rows, width, stream: 1 },
    })),
};

export type SizedCase = Case<KernelName> & { readonly tolerance: number };

/** The cases of a kernel at a size, from a seed of their own. */
export function casesOf(kernel: KernelName, size: number): SizedCase[] {
  const make = kernelCases[kernel] as (size: number, from: Source) => Case<KernelName>[];
  return make(size, randomSource(size + 1)).map((made) => ({ ...made, tolerance: TOLERANCE }));
}

const rowShapes = (size: number) => [
  { rows: size, width: 33 },
  { rows: 3, width: size },
];

const products = (size: number) => [
  { rows: size, columns: 5, depth: 33 },
  { rows: 17, columns: size, depth: 12 },
  { rows: 9, columns: 12, depth: size },
];

const sequenceShapes = (size: number) => [
  { rows: 2 * size, width: 3, sequence: size },
  { rows: 6, width: size, sequence: 3 },
  { rows: size, width: 5, sequence: 1 },
];

function lifCases(size: number, from: Source) {
  const shapes = [
    { steps: 4, rows: 3, width: size, currentSteps: 4 },
    { steps: 7, rows: size, width: 5, currentSteps: 7 },
    { steps: 4, rows: 2, width: size, currentSteps: 1 },
    { steps: 1, rows: size, width: 33, currentSteps: 1 },
  ];
  return shapes.map((shape) => ({
    current: f32([shape.currentSteps, shape.rows, shape.width], awayFromThreshold(shape, from)),
    attributes: { ...shape, beta: 0.9, threshold: 1 } satisfies KernelAttributes['lif_forward'],
  }));
}

/** Currents in whole 1/64 keep every membrane exact for the first steps; drawn again while one is close to 1. */
function awayFromThreshold(
  {
    steps,
    rows,
    width,
    currentSteps,
  }:
    | KernelAttributes['lif_forward']
    | { steps: number; rows: number; width: number; currentSteps: number },
  from: Source,
): Float32Array {
  const neurons = rows * width;
  const current = new Float32Array(currentSteps * neurons);
  for (let i = 0; i < neurons; i++) {
    do {
      for (let t = 0; t < currentSteps; t++) current[t * neurons + i] = from.uniform(-0.5, 1.5);
    } while (closest(current, i, neurons, { steps, currentSteps }) < 1e-4);
  }
  return current;
}

function closest(
  current: Float32Array,
  neuron: number,
  neurons: number,
  { steps, currentSteps }: { steps: number; currentSteps: number },
): number {
  let u = 0;
  let margin = Number.POSITIVE_INFINITY;
  for (let t = 0; t < steps; t++) {
    u = 0.9 * u + current[currentSteps === 1 ? neuron : t * neurons + neuron]! - (u > 1 ? 1 : 0);
    margin = Math.min(margin, Math.abs(u - 1));
  }
  return margin;
}

function attentionCases(size: number, from: Source) {
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

function embeddingCase(
  kernel: 'embedding_forward',
  size: number,
  from: Source,
): Case<'embedding_forward'> {
  const [rows, width, vocabulary] = [size, 5, 11];
  return {
    name: 'embedding, one id outside',
    kernel,
    operands: {
      ids: u32([rows], from.integers(rows, vocabulary + 1)),
      table: numbers([vocabulary, width], from),
      output: numbers([rows, width], from),
    },
    attributes: { rows, width, vocabulary },
  };
}

/** The chain as its kernel's head describes it, written down independently of both backends. */
function chainOf(ids: Uint32Array): Uint32Array {
  return ids.map((token, row) => {
    const later = ids.indexOf(token, row + 1);
    const isFirst = ids.indexOf(token) === row;
    return ((later < 0 ? ids.length : later) | (isFirst ? 0 : 0x80000000)) >>> 0;
  });
}

function normBackward<K extends 'layer_norm_backward_input' | 'rms_norm_backward_input'>(
  kernel: K,
  columns: number,
  size: number,
  from: Source,
): Case<K>[] {
  return rowShapes(size).flatMap(({ rows, width }) =>
    both.map((accumulate) => {
      const made = {
        name: `${rows} rows of ${width}, accumulate ${accumulate}`,
        kernel,
        operands: {
          input: numbers([rows, width], from),
          gain: numbers([width], from),
          statistics: numbers(columns === 1 ? [rows] : [rows, columns], from),
          gradient: numbers([rows, width], from),
          inputGradient: numbers([rows, width], from),
        },
        attributes: { rows, width, accumulate },
      };
      return made as unknown as Case<K>;
    }),
  );
}
