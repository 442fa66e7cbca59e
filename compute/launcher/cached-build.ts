import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Something made of files, which is good for as long as they stay as they were. */
export interface Made<T> {
  readonly value: T;
  /** The files that it was made of, as absolute paths. */
  readonly inputs: readonly string[];
}

interface CachedBuild<T> {
  /** The file it is kept in: JSON, so that `value` must be, too. */
  readonly path: string;
  /** Inputs besides the files, such as the version of the tool. */
  readonly key: string;
  readonly make: () => Promise<Made<T>>;
}

interface Kept<T> extends Made<T> {
  readonly key: string;
  readonly digest: string;
}

/**
 * The cached result where every input still has the content it had; otherwise it is built again.
 * The file appears by one rename, so that several who start at once do each other no harm.
 */
export async function cachedBuild<T>({ path, key, make }: CachedBuild<T>): Promise<T> {
  const kept = read<T>(path);
  if (kept?.key === key && kept.digest === digestOf(kept.inputs)) return kept.value;
  const { value, inputs } = await make();
  const text = JSON.stringify({ key, digest: digestOf(inputs), inputs, value });
  const partial = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(partial, text);
  renameSync(partial, path);
  // As whoever finds it kept gets it.
  return (JSON.parse(text) as Kept<T>).value;
}

function read<T>(path: string): Kept<T> | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Kept<T>;
  } catch {
    // There is none, or none that could be read: it is made.
    return undefined;
  }
}

/** A hash over names and contents; a file that is gone counts as none. */
function digestOf(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) {
    hash.update(`${path}\0`);
    try {
      hash.update(readFileSync(path));
    } catch {
      hash.update('\0');
    }
  }
  return hash.digest('hex');
}
