import { EngineError } from '../errors.ts';
import type { Parameter, ParameterLayout } from '../graph/parameters.ts';
import { wordCount, WORD_BYTES } from '../graph/tensor.ts';
import { decodeSafetensors, encodeSafetensors, type SafetensorsEntry } from './safetensors.ts';

/** Blocks of one layout by the prefix under which their tensors are stored, such as `momentum.`. */
type Blocks = Readonly<Record<string, Float32Array>>;

/** Writes one tensor per parameter and block, without padding. */
export function encodeBlocks(
  layout: ParameterLayout,
  blocks: Blocks,
  metadata: Readonly<Record<string, string>>,
): Uint8Array<ArrayBuffer> {
  const tensors = new Map<string, SafetensorsEntry>();
  for (const [prefix, block] of Object.entries(blocks)) {
    for (const { spec, value, offsetBytes } of layout.parameters) {
      const start = offsetBytes / WORD_BYTES;
      const data = block.subarray(start, start + wordCount(value));
      tensors.set(`${prefix}${spec.name}`, { dtype: 'F32', shape: spec.shape, data });
    }
  }
  return encodeSafetensors({ tensors, metadata });
}

/**
 * Reads blocks written by `encodeBlocks`. Throws EngineError `checkpoint-mismatch` naming the tensor
 * and both shapes where the file belongs to a model of another structure.
 */
export function decodeBlocks<P extends string>(
  layout: ParameterLayout,
  file: string,
  bytes: Uint8Array,
  prefixes: readonly P[],
): Record<P, Float32Array> {
  const { tensors } = decodeSafetensors(bytes, file);
  const expected = prefixes.length * layout.parameters.length;
  if (tensors.size !== expected) {
    mismatch(`${file} holds ${tensors.size} tensors, the model has ${expected}`);
  }
  const tensorOf = (prefix: P, { spec }: Parameter) => {
    const name = `${prefix}${spec.name}`;
    const stored = tensors.get(name);
    const shape = `[${spec.shape.join(', ')}]`;
    if (!stored) mismatch(`${file} lacks ${name} ${shape}`);
    const found = `${stored.dtype} [${stored.shape.join(', ')}]`;
    if (found !== `F32 ${shape}`)
      mismatch(`${file}: ${name} is ${found}, the model has F32 ${shape}`);
    return stored;
  };
  // All of them are looked at first: a structure that the file does not bear out may be of any size.
  const checked = prefixes.map(
    (prefix) => [prefix, layout.parameters.map((one) => tensorOf(prefix, one))] as const,
  );
  const blocks = checked.map(([prefix, entries]) => {
    const block = new Float32Array(layout.blockBytes / WORD_BYTES);
    for (const [index, { offsetBytes }] of layout.parameters.entries()) {
      block.set(entries[index]?.data ?? [], offsetBytes / WORD_BYTES);
    }
    return [prefix, block] as const;
  });
  return Object.fromEntries(blocks) as Record<P, Float32Array>;
}

function mismatch(what: string): never {
  throw new EngineError('checkpoint-mismatch', what);
}
