import {
  type CausalEdge,
  type CausalRelation,
  type CausalSupport,
  MAX_SUPPORTS,
} from '../memory/contract/causal.ts';

/**
 * The identity of a node: the text in NFKC and lowercase, with single spaces, without punctuation
 * around it and without a leading article. Synonyms are distinct, as there is no dictionary.
 */
export function nodeKey(text: string): string {
  const folded = text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
  const bare = folded.replace(LEADING_MARKS, '').replace(ARTICLE, '');
  return bare.slice(0, endWithoutMarks(bare)) || folded || text;
}

const LEADING_MARKS = /^[\p{P}\p{Z}]+/u;
const ARTICLE = /^(?:the|an?) (?=\S)/;

/** By hand: a pattern ending in $ would search for its end at every punctuation mark. */
function endWithoutMarks(text: string): number {
  let end = text.length;
  while (end > 0 && /[\p{P}\p{Z}]/u.test(text.charAt(end - 1))) end -= 1;
  return end;
}

/** A stored statement of one memory. */
export interface StoredEdge extends CausalSupport {
  readonly cause: string;
  readonly effect: string;
  readonly relation: CausalRelation;
  /** ISO 8601 in UTC, as `toISOString` writes it. */
  readonly valid_at: string;
  /** Null while the memory holds. */
  readonly invalid_at: string | null;
}

/** An edge and the keys of its nodes. */
export interface KeyedEdge {
  readonly from: string;
  readonly to: string;
  readonly edge: CausalEdge;
}

/** Whether a relation speaks for the effect. */
const brings = (relation: CausalRelation) => relation !== 'prevents' && relation !== 'correlates';

/** 1 - product of (1 - confidence): the combined confidence of independent statements. */
function noisyOr(confidences: readonly number[]): number {
  const doubt = confidences.toSorted((a, b) => a - b).reduce((left, each) => left * (1 - each), 1);
  return Math.min(1, Math.max(0, 1 - doubt));
}

/**
 * Merges all statements with the same nodes and relation into one edge, independently of their
 * order; a sentence repeated by several memories counts once. Causing and preventing the same
 * effect remain two edges, both marked as contradicted.
 */
export function corroborate(stored: Iterable<StoredEdge>): KeyedEdge[] {
  const groups = new Map<string, { from: string; to: string; statements: StoredEdge[] }>();
  for (const statement of stored) {
    const [from, to] = nodesOf(statement);
    if (from === to) continue;
    const key = JSON.stringify([from, to, statement.relation]);
    const group = groups.get(key);
    if (group) group.statements.push(statement);
    else groups.set(key, { from, to, statements: [statement] });
  }
  const sides = sidesOf([...groups.values()]);
  return Array.from(groups.values(), ({ from, to, statements }) => {
    const { for: pro, against } = sides.get(JSON.stringify([from, to])) ?? NO_SIDES;
    const relation = statements[0]?.relation ?? 'causes';
    const contradicted = pro && against && relation !== 'correlates';
    return { from, to, edge: merged(statements, contradicted) };
  });
}

/** A correlation has no direction: its nodes are in the order of their keys. */
function nodesOf({ cause, effect, relation }: StoredEdge): [from: string, to: string] {
  const [from, to] = [nodeKey(cause), nodeKey(effect)];
  return relation === 'correlates' && to < from ? [to, from] : [from, to];
}

interface Sides {
  readonly for: boolean;
  readonly against: boolean;
}
const NO_SIDES: Sides = { for: false, against: false };

function sidesOf(
  groups: readonly { from: string; to: string; statements: readonly StoredEdge[] }[],
): Map<string, Sides> {
  const sides = new Map<string, Sides>();
  for (const { from, to, statements } of groups) {
    const key = JSON.stringify([from, to]);
    const known = sides.get(key) ?? NO_SIDES;
    const relation = statements[0]?.relation ?? 'correlates';
    sides.set(key, {
      for: known.for || brings(relation),
      against: known.against || relation === 'prevents',
    });
  }
  return sides;
}

function merged(statements: readonly StoredEdge[], contradicted: boolean): CausalEdge {
  const ranked = statements.toSorted(byConfidence);
  const [best] = ranked;
  if (!best) throw new TypeError('corroborate: expected at least one statement (got 0)');
  const distinct = [
    ...new Map(ranked.toReversed().map((each) => [nodeKey(each.evidence), each])).values(),
  ].toSorted(byConfidence);
  const { cause, effect } = inKeyOrder(best);
  return {
    cause,
    effect,
    relation: best.relation,
    confidence: noisyOr(distinct.map(({ confidence }) => confidence)),
    evidence: best.evidence,
    evidence_memory_ids: [...new Set(ranked.map(({ memory_id }) => memory_id))].toSorted(),
    supports: distinct.slice(0, MAX_SUPPORTS).map(supportOf),
    contradicted,
    valid_at: ranked.map(({ valid_at }) => valid_at).toSorted()[0] ?? best.valid_at,
    invalid_at: lastEnd(ranked),
  };
}

/**
 * The words of a correlation in the order of its nodes, as two memories may name them either way
 * round.
 */
function inKeyOrder(statement: StoredEdge): { cause: string; effect: string } {
  const { cause, effect } = statement;
  const [from] = nodesOf(statement);
  return from === nodeKey(cause) ? { cause, effect } : { cause: effect, effect: cause };
}

/** A total order, so that the result does not depend on the input order. */
function byConfidence(a: StoredEdge, b: StoredEdge): number {
  return (
    b.confidence - a.confidence ||
    compare(a.memory_id, b.memory_id) ||
    compare(a.evidence, b.evidence) ||
    compare(a.cause, b.cause) ||
    compare(a.effect, b.effect) ||
    compare(a.cue, b.cue)
  );
}

export const compare = (a: string, b: string) => Number(a > b) - Number(a < b);

function supportOf(statement: StoredEdge): CausalSupport {
  const { memory_id, evidence, confidence, language, pattern, cue } = statement;
  return { memory_id, evidence, confidence, language, pattern, cue };
}

function lastEnd(statements: readonly StoredEdge[]): string | null {
  const ends = statements.map(({ invalid_at }) => invalid_at);
  if (ends.includes(null)) return null;
  return (
    ends
      .filter((end) => end !== null)
      .toSorted()
      .at(-1) ?? null
  );
}
