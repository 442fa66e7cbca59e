import { type StoredEdge } from '../causal/graph.ts';
import type { MemoryCauses, Said, Stated, Way } from './causes.ts';
import type { Condition } from './condition.ts';

/** A statement of a cause, and in which step it was reached; 1 is the first. */
export interface Reached {
  readonly stated: Stated;
  readonly hop: number;
}

export interface Followed {
  readonly reached: readonly Reached[];
  /** Whether there is more than `most`. */
  readonly isCut: boolean;
}

export interface Course {
  readonly hops: number;
  readonly way: Way;
  readonly meant: Condition;
  /** Statements that are reached at most. */
  readonly most: number;
}

/** Goes from statements to what else is said of their causes and effects, step by step. */
export function follow(
  causes: MemoryCauses,
  first: readonly Stated[],
  { hops, way, meant, most }: Course,
): Followed {
  const reached = new Map<number, Reached>();
  const nodes = new Set<number>();
  let found = hops > 0 ? first : [];
  let isCut = found.length >= most;
  for (let hop = 1; found.length > 0; hop++) {
    note(reached, found, hop);
    const ends = found.flatMap((stated) => endsOf(stated, way));
    const fresh = [...new Set(ends)].filter((node) => !nodes.has(node));
    for (const node of fresh) nodes.add(node);
    found = hop < hops && !isCut ? causes.around(fresh, { way, meant, limit: most }) : [];
    isCut ||= found.length >= most;
  }
  return { reached: [...reached.values()].slice(0, most), isCut };
}

/**
 * Adds what else is said of the same two nodes, so that what was reached is as certain, and as
 * contested, as the whole graph has it.
 */
export function complete(
  causes: MemoryCauses,
  { reached, isCut }: Followed,
  { meant, most }: Pick<Course, 'meant' | 'most'>,
): Followed {
  const hopOf = new Map(reached.map(({ stated, hop }) => [pairOf(stated), hop]));
  const all = new Map(reached.map((one) => [one.stated.causeNo, one]));
  const nodes = new Set(reached.flatMap(({ stated }) => endsOf(stated, 'both')));
  for (const stated of causes.between([...nodes], meant, most)) {
    const hop = hopOf.get(pairOf(stated));
    if (hop !== undefined) note(all, [stated], hop);
  }
  return { reached: [...all.values()], isCut: isCut || all.size >= 2 * most };
}

/** What was reached before stays where it was. */
function note(reached: Map<number, Reached>, found: readonly Stated[], hop: number): void {
  for (const stated of found) {
    if (!reached.has(stated.causeNo)) reached.set(stated.causeNo, { stated, hop });
  }
}

const endsOf = ({ causeNode, effectNode }: Stated, way: Way): readonly number[] =>
  way === 'effects' ? [effectNode] : [causeNode, effectNode];

/** Equal for statements of the same two nodes, in whatever order. */
const pairOf = ({ causeNode, effectNode }: Stated): string =>
  [causeNode, effectNode].toSorted((a, b) => a - b).join(' ');

/** A statement as the graph takes it. */
export const storedEdge = (said: Said): StoredEdge => ({
  memory_id: said.memoryId,
  cause: said.cause,
  effect: said.effect,
  relation: said.relation,
  confidence: said.confidence,
  evidence: said.evidence,
  language: said.language,
  pattern: said.pattern,
  cue: said.cue,
  valid_at: new Date(said.validAt).toISOString(),
  invalid_at: said.invalidAt === null ? null : new Date(said.invalidAt).toISOString(),
});
