import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { spikingMlp } from '../../engine/models/spiking-mlp/classifier.ts';
import type { SpikingMlpStructure } from '../../engine/models/spiking-mlp/structure.ts';
import { trainClassifier, tutorialSettings } from './classifier-training.ts';
import { stripedImages } from './image-sets.ts';
import { reference, wasmVariants, webgpuVariants } from './play.ts';

const structure: SpikingMlpStructure = {
  inputs: 20,
  hidden: 40,
  classes: 4,
  steps: 8,
  beta: 0.9,
  threshold: 1,
  surrogate: 'atan',
};
const classifier = spikingMlp(structure);
const settings = { ...tutorialSettings, batch: 32, learningRate: 5e-3 };
const images = stripedImages(400, structure.classes, 1);
/** Not a multiple of the batch, so that the last one is filled up. */
const unseen = stripedImages(150, structure.classes, 2);

/** One of each backend: what their variants compute is compared kernel by kernel. */
const backends = {
  reference: async () => reference,
  webgpu: webgpuVariants['webgpu, register tiles'],
  wasm: wasmVariants['wasm, relaxed, 2 threads'],
};

describe.each(Object.keys(backends) as (keyof typeof backends)[])('on %s', (name) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await backends[name]();
  });
  afterAll(() => backend.close());

  it('a spiking classifier generalises to images it has not seen', async () => {
    const run = await trainClassifier({ backend, classifier, settings, images, unseen });
    expect(run.stepsPerEpoch).toBe(12);
    expect(await run.accuracy()).toBeLessThan(0.5);

    const { losses } = await run.advance(5 * run.stepsPerEpoch);

    expect(losses).toHaveLength(60);
    expect(losses[0]).toBeGreaterThan(1);
    expect(losses.at(-1)).toBeLessThan(0.5);
    expect(await run.accuracy()).toBeGreaterThan(0.95);
    run.close();
  });
});

describe('a classifier', () => {
  it('draws the same parameters and batches for the same seed', async () => {
    const losses = async (seed: number) => {
      const run = await trainClassifier({
        backend: reference,
        classifier,
        settings: { ...settings, seed },
        images,
      });
      return (await run.advance(3)).losses;
    };

    expect(await losses(5)).toEqual(await losses(5));
    expect(await losses(6)).not.toEqual(await losses(5));
  });

  it('refuses images of another size or with more classes, naming both', async () => {
    const opening = (set = images, change = {}, asked = images) =>
      trainClassifier({
        backend: reference,
        classifier: spikingMlp({ ...structure, ...change }),
        settings,
        images: set,
        unseen: asked,
      });

    await expect(opening(images, { inputs: 784 })).rejects.toMatchObject({
      code: 'invalid-structure',
      message:
        'there are 400 examples of 1 x 20 numbers in 4 classes: the model takes 1 x 784 and has 4 classes',
    });
    await expect(opening(images, { classes: 3 })).rejects.toMatchObject({
      message: expect.stringMatching(/1 x 20 numbers in 4 classes: .* has 3 classes$/),
    });
    await expect(opening(images, {}, stripedImages(40, 5, 1))).rejects.toMatchObject({
      message: expect.stringMatching(/^there are 40 examples of 1 x 25 numbers in 5 classes/),
    });
  });

  it('stops with a word about the learning rate when the loss is no number any more', async () => {
    const run = await trainClassifier({
      backend: reference,
      classifier,
      settings: { ...settings, learningRate: 1e200 },
      images,
    });

    await expect(run.advance(40)).rejects.toMatchObject({
      code: 'diverged',
      message: expect.stringMatching(
        /^the loss is (NaN|Infinity) at step \d+: learning_rate 1e\+200 is too high for this model; begin anew/,
      ),
    });
  });
});
