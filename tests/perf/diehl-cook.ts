import { existsSync, openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { blobSource } from '../../engine/data/files/byte-source.ts';
import {
  type LabelledImages,
  openLabelledImages,
} from '../../engine/data/images/labelled-images.ts';
import { accuracyOf, classify, assignLabels } from '../../engine/models/diehl-cook/naming.ts';
import { type DiehlCookNetwork, openDiehlCook } from '../../engine/models/diehl-cook/network.ts';
import { diehlCook100 } from '../../engine/models/diehl-cook/structure.ts';
import { note } from './report.ts';

/**
 * Digits learned without labels by STDP, homeostasis and lateral inhibition (Diehl & Cook 2015): 100 neurons
 * see training images once, labels name the neurons, and test images are classified by the neurons that respond. Run by hand:
 * `diehl-cook.ts [--images 10000] [--test 10000] [--seed 1]`; the images are where SPIKEGRID_DATA says.
 */
const { values } = parseArgs({
  options: {
    images: { type: 'string', default: '10000' },
    test: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    data: { type: 'string' },
  },
});
const BATCH = 50;
const FLOOR = 0.75;
const root = fileURLToPath(new URL('../..', import.meta.url));
const data = values.data ?? process.env['SPIKEGRID_DATA'] ?? join(root, '../shared/data');
const folder = join(data, 'mnist');

if (existsSync(folder)) await show();
else note(`Diehl & Cook: SKIPPED, there is no folder ${folder}: say --data where mnist/ lies`);

async function show(): Promise<void> {
  const training = firstOf(await load('train'), Number(values.images));
  const unseen = firstOf(await load('t10k'), Number(values.test));
  const backend = await openWasmBackend({ threads: 1 });
  const options = { seed: Number(values.seed), batch: BATCH };
  const network = await openDiehlCook(backend, diehlCook100, options);
  const started = performance.now();
  for (let i = 0; i < training.count; i++) {
    network.learn(imageOf(training, i));
    if (i % 1000 === 999) {
      const seconds = (performance.now() - started) / 1000;
      note(`Diehl & Cook: ${i + 1} images learned, ${seconds.toFixed(1)} s`);
    }
  }
  const { neurons } = diehlCook100;
  const learned = performance.now();
  const { labels, classes } = training;
  const counts = await answers(network, training);
  const names = assignLabels({ counts, labels, neurons, classes });
  const told = classify(await answers(network, unseen), names, classes);
  const accuracy = accuracyOf(told, unseen.labels);
  const ended = performance.now();
  network.close();
  backend.close();
  console.log(
    JSON.stringify({
      name: `MNIST without labels, Diehl & Cook, ${neurons} neurons, ${training.count} images, WASM, 1 thread`,
      accuracy,
      floor: FLOOR,
      testImages: unseen.count,
      learningSeconds: (learned - started) / 1000,
      answeringSeconds: (ended - learned) / 1000,
      spikesPerImage: counts.reduce((sum, count) => sum + count, 0) / training.count,
      namesUsed: new Set(names).size,
      met: accuracy >= FLOOR,
    }),
  );
}

async function answers(network: DiehlCookNetwork, images: LabelledImages): Promise<Float32Array> {
  const { neurons } = diehlCook100;
  const counts = new Float32Array(images.count * neurons);
  for (let start = 0; start < images.count; start += BATCH) {
    const size = Math.min(BATCH, images.count - start);
    const batch = Array.from({ length: size }, (_, i) => imageOf(images, start + i));
    counts.set(await network.answer(batch), start * neurons);
  }
  return counts;
}

function imageOf({ images, pixels }: LabelledImages, index: number): Uint8Array {
  return images.subarray(index * pixels, (index + 1) * pixels);
}

function firstOf(images: LabelledImages, count: number): LabelledImages {
  const kept = Math.min(count, images.count);
  return { ...images, count: kept, labels: images.labels.subarray(0, kept) };
}

async function load(part: 'train' | 't10k'): Promise<LabelledImages> {
  const images = await open(`${part}-images-idx3-ubyte.gz`);
  const labels = await open(`${part}-labels-idx1-ubyte.gz`);
  return openLabelledImages(images, labels);
}

async function open(name: string) {
  return blobSource(await openAsBlob(join(folder, name)), name);
}
