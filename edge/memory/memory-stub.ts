import type { Env } from '../env.ts';
import type { MemoryDirectory } from './directory-object.ts';
import type { Memory } from './object.ts';
import { MAIN, type Remote } from '../storage/remote.ts';
import type { Place } from './owner.ts';
import { RENEWED } from './records.ts';

/**
 * Asks the one object of a namespace of an owner: nothing of another can be in it. Where it was just
 * about to begin anew it is asked again; a call that was not answered has done nothing.
 */
export async function withMemory<T>(
  env: Pick<Env, 'MEMORY'>,
  place: Place,
  ask: (memory: Remote<Memory>) => Promise<T>,
): Promise<T> {
  try {
    return await ask(memoryAt(env, place));
  } catch (error) {
    if (!String(error).includes(RENEWED)) throw error;
    return ask(memoryAt(env, place));
  }
}

/** A namespace has no slash in its name, so no two places share a name. */
const memoryAt = ({ MEMORY }: Pick<Env, 'MEMORY'>, { owner, namespace }: Place): Remote<Memory> =>
  MEMORY.getByName<Memory>(`${owner}/${namespace}`);

/** One object of a team counts what its owners hold. Names of teams have no space. */
export const holdingsOf = (
  { MEMORY_DIRECTORY }: Pick<Env, 'MEMORY_DIRECTORY'>,
  team: string,
): Remote<MemoryDirectory> => MEMORY_DIRECTORY.getByName<MemoryDirectory>(`team ${team}`);

/** One object knows which namespaces there are. */
export const directoryOf = ({
  MEMORY_DIRECTORY,
}: Pick<Env, 'MEMORY_DIRECTORY'>): Remote<MemoryDirectory> =>
  MEMORY_DIRECTORY.getByName<MemoryDirectory>(MAIN);
