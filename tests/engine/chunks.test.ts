import { describe, expect, it } from 'vitest';
import { type Chunk, createChunkSampler, streamChunks } from '../../engine/data/corpus/chunks.ts';
import { countingCorpus } from './counting-corpus.ts';

const RANGE = { start: 100, end: 1103 };
const GROUPS = 2;
const SHAPE = { batch: 3, sequence: 16, groups: GROUPS };

async function epochOf(seed: number, epoch = 0): Promise<Chunk[]> {
  const sampler = createChunkSampler(countingCorpus(2000), RANGE, SHAPE, seed);
  const chunks: Chunk[] = [];
  for (let i = 0; i < sampler.stepsPerEpoch; i++) {
    const step = epoch * sampler.stepsPerEpoch + i;
    await sampler.load(step);
    const { ids, targets, begins } = sampler.batch(step);
    chunks.push({ ids: ids.slice(), targets: targets.slice(), begins: begins.slice() });
  }
  return chunks;
}

const rowOf = ({ ids }: Chunk, row: number) =>
  Array.from(ids.subarray(row * SHAPE.sequence, (row + 1) * SHAPE.sequence));

describe('chunks of a text', () => {
  it('continue in each row where the one of its group before ended, unless the row begins', async () => {
    const chunks = await epochOf(1);

    for (let row = 0; row < SHAPE.batch; row++) {
      for (const [i, chunk] of chunks.entries()) {
        const tokens = rowOf(chunk, row);
        expect(tokens).toEqual(tokens.map((_, k) => tokens[0]! + k));
        const before = i < GROUPS ? undefined : rowOf(chunks[i - GROUPS]!, row).at(-1)! + 1;
        expect(chunk.begins[row] === 0).toBe(tokens[0] === before);
      }
    }
  });

  it('are followed by the tokens to predict', async () => {
    for (const { ids, targets } of await epochOf(1)) {
      expect(Array.from(targets)).toEqual(Array.from(ids, (id) => id + 1));
    }
  });

  it('cover the text once an epoch, but for what is left over', async () => {
    const chunks = await epochOf(3);

    const seen = chunks.flatMap(({ ids }) => Array.from(ids));
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThan(0.9 * (RANGE.end - RANGE.start));
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(RANGE.start);
    expect(Math.max(...seen) + 1).toBeLessThan(RANGE.end);
  });

  it('are others in another epoch and with another seed, and the same with the same', async () => {
    const first = await epochOf(1);

    expect(await epochOf(1)).toEqual(first);
    expect(await epochOf(2)).not.toEqual(first);
    expect(await epochOf(1, 1)).not.toEqual(first);
  });

  it('hold no more of a large text in memory than 16,384 tokens a row', async () => {
    const corpus = countingCorpus(2 ** 24);
    const sampler = createChunkSampler(corpus, { start: 0, end: 2 ** 24 }, SHAPE, 1);
    await sampler.load(0);
    const first = sampler.batch(0).ids.slice();
    await sampler.load(GROUPS * 1024 - 1);
    expect(corpus.reads.filter(([start, end]) => end > start)).toHaveLength(GROUPS * SHAPE.batch);
    await sampler.load(GROUPS * 1024);

    expect(corpus.reads.every(([start, end]) => end - start <= 2 ** 14 + 1)).toBe(true);
    // The next block goes on.
    expect(sampler.batch(GROUPS * 1024).ids[0]).toBe(first[0]! + 1024 * SHAPE.sequence);
  });

  it('of a stream read each row from the beginning of its stretch to its end', async () => {
    const chunks = await streamChunks(countingCorpus(2000), RANGE, SHAPE);

    expect(chunks).toHaveLength(Math.floor(1002 / 48));
    const rows = [0, 1, 2].map((row) => chunks.flatMap((chunk) => rowOf(chunk, row)));
    const all = rows.flat();
    expect(all).toEqual(all.map((_, i) => RANGE.start + i));
    expect(chunks.map(({ begins }) => Array.from(begins))).toEqual(
      chunks.map((_, i) => (i === 0 ? [1, 1, 1] : [0, 0, 0])),
    );
  });
});
