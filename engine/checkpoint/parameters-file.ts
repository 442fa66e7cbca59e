import { EngineError } from '../errors.ts';
import type { ParameterLayout } from '../graph/parameters.ts';
import { wordCount, WORD_BYTES } from '../graph/tensor.ts';
import {
  formOfParameter,
  packParameter,
  TRAINED_FORM,
  unpackParameter,
  type WeightForm,
} from './stored-weights.ts';
import {
  decodeSafetensors,
  encodeSafetensors,
  type SafetensorsDType,
  type SafetensorsEntry,
} from './safetensors.ts';

/** A tensor of a checkpoint that the optimiser does not change, such as INT8 synapses. */
export interface BufferSpec {
  /** Its name in the file, distinct from those of all parameters. */
  readonly name: string;
  readonly dtype: SafetensorsDType;
  readonly shape: readonly number[];
  /** Part of the model though no gradient changes it: the members of a distributed job share it. */
  readonly agreed?: AgreedRange | undefined;
}

/** Limits of shared float32 numbers; an outer step could lead beyond. */
export interface AgreedRange {
  readonly lowest: number;
  readonly highest: number;
}

/** Blocks of one layout by the prefix under which their tensors are stored, such as `momentum.`. */
type Blocks = Readonly<Record<string, Float32Array>>;

/** Tensors that are no parameters, by name. */
export type StoredBuffers = ReadonlyMap<string, SafetensorsEntry>;

/** Writes one tensor per parameter and block, without padding, and then those that are no parameters. */
export function encodeBlocks(
  layout: ParameterLayout,
  blocks: Blocks,
  metadata: Readonly<Record<string, string>>,
  buffers: StoredBuffers = new Map(),
): Uint8Array<ArrayBuffer> {
  const tensors = Object.entries(blocks).flatMap(([prefix, block]) =>
    tensorsOf(layout, block, TRAINED_FORM).map(
      ([name, entry]) => [`${prefix}${name}`, entry] as const,
    ),
  );
  return encodeSafetensors({ tensors: new Map([...tensors, ...buffers]), metadata });
}

/** Contents of a model file besides the parameters, and the precision of these. */
interface ModelFileOptions {
  readonly metadata: Readonly<Record<string, string>>;
  readonly form: WeightForm;
  readonly buffers?: StoredBuffers | undefined;
}

/** Writes the parameters of a model in the form that it is stored in. */
export function encodeModel(
  layout: ParameterLayout,
  values: Float32Array,
  { metadata, form, buffers = new Map() }: ModelFileOptions,
): Uint8Array<ArrayBuffer> {
  const tensors = new Map([...tensorsOf(layout, values, form), ...buffers]);
  return encodeSafetensors({ tensors, metadata });
}

function tensorsOf(
  layout: ParameterLayout,
  block: Float32Array,
  form: WeightForm,
): (readonly [string, SafetensorsEntry])[] {
  return layout.parameters.flatMap((parameter) => {
    const start = parameter.offsetBytes / WORD_BYTES;
    const values = block.subarray(start, start + wordCount(parameter.value));
    return [...packParameter(parameter, values, form)];
  });
}

/** A file to read blocks from, and what else has to be in it. */
interface BlocksFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly buffers?: readonly BufferSpec[];
  /** In what digits its parameters are written; as they are trained by default. */
  readonly form?: WeightForm;
}

/**
 * Reads blocks written by `encodeBlocks`. Throws EngineError `checkpoint-mismatch` naming the tensor
 * and both shapes where the file belongs to a model of another structure.
 */
export function decodeBlocks<P extends string>(
  layout: ParameterLayout,
  { name: file, bytes, buffers = [], form = TRAINED_FORM }: BlocksFile,
  prefixes: readonly P[],
): { readonly blocks: Record<P, Float32Array>; readonly buffers: StoredBuffers } {
  const { tensors } = decodeSafetensors(bytes, file);
  const forms = layout.parameters.map((parameter) => formOfParameter(parameter, form));
  const each = forms.reduce((sum, { size }) => sum + size, 0);
  const expected = prefixes.length * each + buffers.length;
  if (tensors.size !== expected) {
    mismatch(`${file} holds ${tensors.size} tensors, the model has ${expected}`);
  }
  const tensorOf = ({ name, dtype, shape }: BufferSpec) => {
    const stored = tensors.get(name);
    const wanted = `[${shape.join(', ')}]`;
    if (!stored) mismatch(`${file} lacks ${name} ${wanted}`);
    const found = `${stored.dtype} [${stored.shape.join(', ')}]`;
    if (found === `${dtype} ${wanted}`) return stored;
    mismatch(`${file}: ${name} is ${found}, the model has ${dtype} ${wanted}`);
  };
  // All of them are looked at first: a structure that the file does not bear out may be of any size.
  const checked = prefixes.map((prefix) => {
    const entries = forms.map((tensorsOfOne) => {
      const found = Array.from(tensorsOfOne, ([name, { dtype, shape }]) => {
        return [name, tensorOf({ name: `${prefix}${name}`, dtype, shape })] as const;
      });
      return new Map(found);
    });
    return [prefix, entries] as const;
  });
  const others = buffers.map((spec) => [spec.name, tensorOf(spec)] as const);
  const blocks = checked.map(([prefix, entries]) => {
    const block = new Float32Array(layout.blockBytes / WORD_BYTES);
    for (const [index, parameter] of layout.parameters.entries()) {
      const stored = entries[index] ?? new Map();
      block.set(unpackParameter(parameter, stored), parameter.offsetBytes / WORD_BYTES);
    }
    return [prefix, block] as const;
  });
  return {
    blocks: Object.fromEntries(blocks) as Record<P, Float32Array>,
    buffers: new Map(others),
  };
}

function mismatch(what: string): never {
  throw new EngineError('checkpoint-mismatch', what);
}
