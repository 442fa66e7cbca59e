import fc from 'fast-check';
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

  it('of a stream read a range from its first token to its last, each row a stretch', async () => {
    const lengths = fc.tuple(
      fc.integer({ min: 2, max: 5 }),
      fc.integer({ min: 1, max: 20 }),
      fc.nat(700),
    );
    await fc.assert(
      fc.asyncProperty(lengths, async ([batch, sequence, more]) => {
        const tokens = sequence + more;
        const range = { start: 100, end: 101 + tokens };
        const corpus = countingCorpus(range.end);
        const chunks = await streamChunks(corpus, range, { batch, sequence });

        const rows = Array.from({ length: batch }, (_, row) =>
          chunks.flatMap(({ targets }) =>
            Array.from(targets.subarray(row * sequence, (row + 1) * sequence)),
          ),
        );
        for (const row of rows) expect(row).toEqual(row.map((_, i) => row[0]! + i));
        const predicted = rows.flat();
        expect(new Set(predicted).size).toBe(tokens);
        expect([Math.min(...predicted), Math.max(...predicted)]).toEqual([101, range.end - 1]);
        // No more than a chunk of each row is read twice.
        expect(predicted.length - tokens).toBeLessThan(batch * sequence);
        expect(chunks.map(({ begins }) => Array.from(begins))).toEqual(
          chunks.map((_, i) => Array.from({ length: batch }, () => (i === 0 ? 1 : 0))),
        );
      }),
    );
  });

  it('of a stream of more than 2^20 tokens leave equal parts out, and nothing at the ends', async () => {
    const range = { start: 0, end: 3 * 2 ** 20 };
    const chunks = await streamChunks(countingCorpus(range.end), range, {
      batch: 4,
      sequence: 128,
    });

    expect(chunks).toHaveLength(2 ** 20 / (4 * 128));
    const firsts = Array.from({ length: 4 }, (_, row) => chunks[0]!.ids[row * 128]!);
    const stretch = 2 ** 18;
    const last = range.end - 1 - stretch;
    expect(firsts).toEqual([0, 1, 2, 3].map((row) => Math.floor((row * last) / 3)));
    expect(chunks.at(-1)!.targets.at(-1)).toBe(range.end - 1);
  });
});
