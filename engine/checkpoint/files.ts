import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import * as z from 'zod/mini';
import { parseJson, reasonOf } from '../data/files/json.ts';
import { EngineError } from '../errors.ts';

/** A checkpoint as named files, wherever they lie. */
export type CheckpointFiles = ReadonlyMap<string, Uint8Array>;

export const MANIFEST = 'manifest.json';

const Manifest = z.object({
  format: z.literal('spikegrid-checkpoint'),
  version: z.literal(1),
  files: z.record(z.string(), z.object({ sha256: z.string(), size_bytes: z.int() })),
});

/** SHA-256 in hexadecimal. */
export function digestOf(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}

export function encodeJson(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${JSON.stringify(value, undefined, 2)}\n`);
}

/** Adds the manifest: every file's digest and size. */
export function withManifest(files: CheckpointFiles): CheckpointFiles {
  const entries = Array.from(files, ([name, bytes]) => [
    name,
    { sha256: digestOf(bytes), size_bytes: bytes.length },
  ]);
  const manifest = {
    format: 'spikegrid-checkpoint',
    version: 1,
    files: Object.fromEntries(entries),
  };
  return new Map([...files, [MANIFEST, encodeJson(manifest)]]);
}

/**
 * Returns the named files after comparing each with the manifest. Throws EngineError
 * `checkpoint-missing` for a file that is not there, `checkpoint-damaged` for one that was cut off
 * or altered.
 */
export function verifiedFiles<N extends string>(
  files: CheckpointFiles,
  names: readonly N[],
): Record<N, Uint8Array> {
  const manifest = parseFile(MANIFEST, Manifest, decodeJson(MANIFEST, present(files, MANIFEST)));
  const verified = names.map((name) => {
    const bytes = present(files, name);
    const expected = manifest.files[name];
    if (!expected) damaged(`${MANIFEST} does not list ${name}`);
    if (bytes.length !== expected.size_bytes) {
      damaged(`${name} has ${bytes.length} bytes, expected ${expected.size_bytes}`);
    }
    const digest = digestOf(bytes);
    if (digest !== expected.sha256) {
      damaged(`${name} was altered: its sha256 is ${digest}, expected ${expected.sha256}`);
    }
    return [name, bytes] as const;
  });
  return Object.fromEntries(verified) as Record<N, Uint8Array>;
}

export function decodeJson(file: string, bytes: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new EngineError('checkpoint-damaged', `${file} is not JSON: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

function present(files: CheckpointFiles, name: string): Uint8Array {
  const bytes = files.get(name);
  if (bytes) return bytes;
  const found = [...files.keys()].join(', ') || 'nothing';
  throw new EngineError('checkpoint-missing', `${name} is missing: found ${found}`);
}

function damaged(what: string): never {
  throw new EngineError('checkpoint-damaged', what);
}

/** The names in a manifest. Throws EngineError `checkpoint-missing`, `checkpoint-damaged`. */
export function listedFiles(files: CheckpointFiles): readonly string[] {
  const manifest = decodeJson(MANIFEST, present(files, MANIFEST));
  return Object.keys(parseFile(MANIFEST, Manifest, manifest).files);
}

/** Checks the parsed JSON of a checkpoint file. Throws EngineError `checkpoint-damaged` naming the field. */
export function parseFile<S extends z.ZodMiniType>(
  file: string,
  schema: S,
  value: unknown,
): z.output<S> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue?.path.join('.') || 'the whole';
  throw new EngineError('checkpoint-damaged', `${file}: ${where}: ${issue?.message ?? 'invalid'}`);
}
