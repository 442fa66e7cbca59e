import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { batchesInOrder, batchSizes } from '../../engine/data/examples.ts';
import { evaluateCaptions } from '../../engine/evaluation/caption-evaluator.ts';
import {
  type ClassScorer,
  evaluateClassifier,
} from '../../engine/evaluation/classifier-evaluator.ts';
import { openClassScorer } from '../../engine/models/classification/class-scorer.ts';
import { spikingMlp } from '../../engine/models/spiking-mlp/classifier.ts';
import { trainClassifier, tutorialSettings, unalteredExamples } from './classifier-training.ts';
import { stripedImages } from './image-sets.ts';
import { wasmVariants } from './play.ts';

describe('a classifier', () => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await wasmVariants['wasm, relaxed, 1 thread']();
  });
  afterAll(() => backend.close());

  it('has the accuracy of its run, with the matrix that it comes from', async () => {
    const classifier = spikingMlp({
      ...{ inputs: 20, hidden: 20, classes: 4, steps: 6, beta: 0.9, threshold: 1 },
      surrogate: 'atan',
    });
    const settings = { ...tutorialSettings, batch: 32, learningRate: 5e-3 };
    const images = stripedImages(200, 4, 1);
    // Not a multiple of the batch, so that the last one is smaller.
    const unseen = stripedImages(150, 4, 2);
    const run = await trainClassifier({ backend, classifier, settings, images, unseen });
    await run.advance(8);
    const accuracy = await run.accuracy();
    const { values } = await run.model();
    run.close();

    const sizes = batchSizes(unseen.count, 32);
    const scorer = await openClassScorer(backend, { classifier, values, sizes });
    const batches = batchesInOrder(unalteredExamples(unseen), sizes);
    const { done, findings } = await evaluateClassifier(scorer, batches);
    scorer.close();
    const { classification } = findings;

    expect(done).toBe(150);
    expect(classification?.accuracy).toBe(accuracy);
    expect(classification?.count).toBe(150);
    expect(classification?.labels).toEqual(['0', '1', '2', '3']);
    expect(classification?.matrix.flat().reduce((a, b) => a + b)).toBe(150);
    expect(classification!.interval.low).toBeLessThanOrEqual(accuracy);
    expect(classification!.interval.high).toBeGreaterThanOrEqual(accuracy);
    expect(classification!.calibration.count).toBe(150);
  });

  it('stops when it is aborted, with the responses so far', async () => {
    const stop = new AbortController();
    const scorer: ClassScorer = { labels: ['a', 'b'], read: async () => Float32Array.of(1, 0) };
    const batches = [0, 1, 1].map((label) => ({
      inputs: new Float32Array(1),
      labels: Uint32Array.of(label),
    }));

    const { done, findings } = await evaluateClassifier(scorer, batches, {
      signal: stop.signal,
      onProgress: (seen) => seen === 2 && stop.abort(),
    });

    expect(done).toBe(2);
    expect(findings.classification).toMatchObject({
      accuracy: 0.5,
      matrix: [
        [1, 0],
        [1, 0],
      ],
    });
  });
});

describe('captions', () => {
  /** Captions of different lengths that each picture makes likelier by what `gain` says. */
  const scorer = (gain: (caption: number, picture: number) => number) => ({
    pairs: 4,
    read: async (caption: number, pictures: readonly number[]) => ({
      tokens: 10 * (caption + 1),
      nats: Float64Array.from(pictures, (picture) => 30 * (caption + 1) - gain(caption, picture)),
    }),
  });

  it('find their pictures, and pictures their captions, whatever the captions are long', async () => {
    const { findings } = await evaluateCaptions(
      scorer((caption, picture) => (caption === picture ? 2 : 0)),
    );
    const { retrieval } = findings;

    expect(retrieval?.pictures.recall_at).toMatchObject({ 1: 1 });
    expect(retrieval?.captions.recall_at).toMatchObject({ 1: 1 });
    // 300 nats over 100 tokens, 2 nats less for each of four captions.
    expect(retrieval?.shuffled_nats).toBeCloseTo(3, 10);
    expect(retrieval?.matched_nats).toBeCloseTo(2.92, 10);
    expect(retrieval?.gain.value).toBeCloseTo(0.08, 10);
  });

  it('find nothing where pictures make no difference', async () => {
    const { findings } = await evaluateCaptions(scorer(() => 0));

    expect(findings.retrieval?.pictures).toMatchObject({ recall_at: { 1: 0 }, median_rank: 4 });
    expect(findings.retrieval?.gain).toEqual({ value: 0, low: 0, high: 0 });
  });

  it('say nothing of retrieval where not all were read', async () => {
    const stop = new AbortController();
    const watch = { signal: stop.signal, onProgress: () => stop.abort() };

    expect(
      await evaluateCaptions(
        scorer(() => 1),
        watch,
      ),
    ).toMatchObject({ done: 1, findings: {} });
  });

  it('need two pictures at least', async () => {
    await expect(evaluateCaptions({ ...scorer(() => 1), pairs: 1 })).rejects.toThrow(
      '1 captioned pictures: expected at least 2',
    );
  });
});
