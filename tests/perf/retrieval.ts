import { MemoryText, termsOf } from '../../edge/memory/text-index.ts';
import { vectorsOf } from '../../edge/memory/embedding.ts';
import { MemoryWriter } from '../../edge/memory/writer.ts';
import { CausalStatements } from '../../edge/memory/causes.ts';
import { MEMORY_MIGRATIONS } from '../../edge/memory/schema.ts';
import { MemorySearch } from '../../edge/memory/search.ts';
import { MemoryStore } from '../../edge/memory/store.ts';
import { MemoryVectors } from '../../edge/memory/vectors.ts';
import { EMBEDDING_SIZE } from '../../engine/memory.ts';
import { openSql } from '../edge/sqlite.ts';
import { randomSource } from '../engine/random.ts';
import { median } from './report.ts';
import { LANGUAGES, type Language, perturb, perturbations, readSentences } from './sentences.ts';

/**
 * How well memories are found by words and likeness together, and what their scores say: a sentence asked for in
 * another form among 5,000, and questions about what none of them says, of sentences that were left out.
 * Run by hand: `node tests/perf/retrieval.ts`.
 */
const SENTENCES = 5_000;
const QUERIES = 200;
const NOW = 2_000;

for (const language of LANGUAGES) await show(language);

async function show(language: Language): Promise<void> {
  const all = readSentences(language, SENTENCES + QUERIES);
  const stored = all.slice(0, SENTENCES);
  const ask = await filled(stored);
  const from = randomSource(1);
  for (const [kind, change] of Object.entries(perturbations)) {
    const places = Array.from({ length: QUERIES }, () => Math.floor(from.uniform(0, SENTENCES)));
    const queries = places.map((i) => perturb(stored[i] ?? '', language, change, from));
    const began = performance.now();
    const found = await ask(queries);
    const ms = (performance.now() - began) / QUERIES;
    const first = found.filter(({ places: [best] }, q) => best === places[q]).length;
    const scores = found.map(({ score }) => score);
    print({ language, kind, first: first / QUERIES, ...spread(scores), ms: Number(ms.toFixed(2)) });
  }
  const unrelated = await ask(all.slice(SENTENCES));
  print({ language, kind: 'left out', ...spread(unrelated.map(({ score }) => score)) });
}

/** Memories of these texts, and what finds the best of them for each of some queries. */
async function filled(contents: readonly string[]) {
  const sql = openSql(MEMORY_MIGRATIONS);
  const store = new MemoryStore(sql);
  const parts = {
    store,
    text: new MemoryText(sql),
    vectors: new MemoryVectors(sql, EMBEDDING_SIZE, 50_000),
    causes: new CausalStatements(sql, store.contentsOf),
  };
  const book = new MemoryWriter(parts, (write) => write());
  const search = new MemorySearch(parts);
  const vectors = await vectorsOf(contents);
  const facts = { userId: null, sessionId: null, tags: [], metadata: {}, importance: 0.5 };
  const entries = contents.map((content, i) => ({
    ...{ ...facts, occurredAt: null, ttlS: null, replaces: [], findings: [] },
    content,
    vector: vectors[i] ?? new Int8Array(EMBEDDING_SIZE),
  }));
  const stored = book.store(entries, 1_000);
  const seqs = stored.map(({ memoryId }) => store.seqOf(memoryId));
  return async (queries: readonly string[]) => {
    const asked = await vectorsOf(queries);
    return queries.map((query, i) => {
      const vector = asked[i] ?? null;
      const wanted = { terms: termsOf(query), vector, isCue: false, hops: 0 };
      const { ranked } = search.search(wanted, { asOf: NOW }, { now: NOW });
      const places = ranked.slice(0, 1).map(({ seq }) => seqs.indexOf(seq));
      return { places, score: ranked[0]?.score ?? 0 };
    });
  };
}

function spread(scores: readonly number[]) {
  const sorted = scores.toSorted((a, b) => a - b);
  const round = (score: number | undefined) => Number((score ?? 0).toFixed(3));
  return {
    p5: round(sorted[Math.floor(0.05 * sorted.length)]),
    p50: round(median(sorted)),
    p95: round(sorted[Math.floor(0.95 * sorted.length)]),
  };
}

function print(line: object): void {
  console.log(JSON.stringify(line));
}
