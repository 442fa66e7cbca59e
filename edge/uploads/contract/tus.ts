/** The version of the protocol (https://tus.io/protocols/resumable-upload), and the only one. */
export const TUS_VERSION = '1.0.0';

export const TUS_EXTENSIONS = [
  'creation',
  'creation-with-upload',
  'expiration',
  'checksum',
  'termination',
] as const;

/** The checksum algorithms, by their names in tus and in Web Cryptography. */
export const TUS_CHECKSUMS = { sha256: 'SHA-256', sha1: 'SHA-1' } as const;
type TusChecksum = keyof typeof TUS_CHECKSUMS;

/** The type of the body of a PATCH. */
export const TUS_CHUNK = 'application/offset+octet-stream';

/**
 * The size of parts in the bucket: at least 5 MiB, and equal for all but the last. Part numbers go to
 * 10,000; an interrupted upload may waste some.
 */
export const PART_BYTES = 8 * 1024 * 1024;
export const MAX_RESUMABLE_BYTES = 9000 * PART_BYTES;

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** The header `Upload-Metadata`: pairs of a key and its base64. */
export function writeMetadata(values: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(values)
    .flatMap(([key, value]) =>
      value === undefined ? [] : `${key} ${toBase64(new TextEncoder().encode(value))}`,
    )
    .join(',');
}

/** The values of the header `Upload-Metadata`; undefined where it is broken or names a key twice. */
export function readMetadata(header: string): ReadonlyMap<string, string> | undefined {
  const values = new Map<string, string>();
  for (const pair of header.split(',').filter((text) => text.trim() !== '')) {
    const [, key, base64 = ''] = /^\s*([^\s,]+)(?:\s+([^\s,]*))?\s*$/.exec(pair) ?? [];
    const bytes = fromBase64(base64);
    if (key === undefined || bytes === undefined || values.has(key)) return undefined;
    values.set(key, new TextDecoder().decode(bytes));
  }
  return values;
}

export interface ChunkChecksum {
  readonly algorithm: TusChecksum;
  readonly hash: Uint8Array;
}

/** The header `Upload-Checksum`. */
export function writeChecksum({ algorithm, hash }: ChunkChecksum): string {
  return `${algorithm} ${toBase64(hash)}`;
}

/** The checksum of the header `Upload-Checksum`; undefined where it is broken or of another algorithm. */
export function readChecksum(header: string): ChunkChecksum | undefined {
  const [, name = '', base64 = ''] = /^(\S+)\s+(\S+)$/.exec(header.trim()) ?? [];
  const hash = fromBase64(base64);
  const algorithm = (Object.keys(TUS_CHECKSUMS) as TusChecksum[]).find((known) => known === name);
  const lengths = { sha256: 32, sha1: 20 } as const;
  if (!algorithm || hash?.byteLength !== lengths[algorithm]) return undefined;
  return { algorithm, hash };
}
