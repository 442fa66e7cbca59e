import { type ByteSource, CHUNK_BYTES } from '../../engine/data/files/byte-source.ts';

/** Bytes in memory that write down which ranges were read. */
export interface MemorySource extends ByteSource {
  readonly reads: (readonly [start: number, end: number])[];
}

export function memorySource(bytes: Uint8Array, name = 'text'): MemorySource {
  const reads: (readonly [number, number])[] = [];
  return {
    name,
    size: bytes.length,
    reads,
    async read(start, end) {
      reads.push([start, end]);
      return bytes.slice(start, end);
    },
  };
}

export function textSource(text: string, name = 'text'): MemorySource {
  return memorySource(new TextEncoder().encode(text), name);
}

/** Where the chunks of a source of so many bytes end. */
export function chunkEnds(size: number): number[] {
  const count = Math.ceil(size / CHUNK_BYTES);
  return Array.from({ length: count }, (_, i) => Math.min((i + 1) * CHUNK_BYTES, size));
}
