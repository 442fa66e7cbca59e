import { dirname } from 'node:path';
import { openFileSource } from '../../compute/checkpoints/file-source.ts';
import { openTokenFile } from '../../compute/checkpoints/token-file.ts';
import type { CorpusOptions } from '../../engine/data/corpus/corpus.ts';
import { openCorpus } from '../../engine/data/corpus/open-corpus.ts';
import { splitCorpus } from '../../engine/data/corpus/corpus.ts';
import { createWindowSampler, spreadWindows } from '../../engine/data/corpus/windows.ts';

/**
 * Opens a text as a training run does, draws windows from all over one epoch, and prints what it took:
 *
 *   node tests/perf/text-memory-process.ts <file> plain|filtered|bpe
 */
export interface TextMemory {
  readonly bytes: number;
  readonly characters: number;
  readonly tokens: number;
  readonly seconds: number;
  /** The largest resident set of the process. */
  readonly peakBytes: number;
}

const KIBI = 1024;
const shape = { batch: 16, sequence: 64 };
/** Steps of the epoch whose windows are drawn. */
const LOOKS = 100;

const filtered = { preparation: { aozora: true, normalise: 'nfkc' } } as const;
const ways: Readonly<Record<string, CorpusOptions>> = {
  plain: {},
  filtered,
  bpe: { ...filtered, learn: { kind: 'bpe', vocabulary: 4096 } },
};

const [path = '', way = 'plain'] = process.argv.slice(2);
const started = performance.now();
const source = await openFileSource(path);
const openStore = () => openTokenFile(dirname(path));
const corpus = await openCorpus(source, { ...ways[way], openStore });
const { train, validation } = splitCorpus(corpus, shape.sequence);
const sampler = createWindowSampler(corpus, train, shape, 1);
const stride = Math.max(1, Math.floor(sampler.stepsPerEpoch / LOOKS));
for (let step = 0; step < sampler.stepsPerEpoch; step += stride) {
  await sampler.load(step);
  sampler.batch(step);
}
await spreadWindows(corpus, validation, shape, 256);
const result: TextMemory = {
  bytes: source.size,
  characters: corpus.characters,
  tokens: corpus.length,
  seconds: (performance.now() - started) / 1e3,
  peakBytes: process.resourceUsage().maxRSS * KIBI,
};
process.stdout.write(JSON.stringify(result));
await corpus.close();
await source.close();
