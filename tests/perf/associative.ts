import {
  type AssociativeMemory,
  type AttractorSettings,
  createAssociativeMemory,
  createTextEmbedder,
  defaultAttractor,
  similarity,
} from '../../engine/memory.ts';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { openAttractor, placesOf } from '../../engine/memory/attractor.ts';
import { randomSource } from '../engine/random.ts';
import { note } from './report.ts';
import { readSentences } from './sentences.ts';

/**
 * The associative memory beside plain search among the same embeddings, and beside searches among its codes
 * without its synapses, all given noisy cues: a share of
 * the numbers of an embedding come from those of other sentences, each from another one. The sentences are English and Japanese in
 * equal parts. Run by hand: `node tests/perf/associative.ts [100 1000 …]`.
 */
const QUERIES = 200;
const NOISES = [0, 0.1, 0.2, 0.3, 0.4, 0.5];
const DEFAULT_SIZES = [100, 1000, 10_000];
const large: AttractorSettings = { columns: 32, perColumn: 128 };

const asked = process.argv.slice(2).map(Number);
const embedder = await createTextEmbedder();
for (const size of asked.length > 0 ? asked : DEFAULT_SIZES) {
  const sentences = [...readSentences('en', size / 2), ...readSentences('ja', size / 2)];
  await compare(await embedder.embed(sentences));
}

type Search = (cue: Int8Array) => Promise<number | undefined>;

async function compare(vectors: readonly Int8Array[]): Promise<void> {
  const settings = vectors.length > 2000 ? large : defaultAttractor;
  const memory = await createAssociativeMemory(settings);
  const before = process.cpuUsage();
  for (const [i, vector] of vectors.entries()) await memory.store(String(i), vector);
  const perStore = microsSince(before) / vectors.length;
  const neurons = settings.columns * settings.perColumn;
  const keys = vectors.reduce((sum, _, i) => sum + String(i).length + 2, 0);
  note(
    `${vectors.length} memories, capacity ${memory.capacity}: ${perStore.toFixed(0)} us to store one; ` +
      `bytes stored: plain ${256 * vectors.length + keys}, associative ${memory.toBytes().length}, ` +
      `its synapses in memory ${4 * neurons ** 2}`,
  );
  const searches: Readonly<Record<string, Search>> = {
    plain: async (cue) => nearest(vectors, cue),
    associative: (cue) => best(memory, cue),
    'codes alone': (cue) => best(memory, cue, 0),
    'codes under a graded cue': await gradedSearch(settings, vectors),
  };
  for (const noise of NOISES) {
    const cues = noisyCues(vectors, noise);
    for (const [name, search] of Object.entries(searches)) {
      const line = { memories: vectors.length, noise, name, ...(await score(search, cues)) };
      console.log(JSON.stringify(line));
    }
  }
  memory.close();
}

interface Cue {
  readonly vector: Int8Array;
  readonly of: number;
}

function noisyCues(vectors: readonly Int8Array[], noise: number): Cue[] {
  const from = randomSource(1);
  const anyone = () => Math.floor(from.uniform(0, vectors.length));
  return Array.from({ length: QUERIES }, () => {
    const of = anyone();
    const vector = (vectors[of] ?? Int8Array.of()).map((value, i) =>
      from.uniform(0, 1) < noise ? (vectors[anyone()]?.[i] ?? 0) : value,
    );
    return { vector, of };
  });
}

async function score(search: Search, cues: readonly Cue[]) {
  let right = 0;
  const before = process.cpuUsage();
  for (const { vector, of } of cues) right += Number((await search(vector)) === of);
  const micros = microsSince(before) / cues.length;
  return { recall: right / cues.length, micros: Math.round(micros) };
}

/** Of the processor, so that what runs beside it counts less. */
function microsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function best(memory: AssociativeMemory, cue: Int8Array, steps?: number) {
  const [first] = await memory.recall(cue, 1, steps);
  return first && Number(first.key);
}

/** Adds up what a cue drives the neurons of each code with: a search among codes that keeps the whole cue. */
async function gradedSearch(
  settings: AttractorSettings,
  vectors: readonly Int8Array[],
): Promise<Search> {
  const attractor = await openAttractor(await openWasmBackend({ threads: 1 }), settings);
  const codes: number[][] = [];
  for (const vector of vectors) {
    const { code } = await attractor.cueOf(vector);
    codes.push(placesOf(code, settings.perColumn));
  }
  return async (cue) => {
    const { current } = await attractor.cueOf(cue);
    const sums = codes.map((places) => places.reduce((sum, i) => sum + (current[i] ?? 0), 0));
    return sums.indexOf(sums.reduce((a, b) => Math.max(a, b)));
  };
}

function nearest(vectors: readonly Int8Array[], cue: Int8Array): number {
  let [most, place] = [-Infinity, -1];
  for (const [i, vector] of vectors.entries()) {
    const alike = similarity(vector, cue);
    if (alike > most) [most, place] = [alike, i];
  }
  return place;
}
