import { EngineError } from '../../errors.ts';
import { blobSource, type ByteSource } from './byte-source.ts';
import { memorySource } from './zip.ts';

/** A file in any form that a loader takes: bytes, a dropped file, or a source that is read in pieces. */
export type FileInput = Uint8Array | ArrayBuffer | Blob | ByteSource;

/** Name and size limit of a file that is read whole. */
export interface FileOptions {
  /** The name in messages; that of the source, or "the file", if left out. */
  readonly name?: string;
  /** Bytes that the file may have, 2^31 - 1 by default: it is held in memory. */
  readonly maxBytes?: number;
}

const MAX_BYTES = 2 ** 31 - 1;

/** A whole file in memory. Throws EngineError `dataset-invalid` for one of more than `maxBytes`. */
export async function readWholeFile(
  input: FileInput,
  { name, maxBytes = MAX_BYTES }: FileOptions = {},
): Promise<{ readonly name: string; readonly bytes: Uint8Array }> {
  const source = sourceOf(input, name ?? 'the file');
  if (source.size > maxBytes) {
    throw new EngineError(
      'dataset-invalid',
      `${name ?? source.name} has ${source.size} bytes: expected at most ${maxBytes}`,
    );
  }
  return { name: name ?? source.name, bytes: await source.read(0, source.size) };
}

/** Any form of a file as a source. */
export function sourceOf(input: FileInput, name: string): ByteSource {
  if (input instanceof Uint8Array) return memorySource(name, input);
  if (input instanceof ArrayBuffer) return memorySource(name, new Uint8Array(input));
  if (input instanceof Blob) return blobSource(input, 'name' in input ? String(input.name) : name);
  return input;
}
