import { halfValue } from '../data/arrays/numeric-array.ts';
import type { Parameter, ParameterLayout } from '../graph/parameters.ts';
import { WORD_BYTES, wordCount } from '../graph/tensor.ts';
import type { SafetensorsEntry } from './safetensors.ts';

/** In what digits the parameters of a model are stored. */
export interface WeightForm {
  readonly precision: 'f32' | 'f16';
  /** `int8`: matrices in signed bytes with a scale for each output, everything else in the precision. */
  readonly quantization: 'none' | 'int8';
}

/** As they are trained. */
export const TRAINED_FORM: WeightForm = { precision: 'f32', quantization: 'none' };

export function isTrainedForm({ precision, quantization }: WeightForm): boolean {
  return precision === 'f32' && quantization === 'none';
}

const MAX_BYTE = 127;
/** Behind the name of a parameter in bytes: what each of its outputs is multiplied with. */
const SCALE = '.scale';

/** A parameter as tensors of a file, by name. */
export function packParameter(
  parameter: Parameter,
  values: Float32Array,
  form: WeightForm,
): Map<string, SafetensorsEntry> {
  const { name, shape } = parameter.spec;
  if (!isQuantised(parameter, form)) return new Map([[name, inPrecision(values, shape, form)]]);
  const outputs = outputsOf(shape);
  const scale = new Float32Array(outputs.count);
  for (const [i, value] of values.entries()) {
    const output = outputs.of(i);
    scale[output] = Math.max(scale[output] ?? 0, Math.abs(value) / MAX_BYTE);
  }
  const scales = inPrecision(scale, [outputs.count], form);
  // Rounded by the scale that the file holds, so that both errors do not add up.
  const kept = numbersOf(scales);
  const data = Int8Array.from(values, (value, i) => {
    const rounded = Math.round(value / (kept[outputs.of(i)] || 1));
    return Math.max(-MAX_BYTE, Math.min(MAX_BYTE, rounded));
  });
  return new Map([
    [name, { dtype: 'I8', shape, data }],
    [`${name}${SCALE}`, scales],
  ]);
}

/** Dtype and shape of the tensors of a parameter, by name. */
export function formOfParameter(
  parameter: Parameter,
  form: WeightForm,
): ReadonlyMap<string, Pick<SafetensorsEntry, 'dtype' | 'shape'>> {
  const { name, shape } = parameter.spec;
  const dtype = form.precision === 'f16' ? 'F16' : 'F32';
  if (!isQuantised(parameter, form)) return new Map([[name, { dtype, shape }]]);
  return new Map([
    [name, { dtype: 'I8' as const, shape }],
    [`${name}${SCALE}`, { dtype, shape: [outputsOf(shape).count] }],
  ]);
}

/** The numbers that the stored tensors of a parameter stand for. */
export function unpackParameter(
  { spec: { name, shape } }: Parameter,
  tensors: ReadonlyMap<string, SafetensorsEntry>,
): Float32Array {
  const values = numbersOf(tensors.get(name));
  const scale = tensors.get(`${name}${SCALE}`);
  if (!scale) return values;
  const outputs = outputsOf(shape);
  const scales = numbersOf(scale);
  return values.map((value, i) => value * (scales[outputs.of(i)] ?? 0));
}

/** A parameter block as a model stored in a form has it. */
export function roundBlock(
  layout: ParameterLayout,
  block: Float32Array,
  form: WeightForm,
): Float32Array {
  const rounded = new Float32Array(block.length);
  for (const parameter of layout.parameters) {
    const start = parameter.offsetBytes / WORD_BYTES;
    const values = block.subarray(start, start + wordCount(parameter.value));
    rounded.set(unpackParameter(parameter, packParameter(parameter, values, form)), start);
  }
  return rounded;
}

/** Bytes of the parameters in a form. */
export function bytesOfForm({ parameters }: ParameterLayout, form: WeightForm): number {
  const bytes = { F32: 4, U32: 4, I32: 4, I16: 2, F16: 2, I8: 1 } as const;
  const entries = parameters.flatMap((one) => [...formOfParameter(one, form).values()]);
  return entries.reduce((sum, { dtype, shape }) => sum + bytes[dtype] * sizeOf(shape), 0);
}

function isQuantised({ spec }: Parameter, { quantization }: WeightForm): boolean {
  return quantization === 'int8' && spec.shape.length > 1;
}

/** Which output an element belongs to: the last axis of `[inputs, outputs]`, the first of a convolution. */
function outputsOf(shape: readonly number[]): { readonly count: number; of(i: number): number } {
  const [first = 1] = shape;
  const last = shape.at(-1) ?? 1;
  if (shape.length === 2) return { count: last, of: (i) => i % last };
  const each = sizeOf(shape) / first;
  return { count: first, of: (i) => Math.floor(i / each) };
}

function inPrecision(
  values: Float32Array,
  shape: readonly number[],
  { precision }: WeightForm,
): SafetensorsEntry {
  if (precision === 'f32') return { dtype: 'F32', shape, data: values };
  return { dtype: 'F16', shape, data: Uint16Array.from(values, halfBits) };
}

function numbersOf(entry: SafetensorsEntry | undefined): Float32Array {
  if (!entry) return new Float32Array();
  return Float32Array.from(entry.data, entry.dtype === 'F16' ? halfValue : (value) => value);
}

function sizeOf(shape: readonly number[]): number {
  return shape.reduce((a, b) => a * b, 1);
}

/**
 * Half precision (IEEE 754 binary16) for files. Float16Array would do the same, but not every browser that
 * the lab runs in has it.
 */

const single = new Float32Array(1);
const bits = new Uint32Array(single.buffer);

/** 2^-24, the smallest half above 0. */
const MIN_SUBNORMAL = 2 ** -24;
/** From here on a half has all its digits. */
const MIN_NORMAL = 2 ** -14;
const INFINITE = 0x7c00;
const QUIET = 0x7e00;

/** The bits of the half that is nearest to a number, ties to even; infinite from 65520 on. */
export function halfBits(value: number): number {
  single[0] = value;
  const word = bits[0] ?? 0;
  const sign = (word >>> 16) & 0x8000;
  const magnitude = Math.abs(single[0]);
  if (Number.isNaN(magnitude)) return sign | QUIET;
  if (magnitude < MIN_NORMAL) return sign | roundToEven(magnitude / MIN_SUBNORMAL);
  // Exponent and upper digits side by side: a digit that is carried raises the exponent.
  const rebased = (word & 0x7fffffff) - ((127 - 15) << 23);
  return sign | Math.min(INFINITE, roundToEven(rebased / 2 ** 13));
}

function roundToEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest === 0.5) return below + (below % 2);
  return rest < 0.5 ? below : below + 1;
}
