import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import type { StoredModel } from '../../engine/checkpoint/checkpoint.ts';
import { WORD_BYTES, wordCount, wordsPerRow } from '../../engine/graph/tensor.ts';
import { openBatchedModel, openLanguageModel } from '../../engine/models/open-model.ts';
import { type SlotRead } from '../../engine/evaluation/text-evaluator.ts';
import { type BatchedModel } from '../../engine/models/language/batched-model.ts';
import type { ChronospikeSpec } from '../../engine/models/dense-chronospike/family.ts';
import { sampleToken, type Sampling } from '../../engine/models/language/sampling.ts';
import { extent } from './extent.ts';
import { reference, variants } from './play.ts';
import { randomSource } from './random.ts';
import { storedSettings, storedTraining } from './stored-model.ts';

const stored = storedBusy();
/** Two steps of so many rows pack their weights on the processor, and choose between events and dense products. */
const SLOTS = 70;
const TOKENS = 8;

/** How far logits may be from those of the sequence alone: on the processor not at all. */
const backends: Record<string, { open: () => Promise<Backend>; tolerance: number }> = {
  reference: { open: async () => reference, tolerance: 0 },
  'wasm, relaxed, 2 threads': { open: variants['wasm, relaxed, 2 threads'], tolerance: 0 },
  'wasm, plain, 1 thread': { open: variants['wasm, plain, 1 thread'], tolerance: 0 },
  'webgpu, register tiles': { open: variants['webgpu, register tiles'], tolerance: 1e-4 },
};

describe.each(Object.entries(backends))('a batched model on %s', (name, { open, tolerance }) => {
  // Shaders are compiled for each size of a batch.
  const slots = name.startsWith('webgpu') ? extent(SLOTS, 5) : SLOTS;
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.close());

  describe.each(['float32', 'int8'] as const)('with weights in %s', (weights) => {
    let model: BatchedModel;
    beforeAll(async () => {
      model = await openBatchedModel(backend, stored, { slots, weights });
    });
    afterAll(() => model.close());

    // Batches that fill a program and such that leave rows of it idle.
    it.each(name === 'reference' ? [3] : extent([2, 5, 13, SLOTS], [2, slots]))(
      'gives each of %i sequences the logits it gets alone',
      async (batch) => {
        const texts = textsOf(batch);
        const together = await readTogether(model, texts);

        for (const slot of [0, batch - 1]) {
          const [alone] = await readTogether(model, [texts[slot]!]);
          expect(furthest(together[slot]!, alone!)).toBeLessThanOrEqual(tolerance);
        }
      },
    );
  });
});

describe('a batched model', () => {
  let backend: Backend;
  let model: BatchedModel;
  beforeAll(async () => {
    backend = await variants['wasm, relaxed, 1 thread']();
    model = await openBatchedModel(backend, stored, { slots: 4 });
  });
  afterAll(() => {
    model.close();
    backend.close();
  });

  it('writes the very text of the generator, also for one that joins while others write', async () => {
    const request = { ...sampling, prompt: 'abc', tokens: 20 };
    const generator = await openLanguageModel(backend, stored);
    let expected = '';
    for await (const piece of generator.generate(request)) expected += piece;
    generator.close();

    model.clear(1);
    await model.read([{ slot: 1, token: 3 }]);
    model.clear(2);
    let written = '';
    let logits = new Float32Array();
    const prompt = [...stored.tokenizer.encode(request.prompt)];
    for (let step = 0; step < prompt.length + request.tokens - 1; step++) {
      const token = prompt[step] ?? choose(logits, step - prompt.length);
      if (step >= prompt.length) written += stored.tokenizer.decode([token]);
      const reads = [{ slot: 2, token }];
      // The neighbour leaves after ten tokens and comes back with another text.
      if (step === 15) model.clear(1);
      if (step < 10 || step >= 15) reads.unshift({ slot: 1, token: step % 5 });
      logits = (await model.read(reads)).slice(-stored.tokenizer.size);
    }
    written += stored.tokenizer.decode([choose(logits, request.tokens - 1)]);

    expect(written).toBe(expected);
  });

  it('prefills a prompt without its logits and continues from it', async () => {
    const [expected] = await readTogether(model, [[1, 2, 3, 4]]);

    model.clear(3);
    for (const token of [1, 2, 3]) model.pass([{ slot: 3, token }]);
    await model.settled();
    const last = await model.read([{ slot: 3, token: 4 }]);

    expect([...last]).toEqual(expected!.slice(-last.length));
  });

  it('counts the spikes of each sequence since it began, as the picture of them shows', async () => {
    const text = [5, 1, 7, 7];
    model.clear(0);
    const seen = new Map<string, number>();
    for (const token of text) {
      const { layers } = await model.observe({ slot: 0, token });
      for (const { name, neurons, spikes } of layers) {
        expect(spikes).toHaveLength(storedSettings.steps * wordsPerRow(neurons));
        seen.set(name, (seen.get(name) ?? 0) + bitsOf(spikes));
      }
    }
    model.clear(2);
    for (const [i, token] of text.entries()) {
      await model.read([
        { slot: 1, token: (i * 3) % 11 },
        { slot: 2, token },
      ]);
    }

    const counts = await model.spikeCounts();
    const of = (slot: number) =>
      [...counts.subarray(slot * model.layers.length)].slice(0, model.layers.length);
    expect(of(0)).toEqual([...seen.values()]);
    expect(of(2)).toEqual(of(0));
    expect(model.layers.map(({ name }) => name)).toEqual([...seen.keys()]);
    expect(of(0).reduce((a, b) => a + b)).toBeGreaterThan(100);
  });

  it('gives the logits of a token with its picture', async () => {
    const [expected] = await readTogether(model, [[2, 6]]);

    model.clear(0);
    await model.observe({ slot: 0, token: 2 });
    const { logits } = await model.observe({ slot: 0, token: 6 });

    expect([...logits]).toEqual(expected!.slice(-logits.length));
  });

  it.each([
    [[{ slot: 4, token: 0 }], 'slot is 4: expected a whole number from 0 to 3'],
    [[{ slot: -1, token: 0 }], 'slot is -1: expected a whole number from 0 to 3'],
    [[{ slot: 0, token: 11 }], 'token is 11: expected a whole number from 0 to 10'],
    [
      [
        { slot: 2, token: 1 },
        { slot: 2, token: 1 },
      ],
      'slot 2 is named twice: expected one token for each',
    ],
  ])('refuses %j, naming it and what was expected', async (reads, message) => {
    await expect(model.read(reads)).rejects.toMatchObject({ code: 'invalid-setting', message });
  });

  it('refuses a second call while one is running', async () => {
    const first = model.read([{ slot: 0, token: 1 }]);

    await expect(model.read([{ slot: 1, token: 1 }])).rejects.toMatchObject({
      code: 'generator-busy',
    });
    await first;
  });

  it('refuses a number of slots that cannot be', async () => {
    await expect(openBatchedModel(backend, stored, { slots: 0 })).rejects.toMatchObject({
      code: 'invalid-setting',
      message: 'slots is 0: expected a whole number of at least 1',
    });
  });
});

const sampling: Sampling = { temperature: 1, topK: 0, topP: 0.9, seed: 7 };

function choose(logits: Float32Array, position: number): number {
  return sampleToken(logits, sampling, position);
}

function textsOf(batch: number): number[][] {
  const from = randomSource(batch);
  return Array.from({ length: batch }, () => [...from.integers(TOKENS, 11)]);
}

/** Reads texts of the same length side by side in slots from the last to the first; all logits of each. */
async function readTogether(
  model: BatchedModel,
  texts: readonly (readonly number[])[],
): Promise<number[][]> {
  const logits = texts.map((): number[] => []);
  const slotOf = (index: number) => model.slots - 1 - index;
  for (const index of texts.keys()) model.clear(slotOf(index));
  for (let position = 0; position < texts[0]!.length; position++) {
    const reads = texts.map((text, index): SlotRead => ({
      slot: slotOf(index),
      token: text[position]!,
    }));
    const rows = await model.read(reads);
    const width = rows.length / texts.length;
    for (const [index, row] of logits.entries()) {
      row.push(...rows.subarray(index * width, (index + 1) * width));
    }
  }
  return logits;
}

/** The largest difference; not a number where the lengths differ. */
function furthest(actual: readonly number[], expected: readonly number[]): number {
  if (actual.length !== expected.length) return Number.NaN;
  return actual.reduce((most, x, i) => Math.max(most, Math.abs(x - expected[i]!)), 0);
}

function bitsOf(words: Uint32Array): number {
  let bits = 0;
  for (let word of words) {
    for (; word !== 0; word = (word & (word - 1)) >>> 0) bits++;
  }
  return bits;
}

/**
 * Widths of more than a word, ragged, and of more than a block of weights in `up`. Nearly half of the
 * neurons in front of products fire, so that some groups of rows are multiplied densely and others not.
 */
function storedBusy(): StoredModel<ChronospikeSpec> {
  const model = storedTraining({ ...storedSettings, width: 70, heads: 5 }, ' abcdefghij');
  for (const { spec, offsetBytes, value } of model.layout.parameters) {
    if (!/(norm\d|up)\.bias$/.test(spec.name)) continue;
    const first = offsetBytes / WORD_BYTES;
    for (let i = first; i < first + wordCount(value); i++) model.values[i]! += 0.8;
  }
  return model;
}
