import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend, Player } from '../../engine/graph/backend.ts';
import type { Corpus } from '../../engine/data/corpus/corpus.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import type { KnownSettings as RunSettings } from '../../engine/models/choices.ts';
import { reading as chronospike } from '../../engine/models/dense-chronospike/reading.ts';
import { type KnownOptions, loadFamily } from '../../engine/models/load-family.ts';
import { openLanguageModel } from '../../engine/models/open-model.ts';
import {
  drawFixedValues,
  layOutFixedPart,
} from '../../engine/models/sparse-event-memory/fixed-part.ts';
import { sparseLearning } from '../../engine/models/sparse-event-memory/learning.ts';
import { traceSparseTraining } from '../../engine/models/sparse-event-memory/programs.ts';
import {
  createSparseReading,
  traceSparseChunk,
  traceSparseToken,
} from '../../engine/models/sparse-event-memory/reading-programs.ts';
import {
  checkSparseStructure,
  sparseDefaults,
  sparseParameters,
  type SparseStructure,
} from '../../engine/models/sparse-event-memory/structure.ts';
import { unpackModel, unpackTraining } from '../../engine/models/stored-model.ts';
import { slotWord } from '../../engine/kernels/slots.ts';
import { packClock, packRates } from '../../engine/ops/step-inputs.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import { initialValues } from '../../engine/train/initial-values.ts';
import { openNovel, unigramEntropy } from './novel.ts';
import { variants } from './play.ts';
import { randomSource } from './random.ts';
import { storedTraining } from './stored-model.ts';

const structure: SparseStructure = {
  ...sparseDefaults,
  vocabulary: 23,
  width: 70,
  blocks: 2,
  density: 0.06,
  rank: 10,
  experts: 3,
  topK: 2,
  adapterRank: 4,
  routerMemory: 6,
};
const layout = layOutParameters(sparseParameters(structure));
const fixed = layOutFixedPart(structure);
const model = { structure, layout, fixed };

const settings: RunSettings = {
  architecture: 'sparse_event_memory',
  fields: {
    d_model: 64,
    num_blocks: 2,
    seq_len: 16,
    density: 0.1,
    codebook_rank: 32,
    adapter_rank: 8,
    dropout: 0.1,
  },
  batch: 8,
  learningRate: 0.02,
  seed: 1,
  budget: { kind: 'steps', steps: 40 },
};

/** Parameters larger than a model starts with, so that no part of it is lost in rounding. */
function writeModel(player: Player): void {
  for (const parameter of layout.parameters) {
    const values = initialValues(parameter, 1);
    player.write(parameter.value, parameter.spec.name.includes('norm') ? values.fill(1) : values);
  }
  for (const [i, values] of drawFixedValues(structure).entries()) {
    player.write(fixed.tensors[i]!, values);
  }
}

describe('a sparse event memory', () => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await variants['wasm, relaxed, 1 thread']();
  });
  afterAll(() => backend.close());

  it('has as many parameters as its formula says', () => {
    const { width: d, rank, experts: m, adapterRank: r, blocks } = structure;
    expect(layout.count).toBe(rank * d + blocks * (m * d + 2 * m * r * d + 2 * d));
  });

  it.each([
    [{ topK: 4 }, 'top_k is 4: expected at most the 3 experts'],
    [{ density: 0 }, 'density is 0: expected a number above 0, up to 1'],
    [{ theta: 40_000 }, 'theta is 40000: expected a whole number from 1 to 32767'],
    [{ width: 0.5 }, 'd_model is 0.5: expected a whole number from 1 to 16384'],
  ])('refuses %o', (change, message) => {
    expect(() => checkSparseStructure(structure)).not.toThrow();
    expect(() => checkSparseStructure({ ...structure, ...change })).toThrow(
      `sparse_event_memory: ${message}`,
    );
  });

  it('reads a text in one call, in two halves or token by token, bit by bit the same', async () => {
    const tokens = 24;
    const context = createSparseReading(model, 2);
    const whole = traceSparseChunk(context, { rows: 1, tokens });
    const half = traceSparseChunk(context, { rows: 1, tokens: tokens / 2 });
    const single = traceSparseToken(context, 1);
    const all = [whole, half, single];
    const player = await backend.load(
      layout,
      all.map(({ program }) => program),
    );
    writeModel(player);
    const ids = randomSource(4).integers(tokens, structure.vocabulary);
    const read = async ({ program, ids: input, slots, logits }: (typeof all)[number]) => {
      const size = input.shape[0]!;
      const rows: number[] = [];
      for (let first = 0; first < tokens; first += size) {
        player.write(input, ids.subarray(first, first + size));
        player.write(slots, Uint32Array.of(slotWord(1, first === 0)));
        player.play(program);
        rows.push(...(await player.read(logits)));
      }
      return rows;
    };

    const expected = await read(whole);

    expect(await read(half)).toEqual(expected);
    expect(await read(single)).toEqual(expected);
    player.close();
  });

  it('does not see later tokens, nor other sequences', async () => {
    const program = traceSparseChunk(createSparseReading(model, 2), { rows: 2, tokens: 8 });
    const player = await backend.load(layout, [program.program]);
    writeModel(player);
    const ids = randomSource(5).integers(16, structure.vocabulary);
    const read = async () => {
      player.write(program.ids, ids);
      player.write(program.slots, Uint32Array.of(slotWord(0, true), slotWord(1, true)));
      player.play(program.program);
      return (await player.read(program.logits)).slice();
    };
    const before = await read();
    ids[5] = (ids[5]! + 1) % structure.vocabulary;

    const after = await read();

    const width = structure.vocabulary;
    expect(after.slice(0, 5 * width)).toEqual(before.slice(0, 5 * width));
    expect(after.slice(8 * width)).toEqual(before.slice(8 * width));
    expect(after.slice(5 * width, 8 * width)).not.toEqual(before.slice(5 * width, 8 * width));
    player.close();
  });

  // 1e30 overflows in the norm of the gradient, so that the optimiser leaves the step out.
  it.each([
    [1, true],
    [1e30, false],
  ])('moves its synapses after a step of the optimiser (gain %f): %s', async (gain, moves) => {
    const shape = { batch: 2, sequence: 8 };
    const learning = { ...sparseLearning, hebbianRate: 0.5 };
    const traced = traceSparseTraining(model, shape, stableBaseline, learning);
    const player = await backend.load(layout, [traced.program]);
    writeModel(player);
    player.write(layout.get('blocks.1.norm.weight').value, new Float32Array(70).fill(gain));
    const from = randomSource(6);
    player.write(traced.ids, from.integers(16, structure.vocabulary));
    player.write(traced.targets, from.integers(16, structure.vocabulary));
    player.write(traced.clock, packClock({ step: 0, slot: 0, seed: [1, 0] }));
    const rates = {
      learningRate: 0,
      weightDecay: 0,
      clipNorm: 1,
      corrections: [0.1, 0.05],
    } as const;
    player.write(traced.rates, packRates(rates));
    const heard = fixed.blocks[0]!.recurrent.weight;
    const before = (await player.read(heard)).slice();

    player.play(traced.program);

    const [norm] = await player.read(traced.norms);
    expect(Number.isFinite(norm)).toBe(moves);
    const after = new Int8Array((await player.read(heard)).slice().buffer);
    // Spikes are never negative, so weights only grow, up to 127.
    const grew = Array.from(new Int8Array(before.buffer), (byte, i) => after[i]! - byte);
    expect(Math.min(...grew)).toBe(0);
    expect(Math.max(...grew) > 0).toBe(moves);
    expect(Math.max(...after)).toBeLessThanOrEqual(127);
    player.close();
  });

  describe('on a text', () => {
    let corpus: Corpus;
    beforeAll(async () => {
      corpus = await openNovel();
    });

    const start = async (rest: Partial<KnownOptions> = {}) => {
      const family = await loadFamily('sparse_event_memory');
      const { name, digest, length } = corpus;
      const data = { name, digest, length, shape: {}, corpus };
      return family.createRun({ backend, settings, controls: stableBaseline, ...rest }, data);
    };

    it('is refused before it is traced where no memory could hold it', async () => {
      const fields = { ...settings.fields, num_blocks: 256, d_model: 8192, experts: 64, top_k: 64 };
      const held = process.memoryUsage();

      const refused = start({ settings: { ...settings, fields } });

      await expect(refused).rejects.toMatchObject({ code: 'out-of-memory' });
      await expect(refused).rejects.toThrow(/needs \d+ bytes .*: expected at most 4294967296/);
      expect(process.memoryUsage().arrayBuffers - held.arrayBuffers).toBeLessThan(2 ** 20);
    });

    // Codes of 24 features are compared with each token's own; those of 32 make a table first.
    it.each([
      ['all characters', { codebook_rank: 32 }, -0.1],
      ['a few characters drawn', { codebook_rank: 24, negatives: 40 }, 0.3],
    ])('learns what characters there are, and more from %s', async (_, change, bound) => {
      const budget = { kind: 'steps', steps: 150 } as const;
      const fields = { ...settings.fields, ...change };
      const run = await start({ settings: { ...settings, fields, budget } });
      await run.advance(150);

      const { loss, layers } = await run.validate();

      // Nothing learned is 4.14, the frequency of characters alone 3.03.
      expect(loss).toBeLessThan((await unigramEntropy(corpus)) + bound);
      expect(layers.map(({ name }) => name)).toEqual(['blocks.0.neurons', 'blocks.1.neurons']);
      run.close();
    });

    it('resumes from a checkpoint bit for bit, and generates from it', async () => {
      const straight = await start();
      await straight.advance(6);
      const first = await start();
      await first.advance(3);
      const files = await first.checkpoint();

      const second = await start({ resume: unpackTraining(files) });
      await second.advance(3);

      expect(await second.parameters()).toEqual(await straight.parameters());
      const stored = unpackModel(await second.checkpoint());
      const opened = await openLanguageModel(backend, stored);
      const request = { prompt: 'the ', tokens: 12, temperature: 0, topK: 0, topP: 1, seed: 1 };
      const texts = await Promise.all(
        [opened, straight.generator!].map(async (writer) => {
          let text = '';
          for await (const piece of writer.generate(request)) text += piece;
          return text;
        }),
      );
      expect(texts[0]).toHaveLength(12);
      expect(texts[0]).toBe(texts[1]);
      for (const one of [straight, first, second, opened]) one.close();
    });

    it('is not opened as a dense model, nor resumes from one', async () => {
      const run = await start();
      const stored = unpackModel(await run.checkpoint());

      await expect(chronospike.openLanguage!(backend, stored, {})).rejects.toThrow(
        'the checkpoint holds a sparse_event_memory model (SparseEventMemoryLM), not a dense_chronospike one',
      );
      await expect(start({ resume: storedTraining() })).rejects.toThrow(
        'the checkpoint holds a dense_chronospike model (SpikingEvoTextLM), not a sparse_event_memory one',
      );
      run.close();
    });
  });
});
