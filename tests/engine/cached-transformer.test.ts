import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { tokenizerReferenceOf } from '../../engine/checkpoint/tokenizer-bundle.ts';
import { createCharacterTokenizer } from '../../engine/data/tokenizers/character-tokenizer.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { WORD_BYTES, wordCount } from '../../engine/graph/tensor.ts';
import {
  transformerLogits,
  wholeSequences,
} from '../../engine/models/standard-transformer/forward.ts';
import {
  type BatchedTransformer,
  openBatchedTransformer,
} from '../../engine/models/standard-transformer/reading.ts';
import { transformerSpecOf } from '../../engine/models/standard-transformer/family.ts';
import {
  transformerParameters,
  type TransformerStructure,
} from '../../engine/models/standard-transformer/structure.ts';
import { keep } from '../../engine/ops/keep.ts';
import { initialValues } from '../../engine/train/initial-values.ts';
import { extent } from './extent.ts';
import { reference, variants } from './play.ts';
import { randomSource } from './random.ts';

/** A prompt takes two plays; an odd number of places has no half. */
const structure: TransformerStructure = {
  vocabulary: 13,
  width: 12,
  heads: 3,
  blocks: 2,
  sequence: 41,
};
const { vocabulary, sequence } = structure;
const layout = layOutParameters(transformerParameters(structure));
const values = parameterBlock();
const tokenizer = createCharacterTokenizer('abcdefghijklm');
const stored = {
  spec: transformerSpecOf(structure, tokenizerReferenceOf(tokenizer)),
  layout,
  values,
};
const text = randomSource(4).integers(2 * sequence, vocabulary);

/** Larger numbers than a model starts with, so that each token changes what is said of those after it. */
function parameterBlock(): Float32Array {
  const block = new Float32Array(layout.blockBytes / WORD_BYTES);
  for (const parameter of layout.parameters) {
    const gain = parameter.spec.decayed ? 15 : 1;
    const scaled = initialValues(parameter, 1).map((value) => gain * value);
    block.set(scaled, parameter.offsetBytes / WORD_BYTES);
  }
  return block;
}

/** Logits after each token of a window, `[tokens, vocabulary]`, from the forward pass over whole sequences. */
async function wholeLogits(window: Uint32Array): Promise<Float32Array> {
  const graph = new Graph('whole', layout);
  const ids = graph.local('ids', 'u32', [sequence]);
  const mixing = wholeSequences(graph, structure);
  const logits = keep(graph, 'kept', transformerLogits({ graph, structure, mixing }, ids));
  const program = graph.build();
  const player = await reference.load(layout, [program]);
  player.write(layout.values, values);
  const padded = new Uint32Array(wordCount(ids));
  padded.set(window);
  player.write(ids, padded);
  player.play(program);
  const all = (await player.read(logits)) as Float32Array;
  return all.subarray(0, window.length * vocabulary);
}

async function readOneByOne(model: BatchedTransformer, slot: number, tokens: Uint32Array) {
  const rows: Float32Array[] = [];
  model.clear(slot);
  for (const token of tokens) rows.push((await model.read([{ slot, token }])).slice());
  return rows;
}

function worstDifference(actual: Float32Array, expected: Float32Array): number {
  expect(actual).toHaveLength(expected.length);
  return actual.reduce((most, x, i) => Math.max(most, Math.abs(x - expected[i]!)), 0);
}

const backends: Record<string, () => Promise<Backend>> = {
  reference: async () => reference,
  'webgpu, register tiles': variants['webgpu, register tiles'],
  'wasm, relaxed, 2 threads': variants['wasm, relaxed, 2 threads'],
  'wasm, plain, 1 thread': variants['wasm, plain, 1 thread'],
};

/** Reading is compiled for WebGPU once more in batched-generation.test.ts: a model takes seconds. */
const tested = extent(
  Object.keys(backends),
  Object.keys(backends).filter((name) => !name.startsWith('webgpu')),
);

describe.each(tested)('a transformer with a cache on %s', (name) => {
  let backend: Backend;
  let model: BatchedTransformer;
  let expected: Float32Array;
  beforeAll(async () => {
    backend = await backends[name]!();
    model = await openBatchedTransformer(backend, stored, { slots: 3 });
    expected = await wholeLogits(text.subarray(0, sequence));
  });
  afterAll(() => {
    model.close();
    backend.close();
  });

  it('reads tokens one by one with the logits of the whole sequence at once', async () => {
    const rows = await readOneByOne(model, 1, text.subarray(0, sequence));

    for (const [i, row] of rows.entries()) {
      const whole = expected.subarray(i * vocabulary, (i + 1) * vocabulary);
      expect(worstDifference(row, whole), `token ${i}`).toBeLessThan(1e-4);
    }
  });

  it('reads a prompt at once as one by one', async () => {
    model.clear(2);
    const last = await model.prefill(2, text.subarray(0, 37));
    const next = await model.read([{ slot: 2, token: text[37]! }]);

    expect(worstDifference(last, expected.subarray(36 * vocabulary, 37 * vocabulary))).toBeLessThan(
      1e-4,
    );
    expect(worstDifference(next, expected.subarray(37 * vocabulary, 38 * vocabulary))).toBeLessThan(
      1e-4,
    );
  });

  it('reads the later half again where a text is longer than its places', async () => {
    const rows = await readOneByOne(model, 0, text.subarray(0, sequence + 1));
    const half = Math.floor(sequence / 2);
    const window = text.subarray(sequence - half, sequence + 1);

    const whole = await wholeLogits(window);

    expect(worstDifference(rows.at(-1)!, whole.subarray(half * vocabulary))).toBeLessThan(1e-4);
  });

  it('slides over a long prompt as over single tokens', async () => {
    const rows = await readOneByOne(model, 0, text);
    model.clear(1);

    expect(worstDifference(await model.prefill(1, text), rows.at(-1)!)).toBeLessThan(1e-4);
  });

  it('keeps sequences of a batch apart, wherever each of them stands', async () => {
    const texts = [text.subarray(0, 50), text.subarray(20, 60), text.subarray(40, 80)];
    const alone: Float32Array[] = [];
    for (const one of texts) alone.push((await readOneByOne(model, 0, one)).at(-1)!);

    for (let slot = 0; slot < 3; slot++) model.clear(slot);
    // The first is ten tokens longer than the others and has to read its window again before they do.
    for (const token of texts[0]!.subarray(0, 10)) model.pass([{ slot: 0, token }]);
    let last: Float32Array = new Float32Array(0);
    for (let i = 0; i < 40; i++) {
      last = await model.read([
        { slot: 2, token: texts[2]![i]! },
        { slot: 0, token: texts[0]![i + 10]! },
        { slot: 1, token: texts[1]![i]! },
      ]);
    }

    for (const [row, slot] of [2, 0, 1].entries()) {
      const own = last.subarray(row * vocabulary, (row + 1) * vocabulary);
      expect(worstDifference(own, alone[slot]!), `slot ${slot}`).toBeLessThan(1e-4);
    }
  });
});

describe('a transformer with a cache', () => {
  const open = (slots: number) => openBatchedTransformer(reference, stored, { slots });

  it.each([
    [[{ slot: 2, token: 0 }], 'slot is 2: expected a whole number from 0 to 1'],
    [[{ slot: 0, token: 13 }], 'token is 13: expected a whole number from 0 to 12'],
    [
      [
        { slot: 1, token: 0 },
        { slot: 1, token: 1 },
      ],
      'slot 1 is named twice: expected one token for each',
    ],
  ])('refuses to read %o', async (reads, message) => {
    const model = await open(2);
    await expect(model.read(reads)).rejects.toThrow(message);
    expect(() => model.pass(reads)).toThrow(message);
  });

  it('refuses a second call before the first has been answered', async () => {
    const model = await open(1);
    const first = model.read([{ slot: 0, token: 1 }]);

    await expect(model.read([{ slot: 0, token: 2 }])).rejects.toMatchObject({
      code: 'generator-busy',
    });
    expect(await first).toHaveLength(vocabulary);
  });
});
