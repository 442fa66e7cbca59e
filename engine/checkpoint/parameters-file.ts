import { EngineError } from '../errors.ts';
import type { KeptSpec } from '../families/stored-family.ts';
import type { ParameterLayout } from '../graph/parameters.ts';
import { wordCount, WORD_BYTES } from '../graph/tensor.ts';
import { decodeSafetensors, encodeSafetensors, type SafetensorsEntry } from './safetensors.ts';

/** Blocks of one layout by the prefix under which their tensors are stored, such as `momentum.`. */
type Blocks = Readonly<Record<string, Float32Array>>;

/** Tensors that are no parameters, by name. */
export type KeptTensors = ReadonlyMap<string, SafetensorsEntry>;

/** Writes one tensor per parameter and block, without padding, and then those that are no parameters. */
export function encodeBlocks(
  layout: ParameterLayout,
  blocks: Blocks,
  metadata: Readonly<Record<string, string>>,
  kept: KeptTensors = new Map(),
): Uint8Array<ArrayBuffer> {
  const tensors = new Map<string, SafetensorsEntry>();
  for (const [prefix, block] of Object.entries(blocks)) {
    for (const { spec, value, offsetBytes } of layout.parameters) {
      const start = offsetBytes / WORD_BYTES;
      const data = block.subarray(start, start + wordCount(value));
      tensors.set(`${prefix}${spec.name}`, { dtype: 'F32', shape: spec.shape, data });
    }
  }
  return encodeSafetensors({ tensors: new Map([...tensors, ...kept]), metadata });
}

/** A file to read blocks from, and what else has to be in it. */
export interface BlocksFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly kept?: readonly KeptSpec[];
}

/**
 * Reads blocks written by `encodeBlocks`. Throws EngineError `checkpoint-mismatch` naming the tensor
 * and both shapes where the file belongs to a model of another structure.
 */
export function decodeBlocks<P extends string>(
  layout: ParameterLayout,
  { name: file, bytes, kept = [] }: BlocksFile,
  prefixes: readonly P[],
): { readonly blocks: Record<P, Float32Array>; readonly kept: KeptTensors } {
  const { tensors } = decodeSafetensors(bytes, file);
  const expected = prefixes.length * layout.parameters.length + kept.length;
  if (tensors.size !== expected) {
    mismatch(`${file} holds ${tensors.size} tensors, the model has ${expected}`);
  }
  const tensorOf = ({ name, dtype, shape }: KeptSpec) => {
    const stored = tensors.get(name);
    const wanted = `[${shape.join(', ')}]`;
    if (!stored) mismatch(`${file} lacks ${name} ${wanted}`);
    const found = `${stored.dtype} [${stored.shape.join(', ')}]`;
    if (found === `${dtype} ${wanted}`) return stored;
    mismatch(`${file}: ${name} is ${found}, the model has ${dtype} ${wanted}`);
  };
  // All of them are looked at first: a structure that the file does not bear out may be of any size.
  const checked = prefixes.map((prefix) => {
    const specs = layout.parameters.map(({ spec }) => spec);
    const entries = specs.map(({ name, shape }) =>
      tensorOf({ name: `${prefix}${name}`, dtype: 'F32', shape }),
    );
    return [prefix, entries] as const;
  });
  const others = kept.map((spec) => [spec.name, tensorOf(spec)] as const);
  const blocks = checked.map(([prefix, entries]) => {
    const block = new Float32Array(layout.blockBytes / WORD_BYTES);
    for (const [index, { offsetBytes }] of layout.parameters.entries()) {
      block.set(entries[index]?.data ?? [], offsetBytes / WORD_BYTES);
    }
    return [prefix, block] as const;
  });
  return { blocks: Object.fromEntries(blocks) as Record<P, Float32Array>, kept: new Map(others) };
}

function mismatch(what: string): never {
  throw new EngineError('checkpoint-mismatch', what);
}
