import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import {
  adamW,
  crossEntropy,
  fit,
  init,
  linear,
  lif,
  neuron,
  openBackend,
  planFit,
  sequential,
} from '../../library/index.ts';
import { randomSource } from '../engine/random.ts';
import { median, note, report } from './report.ts';

/**
 * Training through 4,000 time steps within the memory of 500 that are stored plainly: the same layers and batch, in
 * segments. Each run is a process of its own, so that its peak is its own.
 *
 *   npm run bench -- --only segments
 */
const [FEATURES, HIDDEN, CLASSES, BATCH] = [700, 128, 20, 32];
const STEPS = 6;
/** Share of the input's neurons that fire in a time step. */
const DENSITY = 0.01;
const neurons = `
  state u = 0, w = 0
  learn beta = 0.95 in [0, 1] per neuron;  rho = 0.9;  a = 0.1
  u = beta * u + I - w
  s = spike(u - 1)
  w = rho * w + a * s
  u = u - s`;
const layers = [linear(HIDDEN), neuron(neurons), linear(CLASSES), lif()];
const loss = crossEntropy();
const optimizer = adamW(1e-3);

interface Run {
  /** Time steps T. */
  readonly time: number;
  readonly segments: number;
}

interface Measured extends Run {
  /** Of a processor, for a training step on one thread: the middle of some, without the first. */
  readonly milliseconds: number;
  /** Of the process, at most. */
  readonly residentBytes: number;
}

const networkOf = (time: number) => sequential(layers, { input: FEATURES, steps: time });

function planOf({ time, segments }: Run) {
  const options = { loss, optimizer, batchSize: BATCH, segments, input: 'spikes' } as const;
  return planFit(networkOf(time), options).memory;
}

async function measure({ time, segments }: Run): Promise<Measured> {
  const backend = await openBackend('wasm', { gpu: undefined, threads: 1 });
  const from = randomSource(3);
  const x = new Uint32Array(BATCH * time * Math.ceil(FEATURES / 32));
  const words = Math.ceil(FEATURES / 32);
  for (let one = 0; one < BATCH; one++) {
    x.set(from.spikes(time, FEATURES, DENSITY), one * time * words);
  }
  const y = from.integers(BATCH, CLASSES);
  const model = await init(networkOf(time), { device: backend });
  // Time of the processor: others on the machine take none of it.
  const ended: number[] = [];
  // An epoch is one step, so that its end is that of a step.
  await fit(
    model,
    { x, y },
    {
      loss,
      optimizer,
      segments,
      epochs: STEPS,
      batchSize: BATCH,
      onEpoch: () => void ended.push(process.cpuUsage().user / 1000),
    },
  );
  backend.close();
  const times = ended.slice(1).map((at, index) => at - (ended[index] ?? 0));
  const residentBytes = process.resourceUsage().maxRSS * 1024;
  return { time, segments, milliseconds: median(times), residentBytes };
}

/** The same in a process of its own. */
async function measureApart(run: Run): Promise<Measured> {
  const own = fileURLToPath(import.meta.url);
  const child = spawn(process.execPath, [own, JSON.stringify(run)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return JSON.parse(output) as Measured;
}

const MEGABYTE = 1e6;

async function compare(): Promise<void> {
  const plain = await describe({ time: 500, segments: 1 });
  const long = await describe({ time: 4000, segments: 10 });
  await describe({ time: 4000, segments: 64 });
  const whole = await describe({ time: 1000, segments: 1 });
  const parts = await describe({ time: 1000, segments: 10 });
  report({
    name: 'memory of T 4000 in 10 segments over that of T 500 stored plainly',
    value: long.plan.memoryBytes / plain.plan.memoryBytes,
    unit: 'ratio',
    target: 1,
    better: 'lower',
  });
  report({
    name: 'time of T 4000 in 10 segments over 8 times that of T 500',
    value: long.milliseconds / (8 * plain.milliseconds),
    unit: 'ratio',
    target: 1.5,
    better: 'lower',
  });
  report({
    name: 'time of T 1000 in 10 segments over that of all steps at once',
    value: parts.milliseconds / whole.milliseconds,
    unit: 'ratio',
    target: 1.5,
    better: 'lower',
  });
}

async function describe(run: Run) {
  const plan = planOf(run);
  const measured = await measureApart(run);
  const megabytes = (bytes: number) => `${(bytes / MEGABYTE).toFixed(1)} MB`;
  note(
    `T ${run.time} in ${run.segments}: arena ${megabytes(plan.breakdown.arena)}, with parameters ` +
      `${megabytes(plan.memoryBytes)}; process at most ${megabytes(measured.residentBytes)}; ` +
      `${measured.milliseconds.toFixed(0)} ms a step`,
  );
  return { ...measured, plan };
}

const [given] = process.argv.slice(2);
if (given === undefined) await compare();
else console.log(JSON.stringify(await measure(JSON.parse(given) as Run)));
