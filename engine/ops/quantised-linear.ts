import { linearKernels } from '../kernels/dense.ts';
import type { Graph } from '../graph/graph.ts';
import { byteWords, type Tensor } from '../graph/tensor.ts';
import { checkEpilogue, type LinearOptions } from './linear.ts';
import { axesOf, expectShape } from './shapes.ts';

/** Weights of a linear in 8 bits: `q = round(w / scale)` with one scale a column. */
export interface QuantisedWeight {
  /** `u32[inputs, ceil(outputs / 4)]`: four signed bytes a word, the first column lowest. */
  readonly words: Tensor;
  /** `f32[outputs]` */
  readonly scale: Tensor;
  readonly outputs: number;
}

const MAX_BYTE = 127;
const BYTES_PER_WORD = 4;

/**
 * `spikes bits[steps, rows, inputs] x weight` (+ bias + residual) with 8-bit weights, summed as whole
 * numbers. For inference: it has no gradient.
 */
export function quantisedSpikeLinear(
  graph: Graph,
  spikes: Tensor,
  { words, scale, outputs }: QuantisedWeight,
  { bias, residual }: LinearOptions = {},
): Tensor {
  const { steps, rows, width } = axesOf('quantisedSpikeLinear', spikes, 'bits');
  expectShape('quantisedSpikeLinear weight', words, [width, byteWords(outputs)], 'u32');
  expectShape('quantisedSpikeLinear scale', scale, [outputs]);
  const output = graph.scratch('quantised spike linear', 'f32', [steps, rows, outputs]);
  const residualRows = checkEpilogue('quantisedSpikeLinear', output, bias, residual);
  graph.call(
    linearKernels.spike_linear_int8,
    { spikes, weight: words, scale, output, bias, residual },
    { rows: steps * rows, columns: outputs, depth: width, residualRows },
  );
  return output;
}

/** Rounds weights `[inputs, outputs]` to signed bytes, symmetric about zero, each column to its own scale. */
export function quantise(
  weights: Float32Array,
  outputs: number,
): { readonly words: Uint32Array; readonly scale: Float32Array } {
  const inputs = weights.length / outputs;
  const scale = new Float32Array(outputs);
  for (const [index, weight] of weights.entries()) {
    const column = index % outputs;
    scale[column] = Math.max(scale[column] ?? 0, Math.abs(weight) / MAX_BYTE);
  }
  const words = new Uint32Array(inputs * byteWords(outputs));
  const bytes = new DataView(words.buffer);
  const stride = BYTES_PER_WORD * byteWords(outputs);
  for (const [index, weight] of weights.entries()) {
    const column = index % outputs;
    const row = (index - column) / outputs;
    // A column of zeros has the scale 0.
    const rounded = Math.round(weight / (scale[column] || 1));
    bytes.setInt8(row * stride + column, Math.max(-MAX_BYTE, Math.min(MAX_BYTE, rounded)));
  }
  return { words, scale };
}
