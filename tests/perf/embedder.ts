import { normaliseText } from '../../engine/memory/normalise-text.ts';
import { createTextEmbedder, similarity, type TextEmbedder } from '../../engine/memory.ts';
import { randomSource } from '../engine/random.ts';
import { note } from './report.ts';
import { LANGUAGES, type Language, perturb, perturbations, readSentences } from './sentences.ts';

/**
 * How well embeddings find a sentence that is written again in another way, beside plain counts of hashed
 * n-grams under the cosine, and how fast they are. Run by hand: `node tests/perf/embedder.ts`.
 */
const SENTENCES = 5000;
const QUERIES = 300;
const SPEED_TEXTS = 5000;
const SPEED_CHARACTERS = 200;
const MEBI = 2 ** 20;

const embedder = await createTextEmbedder();
await showSpeed(embedder);
for (const language of LANGUAGES) await showQuality(embedder, language);
embedder.close();

async function showSpeed({ embed }: TextEmbedder): Promise<void> {
  const text = readSentences('en', SENTENCES).join(' ');
  const texts = Array.from({ length: SPEED_TEXTS }, (_, i) => {
    const first = (i * SPEED_CHARACTERS) % (text.length - SPEED_CHARACTERS);
    return text.slice(first, first + SPEED_CHARACTERS);
  });
  // The first time for the compiler.
  for (const name of ['warming up', 'texts of 200 characters']) {
    const before = process.cpuUsage();
    const started = performance.now();
    await embed(texts);
    const perSecond = (1000 * texts.length) / (performance.now() - started);
    const { user, system } = process.cpuUsage(before);
    const micros = (user + system) / texts.length;
    note(`${name}: ${perSecond.toFixed(0)} a second, ${micros.toFixed(1)} us of processor each`);
  }
  const long = text.repeat(Math.ceil(MEBI / text.length)).slice(0, MEBI);
  const started = performance.now();
  await embed([long]);
  note(`a text of ${MEBI} characters: ${(performance.now() - started).toFixed(0)} ms`);
}

async function showQuality({ embed }: TextEmbedder, language: Language): Promise<void> {
  const sentences = readSentences(language, SENTENCES);
  const embedded = await embed(sentences);
  const counted = countedIndex(sentences);
  const from = randomSource(1);
  for (const [kind, change] of Object.entries(perturbations)) {
    const asked = Array.from({ length: QUERIES }, () =>
      Math.floor(from.uniform(0, sentences.length)),
    );
    const queries = asked.map((i) => perturb(sentences[i] ?? '', language, change, from));
    const vectors = await embed(queries);
    const bySpikes = vectors.map((vector) => placeOfBest(embedded, (e) => similarity(vector, e)));
    const byCounts = queries.map((query) => counted(query));
    const recall = (found: readonly number[]) =>
      found.filter((place, q) => place === asked[q]).length / QUERIES;
    console.log(
      JSON.stringify({
        ...{ language, kind, among: SENTENCES, queries: QUERIES },
        ...{ recallSpikes: recall(bySpikes), recallCounts: recall(byCounts) },
      }),
    );
  }
}

function placeOfBest<T>(all: readonly T[], score: (one: T) => number): number {
  let [best, place] = [-Infinity, -1];
  for (const [i, one] of all.entries()) {
    const its = score(one);
    if (its > best) [best, place] = [its, i];
  }
  return place;
}

/** Counts of n-grams of 2 to 4 characters under the cosine: which sentence is nearest to a query. */
function countedIndex(sentences: readonly string[]): (query: string) => number {
  const postings = new Map<string, [sentence: number, count: number][]>();
  const norms = sentences.map((sentence, i) => {
    const counts = countGrams(sentence);
    for (const [gram, count] of counts) {
      const known = postings.get(gram) ?? [];
      known.push([i, count]);
      postings.set(gram, known);
    }
    return Math.hypot(...counts.values());
  });
  return (query) => {
    const scores = new Float64Array(sentences.length);
    for (const [gram, count] of countGrams(query)) {
      for (const [i, times] of postings.get(gram) ?? []) {
        scores[i] = (scores[i] ?? 0) + (count * times) / (norms[i] ?? 1);
      }
    }
    return scores.indexOf(scores.reduce((a, b) => Math.max(a, b)));
  };
}

function countGrams(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const { points, length } = normaliseText(text);
  for (let first = 0; first < length; first++) {
    for (let size = 2; size <= 4 && first + size <= length; size++) {
      const gram = String.fromCodePoint(...points.subarray(first, first + size));
      counts.set(gram, (counts.get(gram) ?? 0) + 1);
    }
  }
  return counts;
}
