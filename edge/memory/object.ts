import { EMBEDDING_SIZE } from '../../engine/memory.ts';
import { createCausalGraph } from '../causal/graph.ts';
import type { CausalNeighbourhood, CausalPath } from './contract/causal.ts';
import type { FoundCausalNode } from './contract/graph.ts';
import type { Env } from '../env.ts';
import {
  conditionOf,
  type ExportPage,
  type Filters,
  type Found,
  foundCause,
  type MemoryCounts,
  type Hit,
  type MemoryEntry,
  type MemoryPage,
  type ListRange,
  type NewEntry,
  type Orchestrated,
  type Query,
  RENEWED,
  type Search,
  type StoreResult,
  type MemoryEntryWithCauses,
} from './records.ts';
import { AssociativeRecall } from './associative-recall.ts';
import { MemoryWriter } from './writer.ts';
import { CausalStatements } from './causes.ts';
import {
  complete,
  type GraphRange,
  CausalGraphReader,
  CausalNodeSearch,
  type NodeRange,
  type PathRange,
  storedEdge,
} from './causal-graph.ts';
import { MemoryMetrics, type WhyDeleted } from './metrics.ts';
import { ExternalVectorIndex } from './external-index.ts';
import { MEMORY_MIGRATIONS } from './schema.ts';
import {
  MIN_SIMILARITY,
  MemorySearch,
  MAX_STATED_CAUSES,
  type Recalled,
  type Searched,
} from './search.ts';
import { MemoryStore } from './store.ts';
import { MemoryText } from './text-index.ts';
import { MemoryVectors } from './vectors.ts';
import { migrate } from '../storage/migrate.ts';
import { StoredObject } from '../storage/stored-object.ts';

/** The maximum number of vectors compared exhaustively; beyond it, memories are found by words. */
const MAX_VECTORS = 50_000;
/** The number of memories requested from the associative network, before filtering. */
const MAX_RECALLED = 200;
/** The maximum number of edges in a response. */
const MAX_EDGES = 200;
/** The number of memories deleted in one turn, to leave turns to others. */
const DELETED_AT_ONCE = 200;
/** The delay that lets the responses to deletions out before the database is closed. */
const RENEW_MS = 100;

/** The memories of one namespace. Storage is the only truth; the vectors are a copy of it. */
export class Memory extends StoredObject {
  readonly #store: MemoryStore;
  readonly #vectors: MemoryVectors;
  readonly #causes: CausalStatements;
  readonly #associations: AssociativeRecall;
  readonly #writer: MemoryWriter;
  readonly #search: MemorySearch;
  readonly #graph: CausalGraphReader;
  readonly #nodes: CausalNodeSearch;
  readonly #external: ExternalVectorIndex;
  readonly #meters: MemoryMetrics;
  #isEnding = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, MEMORY_MIGRATIONS, { leftOut: ['held'], mayHold: { memories: 0 } });
    const { sql } = ctx.storage;
    const store = new MemoryStore(sql);
    const parts = {
      store,
      text: new MemoryText(sql),
      vectors: new MemoryVectors(sql, EMBEDDING_SIZE, MAX_VECTORS),
      causes: new CausalStatements(sql, store.contentsOf),
    };
    this.#store = store;
    this.#vectors = parts.vectors;
    this.#causes = parts.causes;
    this.#associations = new AssociativeRecall(sql);
    this.#writer = new MemoryWriter(parts, (write) => ctx.storage.transactionSync(write));
    this.#search = new MemorySearch(parts);
    this.#graph = new CausalGraphReader(parts.causes);
    this.#nodes = new CausalNodeSearch(parts);
    this.#external = new ExternalVectorIndex(env, ctx.id.toString());
    this.#meters = new MemoryMetrics(env);
  }

  protected override derive(): void {
    this.ctx.storage.sql.exec('UPDATE held SET memories = (SELECT count(*) FROM memories)');
    this.#writer.indexAll();
  }

  /** Stores all of these or, where one fails, none. */
  async store(entries: readonly NewEntry[]): Promise<readonly StoreResult[]> {
    const results = this.#writer.store(entries, Date.now());
    this.#associations.forget();
    this.#meters.stored(
      results,
      entries.reduce((sum, { findings }) => sum + findings.length, 0),
    );
    await this.#external.added(entries, results);
    await this.#arm();
    return results;
  }

  /** A memory that exists and has not expired. */
  find(memoryId: string): MemoryEntryWithCauses | undefined {
    const seq = this.#store.seqOf(memoryId);
    const kept = seq === undefined ? undefined : this.#store.byNumber([seq]).get(seq);
    if (seq === undefined || !kept) return undefined;
    const isOver = kept.expires_at && Date.parse(kept.expires_at) <= Date.now();
    return isOver ? undefined : this.#whole(new Map([[seq, kept]]))[0];
  }

  list(range: ListRange, filters: Filters): MemoryPage {
    return this.#store.page(range, conditionOf(filters, Date.now()));
  }

  async retrieve({ query, filters, offset, limit, minScore }: Search): Promise<Found> {
    const recalled = await this.#recall(query);
    const found = await this.#found(query, filters, recalled);
    const { ranked, strategy } = found;
    const truncated = recalled ? this.#associations.isPartial : found.truncated;
    const enough = ranked.filter(({ score }) => score >= minScore);
    const hits = this.#hits(enough.slice(offset, offset + limit));
    this.#meters.found(strategy, hits.length);
    return { hits, hasMore: enough.length > offset + limit, strategy, truncated };
  }

  async orchestrate({ query, filters, limit }: Search): Promise<Orchestrated> {
    const found = await this.#found(query, filters, undefined);
    const hits = this.#hits(found.ranked.slice(0, limit));
    const limits = { condition: found.condition, maxStatements: MAX_STATED_CAUSES };
    const { reached, isCut } = complete(this.#causes, found, limits);
    const statements = this.#causes.read(reached.map(({ statement }) => statement));
    const { edges } = createCausalGraph(statements.map(storedEdge));
    this.#meters.found(found.strategy, hits.length);
    return {
      hits,
      edges: edges.slice(0, MAX_EDGES),
      hops: Math.max(0, ...reached.map(({ hop }) => hop)),
      strategy: found.strategy,
      truncated: found.truncated || isCut || edges.length > MAX_EDGES,
    };
  }

  graph(range: GraphRange): CausalNeighbourhood {
    return this.#graph.neighbourhood(range);
  }

  nodes(range: NodeRange): readonly FoundCausalNode[] {
    return this.#nodes.search(range);
  }

  path(range: PathRange): CausalPath {
    return this.#graph.path(range);
  }

  /** Erases a memory. @returns whether it existed */
  async remove(memoryId: string): Promise<boolean> {
    const seq = this.#store.seqOf(memoryId);
    if (seq === undefined) return false;
    await this.#delete([seq], 'deleted');
    this.#renewSoon();
    return true;
  }

  /** Erases the memories about or from a user. @returns their number */
  async erase(userId: string): Promise<number> {
    let erased = 0;
    for (;;) {
      const seqs = this.#store.ofUser(userId, DELETED_AT_ONCE);
      if (seqs.length === 0) break;
      await this.#delete(seqs, 'erased');
      erased += seqs.length;
      await scheduler.wait(0);
    }
    if (erased > 0) this.#renewSoon();
    return erased;
  }

  /** The number of memories, including expired ones that are not deleted yet. */
  count(): number {
    return this.#store.count();
  }

  /** The number of memories that `erase` would delete. */
  heldOf(userId: string): number {
    return this.#store.countOf(userId);
  }

  /** Memories of one user or of all, in the order of storing. */
  exported(userId: string | undefined, after: number, limit: number): ExportPage {
    const { memories, next } = this.#store.after(after, { userId, limit, now: Date.now() });
    return { memories: this.#whole(memories), next };
  }

  #whole(memories: ReadonlyMap<number, MemoryEntry>): readonly MemoryEntryWithCauses[] {
    const bySeq = Map.groupBy(this.#causes.inMemories([...memories.keys()]), ({ seq }) => seq);
    return [...memories].map(([seq, memory]) => ({
      ...memory,
      causal_edges: (bySeq.get(seq) ?? []).map(foundCause),
    }));
  }

  stats(): MemoryCounts {
    const { edges, evidence } = this.#causes.counts();
    return { ...this.#store.held(), edges, evidence, vectors: this.#vectors.count };
  }

  /** Erases everything. @returns the number of memories */
  async drop(): Promise<number> {
    const { memories } = this.#store.held();
    await this.#external.removed(this.#store.allIds());
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    migrate(this.ctx.storage, MEMORY_MIGRATIONS);
    this.#vectors.reload();
    this.#associations.forget();
    this.#meters.deleted('dropped', memories);
    this.#renewSoon();
    return memories;
  }

  /**
   * It may fire late or twice: expired memories are deleted, and the alarm is armed for the next.
   */
  override async alarm(): Promise<void> {
    await this.#delete(this.#store.expired(Date.now(), DELETED_AT_ONCE), 'expired');
    await this.#arm();
  }

  async #recall({ vector, isCue }: Query): Promise<Recalled | undefined> {
    return isCue && vector ? this.#associations.recall(vector, MAX_RECALLED) : undefined;
  }

  async #found(query: Query, filters: Filters, recalled: Recalled | undefined): Promise<Searched> {
    const { vector } = query;
    const isBeyond = vector !== null && !recalled && this.#vectors.isPartial;
    const alike = isBeyond ? await this.#external.search(vector, MIN_SIMILARITY) : undefined;
    const external = alike?.flatMap(({ memoryId, similarity }) => {
      const seq = this.#store.seqOf(memoryId);
      return seq === undefined ? [] : [{ seq, similarity }];
    });
    return this.#search.search(query, filters, { now: Date.now(), recalled, external });
  }

  #hits(ranked: readonly { seq: number; score: number; breakdown: Hit['breakdown'] }[]): Hit[] {
    const kept = this.#store.byNumber(ranked.map(({ seq }) => seq));
    return ranked.flatMap(({ seq, score, breakdown }) => {
      const memory = kept.get(seq);
      return memory ? [{ ...memory, score, breakdown }] : [];
    });
  }

  async #delete(seqs: readonly number[], why: WhyDeleted): Promise<void> {
    const ids = this.#store.idsOf(seqs);
    this.#writer.remove(seqs);
    this.#associations.forget();
    this.#meters.deleted(why, seqs.length);
    await this.#external.removed(ids);
  }

  /**
   * Earlier versions of pages remain in SQLite's write-ahead log, which only closing the database
   * empties, as the runtime allows no checkpoint. So the object ends once its writes are safe, and
   * starts again with the next call.
   */
  #renewSoon(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    setTimeout(() => void this.#renew(), RENEW_MS);
  }

  async #renew(): Promise<void> {
    await this.#meters.report();
    await this.ctx.storage.sync();
    this.ctx.abort(RENEWED);
  }

  async #arm(): Promise<void> {
    const first = this.#store.firstExpiry();
    if (first === undefined) return;
    const armed = await this.ctx.storage.getAlarm();
    if (armed === null || armed > first) await this.ctx.storage.setAlarm(first);
  }
}
