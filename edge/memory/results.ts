import type { CausalFinding } from '../causal/extract.ts';
import type { CausalEdge } from './contract/causal.ts';
import type { FoundCause, MemoryRecord } from './contract/memory.ts';
import type { Ranked } from './ranking.ts';

/** A memory as it comes to its object: what can be worked out elsewhere is. */
export interface NewEntry {
  readonly content: string;
  readonly userId: string | null;
  readonly sessionId: string | null;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly importance: number;
  /** Epoch milliseconds; null for now. */
  readonly occurredAt: number | null;
  readonly ttlS: number | null;
  readonly replaces: readonly string[];
  readonly vector: Int8Array;
  readonly findings: readonly CausalFinding[];
}

export interface StoreResult {
  readonly memoryId: string;
  readonly createdAt: number;
  readonly deduplicated: boolean;
}

/** Which memories are meant. Each tag that is named has to be there. */
export interface Filters {
  readonly userId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Epoch milliseconds. */
  readonly asOf: number;
}

/** A page of a list, from its end. */
export interface ListRange {
  readonly limit: number;
  readonly before: number;
}

export type Kept = Omit<MemoryRecord, 'namespace'>;

/** A memory with the causes that its text names. */
export type WholeKept = Kept & { readonly causal_edges: readonly FoundCause[] };

export interface KeptPage {
  readonly memories: readonly Kept[];
  readonly total: number;
  /** Where the next page begins; undefined after the last. */
  readonly next: number | undefined;
}

/** What is looked for, in each of the ways there are; null for a way that is not to be taken. */
export interface Query {
  readonly terms: readonly string[] | null;
  readonly vector: Int8Array | null;
  /** Whether the vector is a cue to the associative network, in place of being compared. */
  readonly isCue: boolean;
  /** How many steps along causes are taken from what was found. */
  readonly hops: number;
}

export interface Search {
  readonly query: Query;
  readonly filters: Filters;
  readonly offset: number;
  readonly limit: number;
  readonly minScore: number;
}

export type Hit = Kept & Pick<Ranked, 'score' | 'breakdown'>;

export interface Found {
  readonly hits: readonly Hit[];
  readonly hasMore: boolean;
  /** What took part. */
  readonly strategy: string;
  readonly truncated: boolean;
}

/** What was found, and what it and its surroundings say of causes, the most confident first. */
export interface Orchestrated extends Omit<Found, 'hasMore'> {
  readonly edges: readonly CausalEdge[];
  /** How many steps the furthest of them is away. */
  readonly hops: number;
}

/** Part of an export, in the order in which memories were stored. */
export interface ExportPage {
  readonly memories: readonly WholeKept[];
  /** After which memory the next part begins; undefined after the last. */
  readonly next: number | undefined;
}

export interface Held {
  readonly memories: number;
  readonly users: number;
  readonly edges: number;
  readonly evidence: number;
  readonly vectors: number;
  readonly storageBytes: number;
  readonly firstValidAt: number | null;
  readonly lastValidAt: number | null;
}
