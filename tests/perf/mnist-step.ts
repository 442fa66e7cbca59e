import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { traceTraining } from '../../engine/models/classification/classifier.ts';
import { spikingMlp } from '../../engine/models/spiking-mlp/classifier.ts';
import { tutorialStructure } from '../../engine/models/spiking-mlp/structure.ts';
import { packClock, packRates } from '../../engine/ops/step-inputs.ts';
import {
  inEveryStep,
  tutorialSettings,
} from '../../engine/models/classification/classifier-run.ts';
import { initialValues } from '../../engine/train/initial-values.ts';
import { randomSource } from '../engine/random.ts';
import { note, report } from './report.ts';
import { timeOf } from './timing.ts';

/**
 * Bar 5: one training step of snnTorch's tutorial 5 (784-1000-10, T 25, batch 128) on random images
 * as bright as handwritten digits, with what the host writes for it.
 */
const THREADS = 2;
/** Share of pixels that are not black. */
const INK = 0.19;

const { batch, learningRate, beta1, beta2, seed } = tutorialSettings;
const classifier = spikingMlp(tutorialStructure);
const { layout } = classifier;
const train = traceTraining(classifier, batch, tutorialSettings);
const backend = await openWasmBackend({ threads: THREADS });
const player = await backend.load(layout, [train.program]);
for (const parameter of layout.parameters) {
  player.write(parameter.value, initialValues(parameter, seed));
}

const from = randomSource(seed);
const images = from
  .floats(batch * tutorialStructure.inputs, 0, 1)
  .map((brightness) => (from.uniform(0, 1) < INK ? brightness : 0));
const labels = from.integers(batch, tutorialStructure.classes);
const targets = new Uint32Array(tutorialStructure.steps * batch);
let step = 0;

const { median, best } = timeOf(() => {
  player.write(train.inputs, images);
  player.write(train.targets, inEveryStep(labels, targets));
  player.write(train.clock, packClock({ step, slot: step, seed: [seed, 0] }));
  const corrections = [1 - beta1 ** (step + 1), 1 - beta2 ** (step + 1)] as const;
  player.write(
    train.rates,
    packRates({ learningRate, weightDecay: 0, clipNorm: 1e30, corrections }),
  );
  player.play(train.program);
  step++;
});
report({
  bar: 5,
  name: `training step of snnTorch tutorial 5, WASM, ${THREADS} threads`,
  value: median,
  unit: 'ms',
  target: 10,
  better: 'lower',
});
note(`bar 5: best group of steps ${best.toFixed(2)} ms`);
player.close();
backend.close();
