import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withManifest } from '../../engine/checkpoint/files.ts';
import type { Corpus } from '../../engine/data/corpus/corpus.ts';
import type { Backend } from '../../engine/graph/backend.ts';
import type { TrainingSettings } from '../../engine/models/dense-chronospike/settings.ts';
import { createTrainingRun, training } from '../../engine/models/dense-chronospike/training.ts';
import { unpackTraining } from '../../engine/models/stored-model.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';
import { ADAPTIVE } from './neuron-texts.ts';
import { openNovel } from './novel.ts';
import { variants } from './play.ts';

describe('dense_chronospike of written neurons', () => {
  let corpus: Corpus;
  let backend: Backend;
  beforeAll(async () => {
    corpus = await openNovel();
    backend = await variants['wasm, relaxed, 1 thread']();
  });
  afterAll(() => backend.close());

  const start = (changes: Partial<TrainingSettings>) =>
    createTrainingRun({
      backend,
      corpus,
      controls: stableBaseline,
      settings: {
        ...{ width: 16, heads: 2, blocks: 1, steps: 2, sequence: 16, batch: 4 },
        ...{ learningRate: 0.02, seed: 1, budget: { kind: 'steps', steps: 4 } },
        ...changes,
      },
    });

  it.each([
    ['built-in LIF', undefined],
    ['written neurons', ADAPTIVE],
  ])('learns the same bits with checkpoints, of %s', async (_, equations) => {
    const learned = async (checkpoints: 'sqrt' | undefined) => {
      const run = await start({ steps: 10, checkpoints, ...(equations && { equations }) });
      await run.advance(4);
      const files = await run.checkpoint();
      run.close();
      // A stored run keeps them the way it was asked to.
      const calls = training.stepPrograms(unpackTraining(files)).flatMap((one) => one.calls);
      const asked = calls.filter(({ attributes }) => attributes['checkpoints'] === true);
      return { asked: asked.length, parameters: files.get('model.safetensors') };
    };

    const [plain, checkpointed] = [await learned(undefined), await learned('sqrt')];

    expect(checkpointed.parameters).toEqual(plain.parameters);
    expect([plain.asked, checkpointed.asked]).toEqual([0, 5]);
  });

  it('refuses stored equations that are too long, cannot be read, or are not those of their digest', async () => {
    const run = await start({ equations: ADAPTIVE });
    const files = await run.checkpoint();
    run.close();
    const spec = JSON.parse(new TextDecoder().decode(files.get('model_spec.json')));
    const opened = (change: object) => {
      const equations = { ...spec.core.equations, ...change };
      const text = JSON.stringify({ ...spec, core: { ...spec.core, equations } });
      const changed = new Map(files).set('model_spec.json', new TextEncoder().encode(text));
      changed.delete('manifest.json');
      return () => unpackTraining(withManifest(changed));
    };

    expect(opened({})).not.toThrow();
    expect(opened({ digest: '0'.repeat(64) })).toThrow(
      expect.objectContaining({ code: 'checkpoint-damaged' }),
    );
    expect(opened({ text: ADAPTIVE.replace('0.8', '0.7') })).toThrow('have the digest');
    expect(opened({ text: ADAPTIVE.replace('rho *', 'eval *') })).toThrow('eval has no value here');
    expect(opened({ text: ADAPTIVE.padEnd(4097) })).toThrow('text');
  });

  it('refuses equations beside another neuron type, and those that cannot be read', async () => {
    await expect(start({ neuron: 'EvoLIF', equations: ADAPTIVE })).rejects.toThrow(
      'neuron_type is EvoLIF beside equations: expected LIF',
    );
    await expect(start({ equations: 'u = I' })).rejects.toMatchObject({ code: 'invalid-equation' });
  });
});
