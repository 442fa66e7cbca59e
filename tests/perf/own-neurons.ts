import {
  adamW,
  type Backend,
  crossEntropy,
  evaluate,
  fit,
  init,
  type Layer,
  lif,
  linear,
  neuron,
  openBackend,
  sequential,
} from '../../library/index.ts';
import { randomSource } from '../engine/random.ts';
import { median, note, report } from './report.ts';

/**
 * Neurons as a user writes them: how well they learn beside the loops in float64, over five seeds, and how long a
 * training step takes beside the same network of built-in LIF. The task is to tell four rhythms of pulses apart.
 */
const SEEDS = [0, 1, 2, 3, 4];
const [STEPS, CHANNELS, CLASSES] = [40, 8, 4];
const THREADS = 2;
/** Of the networks whose steps are timed, and of those that learn on both devices. */
const [WIDE, NARROW] = [512, 24];
const BATCH = 64;
/** Of a network whose steps are timed, in each round. */
const EPOCHS = 8;

const ADLIF = `state u = 0, w = 0
  learn beta = 0.95 in [0, 1] per neuron;  rho = 0.9;  a = 0.1
  u = beta * u + I - w
  s = spike(u - 1)
  w = rho * w + a * s
  u = u - s`;
const PLIF = `state v = 0
  learn rate = 0.2 in [0, 1] per layer
  v = v + rate * (4 * I - v)
  s = spike(v - 1)
  v = s > 0.5 ? 0 : v`;
const written: Readonly<Record<string, () => Layer>> = {
  adLIF: () => neuron(ADLIF),
  PLIF: () => neuron(PLIF),
};

const wasm = await openBackend('wasm', { gpu: undefined, threads: THREADS });
const reference = await openBackend('reference', { gpu: undefined });
await measureSpeed();
for (const [name, layer] of Object.entries(written)) await measureLearning(name, layer);
wasm.close();
reference.close();

async function measureSpeed(): Promise<void> {
  const contestants = { LIF: () => lif({ beta: 0.95 }), ...written };
  const times: Record<string, number[]> = {};
  for (let round = 0; round < 5; round++) {
    for (const [name, layer] of Object.entries(contestants)) {
      const model = await init(networkOf(layer, WIDE), { device: wasm, seed: round });
      const seconds: number[] = [];
      await fit(model, rhythms(12 * BATCH, round), {
        ...learning(EPOCHS),
        onReport: (one) => seconds.push(one.seconds),
      });
      model.close();
      // The first step compiles.
      const [first = 0, last = 0] = [seconds[0], seconds.at(-1)];
      (times[name] ??= []).push(last - first);
    }
  }
  const own = median(times['LIF'] ?? []);
  for (const name of Object.keys(written)) {
    report({
      name: `training with ${name} of equations beside built-in LIF, ${WIDE} neurons, T = ${STEPS}, WASM, ${THREADS} threads`,
      value: median(times[name] ?? []) / own,
      unit: 'x',
      target: 1.3,
      better: 'lower',
    });
  }
}

async function measureLearning(name: string, layer: () => Layer): Promise<void> {
  const accuracies = { wasm: [] as number[], reference: [] as number[] };
  for (const seed of SEEDS) {
    for (const [device, backend] of Object.entries({ wasm, reference })) {
      const accuracy = await learn(layer, backend, seed);
      accuracies[device as keyof typeof accuracies].push(accuracy);
      note(`${name}, seed ${seed}, ${device}: ${(100 * accuracy).toFixed(2)} %`);
    }
  }
  const difference = median(accuracies.reference) - median(accuracies.wasm);
  report({
    name: `accuracy that ${name} of equations on WASM lacks beside its loop in float64, median of ${SEEDS.length} seeds`,
    value: 100 * difference,
    unit: 'points',
    target: 1,
    better: 'lower',
    accuracy: median(accuracies.wasm),
  });
}

async function learn(layer: () => Layer, device: Backend, seed: number): Promise<number> {
  const model = await init(networkOf(layer, NARROW), { device, seed });
  await fit(model, rhythms(512, seed), learning(20));
  const { accuracy = Number.NaN } = await evaluate(model, rhythms(256, 100 + seed));
  model.close();
  return accuracy;
}

function networkOf(layer: () => Layer, width: number) {
  const layers = [linear(width), layer(), linear(CLASSES)];
  return sequential(layers, { input: CHANNELS, steps: STEPS });
}

function learning(epochs: number) {
  const loss = crossEntropy({ on: 'values' });
  return { loss, optimizer: adamW(2e-2), epochs, batchSize: BATCH };
}

/** Pulses every 3, 4, 5 or 6 steps on channels that begin at steps of their own, a tenth of them lost. */
function rhythms(count: number, seed: number) {
  const from = randomSource(seed);
  const x = new Float32Array(count * STEPS * CHANNELS);
  const y = Uint8Array.from(from.integers(count, CLASSES));
  y.forEach((label, example) => {
    const period = 3 + label;
    for (const [channel, first] of from.integers(CHANNELS, period).entries()) {
      for (let step = first; step < STEPS; step += period) {
        const isLost = from.uniform(0, 1) < 0.1;
        x[(example * STEPS + step) * CHANNELS + channel] = isLost ? 0 : 1;
      }
    }
  });
  return { x, y };
}
