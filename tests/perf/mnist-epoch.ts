import { existsSync, openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { blobSource } from '../../engine/data/files/byte-source.ts';
import {
  type LabelledImages,
  openLabelledImages,
} from '../../engine/data/images/labelled-images.ts';
import { optimizerOf } from '../../engine/layers/fit-recipe.ts';
import { spikingMlp } from '../../engine/models/spiking-mlp/classifier.ts';
import { tutorialStructure } from '../../engine/models/spiking-mlp/structure.ts';
import { trainClassifier, tutorialSettings } from '../engine/classifier-training.ts';
import { median, note, report } from './report.ts';

/**
 * Bar 6: the network of snnTorch's tutorial 5 on MNIST. One epoch in batches of 128, then all test images, from
 * several seeds, as one epoch ends a percent higher or lower by chance. Reading the files is not part of the
 * time, drawing batches is. The run is that of the families of classifiers, at the rate of `fit` without an optimizer.
 */
const THREADS = 2;
const { learningRate } = optimizerOf({}).optimizer;
const SEEDS = [0, 1, 2, 3, 4];
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(process.env['SPIKEGRID_DATA'] ?? join(root, '../shared/data'), 'mnist');

interface Epoch {
  /** Share of right answers, from 0 to 1. */
  readonly accuracy: number;
  readonly seconds: number;
}

if (existsSync(folder)) reportEpochs(await measure());
else note(`bar 6: SKIPPED, there is no folder ${folder}: set SPIKEGRID_DATA to where mnist/ lies`);

async function measure(): Promise<Epoch[]> {
  const images = await load('train');
  const unseen = await load('t10k');
  const backend = await openWasmBackend({ threads: THREADS });
  const epochs: Epoch[] = [];
  for (const seed of SEEDS) {
    const settings = { ...tutorialSettings, learningRate, seed };
    const classifier = spikingMlp(tutorialStructure);
    const run = await trainClassifier({
      ...{ backend, classifier, settings, images, unseen },
      budget: { kind: 'epochs', epochs: 1 },
      controls: { finalRate: 0 },
    });
    const started = performance.now();
    const { losses } = await run.advance(run.stepsPerEpoch);
    const seconds = (performance.now() - started) / 1000;
    const accuracy = await run.accuracy();
    run.close();
    epochs.push({ accuracy, seconds });
    const percent = (100 * accuracy).toFixed(2);
    note(`bar 6: seed ${seed}: ${percent} % in ${seconds.toFixed(1)} s, ${losses.length} steps`);
  }
  backend.close();
  return epochs;
}

function reportEpochs(epochs: readonly Epoch[]): void {
  const accuracy = median(epochs.map((epoch) => epoch.accuracy));
  const name = `MNIST, snnTorch tutorial 5, one epoch, WASM, ${THREADS} threads, median of ${epochs.length} seeds`;
  report({
    bar: 6,
    name: `${name}: test accuracy`,
    value: 100 * accuracy,
    unit: '%',
    target: 94.5,
    better: 'higher',
  });
  report({
    bar: 6,
    name: `${name}: time`,
    value: median(epochs.map(({ seconds }) => seconds)),
    unit: 's',
    target: 10,
    better: 'lower',
    accuracy,
  });
}

async function load(part: 'train' | 't10k'): Promise<LabelledImages> {
  const images = await open(`${part}-images-idx3-ubyte.gz`);
  const labels = await open(`${part}-labels-idx1-ubyte.gz`);
  return openLabelledImages(images, labels);
}

async function open(name: string) {
  return blobSource(await openAsBlob(join(folder, name)), name);
}
