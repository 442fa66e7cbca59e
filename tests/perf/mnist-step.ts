import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { spikingMlp } from '../../engine/models/spiking-mlp/classifier.ts';
import { tutorialStructure } from '../../engine/models/spiking-mlp/structure.ts';
import { trainClassifier, tutorialSettings } from '../engine/classifier-training.ts';
import { randomSource } from '../engine/random.ts';
import { median, note, report } from './report.ts';

/**
 * Bar 5: one training step of snnTorch's tutorial 5 (784-1000-10, T 25, batch 128) on random images as bright
 * as handwritten digits, in the run of the families of classifiers: drawing the batch, what the host writes for
 * it, the schedule and reading the losses are all part of it.
 */
const THREADS = 2;
/** Fraction of pixels that are not black. */
const INK = 0.19;
const GROUPS = 15;
const STEPS_PER_GROUP = 32;
const BATCHES = 8;

const { batch, seed } = tutorialSettings;
const { inputs: pixels, classes } = tutorialStructure;
const from = randomSource(seed);
const count = BATCHES * batch;
const images = {
  count,
  pixels,
  classes,
  images: Uint8Array.from({ length: count * pixels }, () =>
    from.uniform(0, 1) < INK ? Math.round(from.uniform(0, 255)) : 0,
  ),
  labels: Uint8Array.from(from.integers(count, classes)),
};
const backend = await openWasmBackend({ threads: THREADS });
const classifier = spikingMlp(tutorialStructure);
const run = await trainClassifier({ backend, classifier, settings: tutorialSettings, images });
await run.advance(STEPS_PER_GROUP);
const milliseconds: number[] = [];
for (let group = 0; group < GROUPS; group++) {
  const { seconds } = await run.advance(STEPS_PER_GROUP);
  milliseconds.push((1000 * seconds) / STEPS_PER_GROUP);
}
report({
  bar: 5,
  name: `training step of snnTorch tutorial 5, WASM, ${THREADS} threads`,
  value: median(milliseconds),
  unit: 'ms',
  target: 10,
  better: 'lower',
});
note(`bar 5: best group of steps ${Math.min(...milliseconds).toFixed(2)} ms`);
run.close();
backend.close();
