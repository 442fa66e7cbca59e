import { describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { traceScoring } from '../../engine/models/classification/classifier.ts';
import { spikingMlp } from '../../engine/models/spiking-mlp/classifier.ts';
import {
  decodeSpikingMlp,
  encodeSpikingMlp,
  type StoredSpikingMlp,
} from '../../engine/models/spiking-mlp/stored.ts';
import type { SpikingMlpStructure } from '../../engine/models/spiking-mlp/structure.ts';
import { nirOfLayers, nirOfSpikingMlp } from '../../engine/nir/graph-builder.ts';
import { readNir, writeNir } from '../../engine/nir/graph-file.ts';
import { openNir } from '../../engine/nir/open-nir.ts';
import { planNir } from '../../engine/nir/plan.ts';
import { trainClassifier, tutorialSettings } from './classifier-training.ts';
import { stripedImages } from './image-sets.ts';
import { reference, wasmVariants } from './play.ts';
import { randomSource } from './random.ts';

const structure: SpikingMlpStructure = {
  inputs: 20,
  hidden: 70,
  classes: 4,
  steps: 25,
  beta: 0.95,
  threshold: 1,
  surrogate: 'atan',
};
const classifier = spikingMlp(structure);
const rows = 16;
const dt = 1e-4;

async function trained(): Promise<StoredSpikingMlp> {
  const images = stripedImages(200, structure.classes, 1);
  const settings = { ...tutorialSettings, batch: 32, learningRate: 5e-3 };
  const backend = await wasmVariants['wasm, plain, 1 thread']();
  const run = await trainClassifier({ backend, classifier, settings, images });
  await run.advance(20);
  const model = await run.model();
  run.close();
  backend.close();
  return model;
}

/** How often each class fires by the model's own program. */
async function countsOf(backend: Backend, { values }: StoredSpikingMlp, inputs: Float32Array) {
  const evaluate = traceScoring(classifier, rows);
  const player = await backend.load(classifier.layout, [evaluate.program]);
  player.write(classifier.layout.values, values);
  player.write(evaluate.inputs, inputs);
  player.play(evaluate.program);
  const counts = await player.read(evaluate.scores);
  player.close();
  return [...counts];
}

describe('a trained classifier', () => {
  it('fires the same spikes as a NIR graph that was written and read', async () => {
    const model = decodeSpikingMlp('model', encodeSpikingMlp(await trained()));
    const graph = nirOfSpikingMlp(model.structure, model.layout, model.values, dt);
    const again = readNir(writeNir({ version: '', graph })).graph;
    const inputs = randomSource(2).floats(rows * structure.inputs, 0, 1);

    for (const open of [wasmVariants['wasm, plain, 2 threads'], async () => reference]) {
      const backend = await open();
      const network = await openNir(backend, again, {
        dt,
        reset: 'delayed',
        steps: structure.steps,
        rows,
      });
      const { output } = await network.run({ input: inputs });
      const counts = Array.from({ length: rows * structure.classes }, () => 0);
      for (const [i, spike] of output!.entries()) counts[i % counts.length]! += spike;

      expect(counts).toEqual(await countsOf(backend, model, inputs));
      expect(counts.reduce((a, b) => a + b)).toBeGreaterThan(rows);
      network.close();
      backend.close();
    }
  });

  it('keeps beta to the last bit', () => {
    for (let i = 0; i < 1000; i++) {
      const beta = Math.fround(i / 1000);
      const graph = nirOfLayers(
        [{ name: 'a', inputs: 1, outputs: 1, weight: Float32Array.of(1), beta, threshold: 1 }],
        dt,
      );
      const { nodes } = planNir(graph, { dt, reset: 'delayed' });
      const [stage] = nodes.find(({ name }) => name === 'a_neurons')!.stages;

      expect([...stage!.parameters]).toEqual([beta, 1, 0, 1, 1]);
    }
  });
});

describe('a stack of layers', () => {
  const layer = {
    name: 'a',
    inputs: 2,
    outputs: 1,
    weight: Float32Array.of(1, 2),
    beta: 1,
    threshold: 1,
  };

  it('has integrate-and-fire neurons where nothing leaks, and no bias where there is none', () => {
    const { nodes } = nirOfLayers([layer], dt);

    expect(nodes.get('a_weight')).toEqual({
      type: 'Linear',
      weight: { shape: [1, 2], data: Float32Array.of(1, 2) },
    });
    expect(nodes.get('a_neurons')).toMatchObject({ type: 'IF', r: { data: Float64Array.of(1) } });
  });

  it.each([
    [() => nirOfLayers([], dt), 'there are no layers'],
    [() => nirOfLayers([layer], 0), 'dt is 0: expected more than 0'],
    [() => nirOfLayers([{ ...layer, beta: 1.1 }], dt), 'beta of a is 1.1: expected 0 to 1'],
    [
      () => nirOfLayers([{ ...layer, inputs: 3 }], dt),
      'the weight of a has 2 numbers: expected 3 x 1',
    ],
  ])('is refused %#', (make, message) => {
    expect(make).toThrow(`NIR: ${message}`);
  });
});

describe('a stored classifier', () => {
  const values = new Float32Array(layOutParameters([]).blockBytes);

  it.each([
    [{}, 'model has the architecture of no name: expected spiking_mlp'],
    [
      { architecture: 'dense_chronospike' },
      'model has the architecture dense_chronospike: expected spiking_mlp',
    ],
    [{ architecture: 'spiking_mlp', structure: '{' }, 'model: the structure is not JSON'],
    [{ architecture: 'spiking_mlp', structure: '{}' }, 'model: structure inputs: '],
  ])('is not what says %j', async (metadata, message) => {
    const { encodeBlocks } = await import('../../engine/checkpoint/parameters-file.ts');
    const file = encodeBlocks(
      layOutParameters([]),
      { '': values },
      metadata as Record<string, string>,
    );
    expect(() => decodeSpikingMlp('model', file)).toThrow(message);
  });
});
