import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readIdx } from '../../library/data.ts';
import {
  crossEntropyPerStep,
  type ExampleArrays,
  evaluate,
  fit,
  init,
  lif,
  linear,
  type Model,
  openBackend,
  sequential,
} from '../../library/index.ts';
import { randomSource } from '../engine/random.ts';
import { median, note, report } from './report.ts';

/**
 * Bars 5 and 6 through the public entry: a training step of snnTorch's tutorial 5 on random images, and an epoch of
 * MNIST, by `fit` as it trains where no optimizer is given (docs/decisions/0044), from several seeds.
 */
const THREADS = 2;
const SEEDS = [0, 1, 2, 3, 4];
const BATCH = 128;
const [PIXELS, CLASSES] = [784, 10];
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(process.env['SPIKEGRID_DATA'] ?? join(root, '../shared/data'), 'mnist');
const neurons = { beta: 0.95, threshold: 1, surrogate: 'atan' } as const;
const network = sequential(
  [
    linear(1000, { name: 'hidden' }),
    lif(neurons),
    linear(CLASSES, { name: 'output' }),
    lif(neurons),
  ],
  { input: PIXELS, steps: 25 },
);
const backend = await openBackend('wasm', { gpu: undefined, threads: THREADS });

const train = async (model: Model, data: ExampleArrays, { epochs = 1, seed = 0 }) => {
  const seconds: number[] = [];
  const history = await fit(model, data, {
    loss: crossEntropyPerStep(),
    epochs,
    seed,
    batchSize: BATCH,
    onReport: (one) => seconds.push(one.seconds),
  });
  return { history, seconds };
};

await measureSteps();
if (existsSync(folder)) await measureEpochs();
else note(`bar 6: SKIPPED, there is no folder ${folder}: set SPIKEGRID_DATA to where mnist/ lies`);
backend.close();

async function measureSteps(): Promise<void> {
  const from = randomSource(0);
  const count = 32 * BATCH;
  const data = {
    x: Float32Array.from({ length: count * PIXELS }, () =>
      from.uniform(0, 1) < 0.19 ? from.uniform(0, 1) : 0,
    ),
    y: Uint8Array.from(from.integers(count, CLASSES)),
  };
  const { seconds } = await train(await init(network, { device: backend }), data, { epochs: 16 });
  const each = seconds.slice(1).map((now, i) => (1000 * (now - (seconds[i] ?? 0))) / 32);
  report({
    bar: 5,
    name: `training step of snnTorch tutorial 5 through the library, WASM, ${THREADS} threads`,
    value: median(each),
    unit: 'ms',
    target: 10,
    better: 'lower',
  });
}

async function measureEpochs(): Promise<void> {
  const seen = await read('train');
  const unseen = await read('t10k');
  const [accuracies, times]: [number[], number[]] = [[], []];
  for (const seed of SEEDS) {
    const model = await init(network, { device: backend, seed });
    const { history } = await train(model, seen, { seed });
    const { accuracy = Number.NaN } = await evaluate(model, unseen);
    note(
      `bar 6: seed ${seed}: ${(100 * accuracy).toFixed(2)} % in ${history.seconds.toFixed(1)} s`,
    );
    accuracies.push(accuracy);
    times.push(history.seconds);
  }
  const name = `MNIST through the library, one epoch, WASM, ${THREADS} threads, median of ${SEEDS.length} seeds`;
  const accuracy = median(accuracies);
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
    value: median(times),
    unit: 's',
    target: 10,
    better: 'lower',
    accuracy,
  });
}

async function read(part: string): Promise<ExampleArrays> {
  const numbers = async (name: string) =>
    (await readIdx(await readFile(join(folder, `${part}-${name}-ubyte.gz`)))).data as Uint8Array;
  return {
    x: Float32Array.from(await numbers('images-idx3'), (byte) => byte / 255),
    y: await numbers('labels-idx1'),
  };
}
