/** Bytes that can be read in pieces: a file on disk, a dropped file, text in memory. */
export interface ByteSource {
  /** For messages. */
  readonly name: string;
  readonly size: number;
  /** Bytes from `start` up to, but not including, `end`; may be a view of `into`, which is large enough. */
  read(start: number, end: number, into?: Uint8Array): Promise<Uint8Array>;
}

/** A stretch of a source, whose bytes the next one overwrites. */
interface Stretch {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** Small enough that the text of a chunk is collected as garbage soon: memory does not grow with a source. */
export const CHUNK_BYTES = 1 << 15;

/** Reads a source from end to end through one buffer. */
export async function* readInChunks(
  source: ByteSource,
  signal?: AbortSignal,
): AsyncGenerator<Stretch> {
  const buffer = new Uint8Array(Math.min(CHUNK_BYTES, source.size));
  for (let start = 0; start < source.size; start += CHUNK_BYTES) {
    signal?.throwIfAborted();
    const end = Math.min(start + CHUNK_BYTES, source.size);
    yield { bytes: await source.read(start, end, buffer), start, end };
  }
}

/** A file chosen or dropped in a browser, or any other blob. */
export function blobSource(blob: Blob, name: string): ByteSource {
  return {
    name,
    size: blob.size,
    read: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer()),
  };
}
