import { realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { relativeFault } from '../../edge/contract/path-fault.ts';
import { JobFailure } from '../../trainer/index.ts';

/**
 * The place a relative path names below a root, which it may not leave: by its own form, or by a
 * symbolic link. The last parts of it need not exist.
 *
 * @throws JobFailure `unsafe_path`
 */
export async function placeBelow(root: string, path: string): Promise<string> {
  if (relativeFault(path) !== undefined) throw unsafe(path);
  const realRoot = await realpath(root);
  const place = join(realRoot, path);
  const existing = await deepestExisting(place);
  if (!isInside(realRoot, existing.real)) throw unsafe(path);
  return resolve(existing.real, existing.rest);
}

export function isInside(root: string, place: string): boolean {
  const way = relative(root, place);
  return way !== '..' && !way.startsWith(`..${sep}`) && resolve(root, way) === resolve(place);
}

/** Links are followed as far as the path exists; what is still to be made follows after. */
async function deepestExisting(place: string, rest = ''): Promise<{ real: string; rest: string }> {
  try {
    return { real: await realpath(place), rest };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    return deepestExisting(dirname(place), join(place.slice(dirname(place).length + 1), rest));
  }
}

export function unsafe(path: string): JobFailure {
  return new JobFailure(
    'unsafe_path',
    `the path ${JSON.stringify(path)} leads out of its root: expected one below it`,
  );
}
