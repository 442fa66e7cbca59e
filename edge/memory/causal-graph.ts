import {
  type CausalGraph,
  createCausalGraph,
  type Direction,
  type StoredEdge,
} from '../causal/graph.ts';
import { nodeKey } from '../causal/corroboration.ts';
import type {
  CausalStatements,
  CausalStatement,
  StatementRef,
  TraversalDirection,
} from './causes.ts';
import type { CausalNeighbourhood, CausalPath } from './contract/causal.ts';
import type { FoundCausalNode } from './contract/graph.ts';
import { type Condition, conditionOf } from './records.ts';
import { nodeNumber } from './sealing.ts';
import type { MemoryText } from './text-index.ts';

/** A statement of a cause, and the step in which it was reached, from 1. */
export interface Reached {
  readonly statement: StatementRef;
  readonly hop: number;
}

interface Traversed {
  readonly reached: readonly Reached[];
  /** Whether there are more than `maxStatements`. */
  readonly isCut: boolean;
}

interface Traversal {
  readonly hops: number;
  readonly direction: TraversalDirection;
  readonly condition: Condition;
  /** The maximum number of statements. */
  readonly maxStatements: number;
}

/** Traverses the graph from statements to others about their causes and effects, breadth first. */
export function traverse(
  causes: CausalStatements,
  first: readonly StatementRef[],
  { hops, direction, condition, maxStatements }: Traversal,
): Traversed {
  const reached = new Map<number, Reached>();
  const nodes = new Set<number>();
  let found = hops > 0 ? first : [];
  let isCut = found.length >= maxStatements;
  for (let hop = 1; found.length > 0; hop++) {
    note(reached, found, hop);
    const ends = found.flatMap((statement) => endsOf(statement, direction));
    const fresh = [...new Set(ends)].filter((node) => !nodes.has(node));
    for (const node of fresh) nodes.add(node);
    found =
      hop < hops && !isCut
        ? causes.around(fresh, { direction, condition, limit: maxStatements })
        : [];
    isCut ||= found.length >= maxStatements;
  }
  return { reached: [...reached.values()].slice(0, maxStatements), isCut };
}

/**
 * Adds the other statements about the same pairs of nodes, so that what was reached is as certain,
 * and as contested, as in the whole graph.
 */
export function complete(
  causes: CausalStatements,
  { reached, isCut }: Traversed,
  { condition, maxStatements }: Pick<Traversal, 'condition' | 'maxStatements'>,
): Traversed {
  const hopOf = new Map(reached.map(({ statement, hop }) => [pairOf(statement), hop]));
  const all = new Map(reached.map((one) => [one.statement.causeNo, one]));
  const nodes = new Set(reached.flatMap(({ statement }) => endsOf(statement, 'both')));
  for (const statement of causes.between([...nodes], condition, maxStatements)) {
    const hop = hopOf.get(pairOf(statement));
    if (hop !== undefined) note(all, [statement], hop);
  }
  return { reached: [...all.values()], isCut: isCut || all.size >= 2 * maxStatements };
}

/** The first step in which a statement is reached counts. */
function note(reached: Map<number, Reached>, found: readonly StatementRef[], hop: number): void {
  for (const statement of found) {
    if (!reached.has(statement.causeNo)) reached.set(statement.causeNo, { statement, hop });
  }
}

const endsOf = (
  { causeNode, effectNode }: StatementRef,
  direction: TraversalDirection,
): readonly number[] => (direction === 'effects' ? [effectNode] : [causeNode, effectNode]);

/** Equal for statements about the same two nodes, in either order. */
const pairOf = ({ causeNode, effectNode }: StatementRef): string =>
  [causeNode, effectNode].toSorted((a, b) => a - b).join(' ');

/** A statement in the form of the graph. */
export const storedEdge = (statement: CausalStatement): StoredEdge => ({
  memory_id: statement.memoryId,
  cause: statement.cause,
  effect: statement.effect,
  relation: statement.relation,
  confidence: statement.confidence,
  evidence: statement.evidence,
  language: statement.language,
  pattern: statement.pattern,
  cue: statement.cue,
  valid_at: new Date(statement.validAt).toISOString(),
  invalid_at: statement.invalidAt === null ? null : new Date(statement.invalidAt).toISOString(),
});

/** The maximum number of statements in a neighbourhood or a path. */
const MAX_GRAPH_STATEMENTS = 5_000;
/** Without seeds, the nodes of this many of the most confident statements are used. */
const STRONGEST = 50;

export interface GraphRange {
  readonly nodes: readonly string[];
  readonly hops: number;
  readonly direction: Direction;
  /** The maximum number of nodes shown. */
  readonly limit: number;
  /** Epoch milliseconds. */
  readonly asOf: number;
}

export interface PathRange {
  readonly from: string;
  readonly to: string;
  readonly hops: number;
  readonly asOf: number;
}

/** The causal graph of the memories, of which only the requested part is read from the store. */
export class CausalGraphReader {
  readonly #causes: CausalStatements;

  constructor(causes: CausalStatements) {
    this.#causes = causes;
  }

  /** The neighbourhood of some nodes; of the most confident edges where none is named. */
  neighbourhood({ nodes, hops, direction, limit, asOf }: GraphRange): CausalNeighbourhood {
    const condition = conditionOf({ asOf }, Date.now());
    const strongest = nodes.length > 0 ? [] : this.#causes.all(condition, STRONGEST);
    const seeds = [
      ...nodes,
      ...this.#causes.read(strongest).flatMap(({ cause, effect }) => [cause, effect]),
    ];
    // One step more, as each node reports the number of its edges.
    const { graph, isCut } = this.#graph(seeds, { hops: hops + 1, direction: 'both', condition });
    const found = graph.neighbourhood(seeds, { hops, direction, nodes: limit });
    return { ...found, truncated: found.truncated || isCut };
  }

  path({ from, to, hops, asOf }: PathRange): CausalPath {
    const condition = conditionOf({ asOf }, Date.now());
    const { graph } = this.#graph([from], { hops, direction: 'effects', condition });
    return graph.path(from, to, hops);
  }

  #graph(
    seeds: readonly string[],
    traversal: Omit<Traversal, 'maxStatements'>,
  ): { readonly graph: CausalGraph; readonly isCut: boolean } {
    const { direction, condition } = traversal;
    const numbers = [...new Set(seeds.map(nodeNumber))];
    const first = this.#causes.around(numbers, {
      direction,
      condition,
      limit: MAX_GRAPH_STATEMENTS,
    });
    const limits = { ...traversal, maxStatements: MAX_GRAPH_STATEMENTS };
    const traversed = traverse(this.#causes, first, limits);
    const { reached, isCut } = complete(this.#causes, traversed, limits);
    const statements = this.#causes.read(reached.map(({ statement }) => statement));
    return { graph: createCausalGraph(statements.map(storedEdge)), isCut };
  }
}

/** The maximum number of matching memories to read for nodes. */
const MAX_MEMORIES = 200;
/** The maximum number of their statements to read, the most confident first. */
const MAX_NODE_STATEMENTS = 2_000;

export interface NodeRange {
  /** Terms as in the text index. */
  readonly terms: readonly string[];
  readonly limit: number;
  /** Epoch milliseconds. */
  readonly asOf: number;
}

interface Candidate extends FoundCausalNode {
  /** The number of terms it contains. */
  readonly termCount: number;
}

/** Finds causes and effects by their words: the text index narrows down the memories. */
export class CausalNodeSearch {
  readonly #parts: { readonly text: MemoryText; readonly causes: CausalStatements };

  constructor(parts: { readonly text: MemoryText; readonly causes: CausalStatements }) {
    this.#parts = parts;
  }

  /** By the number of terms contained, then of statements, then the shortest. */
  search({ terms, limit, asOf }: NodeRange): readonly FoundCausalNode[] {
    const { text, causes } = this.#parts;
    const condition = conditionOf({ asOf }, Date.now());
    const stated = causes.ofMemories(text.search(terms, condition, MAX_MEMORIES).seqs, condition);
    const found = new Map<string, Candidate>();
    for (const { cause, effect } of causes.read(stated.slice(0, MAX_NODE_STATEMENTS))) {
      for (const label of [cause, effect]) {
        const key = nodeKey(label);
        const known = found.get(key);
        const termCount = known?.termCount ?? terms.filter((term) => key.includes(term)).length;
        const statements = (known?.statements ?? 0) + 1;
        if (termCount > 0)
          found.set(key, { key, label: known?.label ?? label, statements, termCount });
      }
    }
    return [...found.values()]
      .toSorted(byFit)
      .slice(0, limit)
      .map(({ key, label, statements }) => ({ key, label, statements }));
  }
}

const byFit = (a: Candidate, b: Candidate) =>
  b.termCount - a.termCount ||
  b.statements - a.statements ||
  a.key.length - b.key.length ||
  (a.key < b.key ? -1 : 1);
