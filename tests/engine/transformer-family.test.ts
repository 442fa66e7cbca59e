import { families } from '../../engine/models/families.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { unpackModel, unpackTraining } from '../../engine/models/stored-model.ts';
import type { Corpus } from '../../engine/data/corpus/corpus.ts';
import type { Fields } from '../../engine/settings/fields.ts';
import { openBatchedModel, openLanguageModel } from '../../engine/models/open-model.ts';
import { defaultSampling } from '../../engine/models/language/sampling.ts';
import { transformerUse } from '../../engine/models/standard-transformer/structure.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import { createTrainingRun } from '../../engine/models/dense-chronospike/training.ts';
import { openNovel, unigramEntropy } from './novel.ts';
import { variants } from './play.ts';
import { storedSettings } from './stored-model.ts';
import { startTransformer, trainedTransformer, transformerSettings } from './transformer-run.ts';

const request = { ...defaultSampling, prompt: 'The whale', tokens: 40 };

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

describe('the family of float transformers', () => {
  let corpus: Corpus;
  let backend: Backend;
  beforeAll(async () => {
    corpus = await openNovel();
    backend = await variants['wasm, relaxed, 1 thread']();
  });
  afterAll(() => backend.close());

  it('learns a text, and writes from its checkpoint what the run itself writes', async () => {
    const run = await startTransformer(backend, corpus);
    await run.advance(150);
    const { loss, layers } = await run.validate();
    const written = await textOf(run.generator!.generate(request));
    const files = await run.checkpoint();
    run.close();
    const model = await openLanguageModel(backend, unpackModel(files));
    const again = await textOf(model.generate(request));
    model.close();

    expect(loss).toBeLessThan(0.85 * (await unigramEntropy(corpus)));
    expect(layers).toEqual([]);
    // Longer than its 16 places.
    expect([...written]).toHaveLength(40);
    expect(again).toBe(written);
    expect([...files.keys()].toSorted()).toEqual([
      'config.json',
      'manifest.json',
      'model.safetensors',
      'model_spec.json',
      'optimizer.safetensors',
      'tokenizer.json',
      'training_state.json',
    ]);
  });

  it('resumes from a checkpoint to the last digit', async () => {
    const whole = await startTransformer(backend, corpus);
    const { losses } = await whole.advance(30);
    whole.close();
    const { stored } = await trainedTransformer(backend, corpus, 18);
    const resumed = await startTransformer(backend, corpus, { resume: stored });
    const rest = await resumed.advance(12);
    resumed.close();

    expect(rest.losses).toEqual(losses.subarray(18));
  });

  it('is served as a batched model that reports its operation counts', async () => {
    const { stored } = await trainedTransformer(backend, corpus, 2);
    const model = await openBatchedModel(backend, stored, { slots: 2 });
    const logits = await model.read([{ slot: 1, token: 3 }]);
    const { logits: next, layers } = await model.observe({ slot: 0, token: 4 });
    const use = model.useOf(await model.spikeCounts(), 2);
    model.close();

    expect(logits).toHaveLength(model.vocabulary);
    expect(next).toHaveLength(model.vocabulary);
    expect(layers).toEqual([]);
    const products = 12 * 16 ** 2 + 16 * model.vocabulary;
    // The second token sees two.
    expect(use).toMatchObject({ total: 0, synapticOps: 0, denseMacs: 2 * products + 3 * 2 * 16 });
    expect(use.energy.computePj).toBe(use.energy.denseComputePj);
  });

  it('counts what is read again at the end of its places', () => {
    const structure = { vocabulary: 3, width: 2, heads: 1, blocks: 1, sequence: 4 };
    const weights = 12 * 2 ** 2 + 2 * 3;

    // Two are read again before the fifth, which then sees three.
    const reads = 4 + 2 + 1;
    const pairs = 1 + 2 + 3 + 4 + (1 + 2) + 3;
    expect(transformerUse(structure, 5).denseMacs).toBe(reads * weights + pairs * 2 * 2);
  });

  it('refuses a checkpoint of another family, either way round, and says why', async () => {
    const { stored } = await trainedTransformer(backend, corpus, 1);
    const controls = stableBaseline;
    const spiking = await createTrainingRun({
      backend,
      corpus,
      controls,
      settings: storedSettings,
    });
    const other = unpackTraining(await spiking.checkpoint());
    spiking.close();

    await expect(startTransformer(backend, corpus, { resume: other })).rejects.toThrow(
      /holds a dense_chronospike model \(SpikingEvoTextLM\), not a standard_transformer one/,
    );
    await expect(
      createTrainingRun({ backend, corpus, controls, settings: storedSettings, resume: stored }),
    ).rejects.toThrow(
      /holds a standard_transformer model \(EvoNetLM\), not a dense_chronospike one/,
    );
  });

  it('plans the memory of a run and refuses what cannot be', () => {
    const plan = (fields: Fields) =>
      families.standard_transformer.plan({ ...transformerSettings, fields }, stableBaseline, {
        vocabulary: 65,
      });

    const { parameters, breakdown } = plan({ ...transformerSettings.fields });
    expect(parameters).toBe(2 * 65 * 16 + 16 * 16 + 65 + 2 * 16 + 12 * 16 ** 2 + 9 * 16);
    expect(breakdown.optimiser).toBe(2 * breakdown.parameters);
    expect(() => plan({ d_model: 16, n_heads: 3 })).toThrow('d_model 16 is not divisible by 3');
    expect(() => plan({ time_steps: 4 })).toThrow('standard_transformer has no field time_steps');
  });

  it('has no weights for 8 bits', async () => {
    const { stored } = await trainedTransformer(backend, corpus, 1);

    await expect(openLanguageModel(backend, stored, { weights: 'int8' })).rejects.toThrow(
      'weights is int8',
    );
  });
});
