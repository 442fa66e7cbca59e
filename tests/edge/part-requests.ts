import type { Part } from '../../edge/training/contract/checkpoint.ts';
import { sha256 } from './harness.ts';

/** The commit of a dataset, with the bytes of each of its parts. */
export interface Parted {
  readonly digest: string;
  readonly size_bytes: number;
  readonly parts: readonly Part[];
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
}

/** Cuts bytes into parts. */
export function cut(bytes: Uint8Array<ArrayBuffer>, partBytes: number): Parted {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < bytes.byteLength; at += partBytes) {
    pieces.push(bytes.subarray(at, at + partBytes));
  }
  const parts = pieces.map((piece) => ({ digest: sha256(piece), size_bytes: piece.byteLength }));
  return { digest: sha256(bytes), size_bytes: bytes.byteLength, parts, pieces };
}

/** Sends bytes as a part; under their own digest where none is given. */
export function putPart(
  base: string,
  bytes: NonNullable<RequestInit['body']> & Uint8Array,
  digest = sha256(bytes),
): Promise<Response> {
  return fetch(`${base}/parts/${digest}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream' },
    body: bytes,
  });
}

export function putJson(url: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Sends the parts and makes them a dataset. */
export async function putDataset(base: string, name: string, parted: Parted): Promise<Response> {
  for (const piece of parted.pieces) await putPart(base, piece as Uint8Array<ArrayBuffer>);
  const { pieces: _, ...commit } = parted;
  return putJson(`${base}/datasets/${name}`, commit);
}
