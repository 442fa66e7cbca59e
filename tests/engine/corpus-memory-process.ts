import { open } from 'node:fs/promises';
import { openCorpus } from '../../engine/data/corpus/open-corpus.ts';
import { splitCorpus } from '../../engine/data/corpus/corpus.ts';
import { createWindowSampler, spreadWindows } from '../../engine/data/corpus/windows.ts';

/**
 * Opens a text as a training run does, reads windows from all over one epoch, and prints what it took:
 *
 *   node tests/engine/corpus-memory-process.ts <file>
 */
export interface MemoryReport {
  readonly bytes: number;
  readonly characters: number;
  /** Segments of the text that windows were drawn from. */
  readonly segmentsRead: number;
  /** The largest resident set of the process. */
  readonly peakBytes: number;
}

const KIBI = 1024;
/** Reads longer than this are segments, not windows of validation. */
const SEGMENT_TOKENS = 1 << 20;
const shape = { batch: 16, sequence: 64 };

const [path = ''] = process.argv.slice(2);
const file = await open(path);
const { size: bytes } = await file.stat();
const corpus = await openCorpus({
  name: path,
  size: bytes,
  async read(start, end, into = new Uint8Array(end - start)) {
    const { bytesRead } = await file.read(into, 0, end - start, start);
    return into.subarray(0, bytesRead);
  },
});

let segmentsRead = 0;
const counted = {
  ...corpus,
  async read(start: number, end: number) {
    if (end - start >= SEGMENT_TOKENS) segmentsRead++;
    return corpus.read(start, end);
  },
};
const { train, validation } = splitCorpus(counted, shape.sequence);
const sampler = createWindowSampler(counted, train, shape, 1);
const stride = Math.max(1, Math.floor(sampler.stepsPerEpoch / 100));
for (let step = 0; step < sampler.stepsPerEpoch; step += stride) {
  await sampler.load(step);
  sampler.batch(step);
}
await spreadWindows(counted, validation, shape, 256);

const report: MemoryReport = {
  bytes,
  characters: corpus.length,
  segmentsRead,
  peakBytes: process.resourceUsage().maxRSS * KIBI,
};
process.stdout.write(JSON.stringify(report));
await file.close();
