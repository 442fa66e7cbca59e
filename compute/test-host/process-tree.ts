import { readdirSync, readFileSync } from 'node:fs';

/** How often what is left is looked for: a process may fork while others are being ended. */
const ROUNDS = 20;

/** A process and all that came of it. */
export interface ProcessTree {
  /** The leader of a process group of its own. */
  readonly pid: number;
  /** A variable of its environment with its value, which its children inherit. */
  readonly mark: string;
}

/**
 * Ends a process group at once, and whatever left it: on Linux every process that descends from its
 * leader or has inherited its mark, also in a session of its own. Elsewhere only the group.
 */
export function killTree(tree: ProcessTree): void {
  let left = strayOf(tree);
  for (let round = 0; round < ROUNDS; round++) {
    end(-tree.pid);
    for (const pid of left) end(pid);
    left = strayOf(tree);
    if (left.length === 0) return;
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** The processes of a tree that are alive, by what Linux says of all processes. */
function strayOf({ pid, mark }: ProcessTree): readonly number[] {
  if (process.platform !== 'linux') return [];
  const alive = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  const parents = new Map(alive.map((id) => [id, parentOf(id)]));
  const descends = (id: number): boolean => {
    const parent = parents.get(id) ?? 0;
    return parent > 1 && (parent === pid || descends(parent));
  };
  return alive.filter(
    (id) => parents.get(id) !== undefined && (descends(id) || isMarked(id, mark)),
  );
}

/** The parent of a process; undefined where it has ended, and only waits to be noticed. */
function parentOf(pid: number): number | undefined {
  try {
    // "pid (name) state parent …": a name may hold anything, also parentheses.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}

function isMarked(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(mark);
  } catch {
    // It ended meanwhile, or it is another user's, who cannot have inherited the mark.
    return false;
  }
}
