/** Bytes that can be read in pieces: a file on disk, a dropped file, text in memory. */
export interface ByteSource {
  /** For messages. */
  readonly name: string;
  readonly size: number;
  /** Bytes from `start` up to, not including, `end`. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** A file chosen or dropped in a browser, or any other blob. */
export function blobSource(blob: Blob, name: string): ByteSource {
  return {
    name,
    size: blob.size,
    read: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer()),
  };
}
