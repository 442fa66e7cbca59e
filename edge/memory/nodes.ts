import { nodeKey } from '../causal/node-key.ts';
import type { FoundCausalNode } from './contract/graph.ts';
import type { MemoryCauses } from './causes.ts';
import { conditionOf } from './condition.ts';
import type { MemoryText } from './text.ts';

/** Memories with the words that are read for the nodes they name. */
const MOST_MEMORIES = 200;
/** Statements that are read of them, the most confident first. */
const MOST_SAID = 2_000;

export interface NodeRange {
  /** Words as the index of texts has them. */
  readonly terms: readonly string[];
  readonly limit: number;
  /** Epoch milliseconds. */
  readonly asOf: number;
}

interface Candidate extends FoundCausalNode {
  /** How many of the terms it holds. */
  readonly held: number;
}

/** Causes and effects by their words: the index of texts says which memories can name them. */
export class MemoryNodes {
  readonly #parts: { readonly text: MemoryText; readonly causes: MemoryCauses };

  constructor(parts: { readonly text: MemoryText; readonly causes: MemoryCauses }) {
    this.#parts = parts;
  }

  /** Those with most of the terms first, of these the most named, then the shortest. */
  search({ terms, limit, asOf }: NodeRange): readonly FoundCausalNode[] {
    const { text, causes } = this.#parts;
    const meant = conditionOf({ asOf }, Date.now());
    const stated = causes.ofMemories(text.search(terms, meant, MOST_MEMORIES).seqs, meant);
    const found = new Map<string, Candidate>();
    for (const { cause, effect } of causes.said(stated.slice(0, MOST_SAID))) {
      for (const label of [cause, effect]) {
        const key = nodeKey(label);
        const known = found.get(key);
        const held = known?.held ?? terms.filter((term) => key.includes(term)).length;
        const statements = (known?.statements ?? 0) + 1;
        if (held > 0) found.set(key, { key, label: known?.label ?? label, statements, held });
      }
    }
    return [...found.values()]
      .toSorted(byFit)
      .slice(0, limit)
      .map(({ key, label, statements }) => ({ key, label, statements }));
  }
}

const byFit = (a: Candidate, b: Candidate) =>
  b.held - a.held ||
  b.statements - a.statements ||
  a.key.length - b.key.length ||
  (a.key < b.key ? -1 : 1);
