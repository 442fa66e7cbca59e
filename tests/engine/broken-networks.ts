import {
  adamW,
  alif,
  applyRemedy,
  type Backend,
  crossEntropy,
  diagnose,
  type Diagnosis,
  EngineError,
  evaluate,
  type ExampleArrays,
  type Finding,
  fit,
  type FitOptions,
  init,
  type Layer,
  layerNorm,
  lif,
  linear,
  type Model,
  plif,
  recurrentLif,
  sequential,
  sgd,
} from '../../library/index.ts';
import { randomSource } from './random.ts';

type Cause = Finding['cause'];

/** A network that learns its data, and how it is broken. */
export interface Case {
  readonly name: string;
  readonly seed: number;
  /** Undefined of a healthy one. */
  readonly cause: Cause | undefined;
  readonly layers: readonly Layer[];
  readonly options?: Partial<FitOptions>;
  /** Overwrites first weights. */
  readonly weights?: (model: Model) => void;
  /** Overwrites examples to learn from and to be judged on alike. */
  readonly data?: (data: ExampleArrays, seed: number) => ExampleArrays;
}

const WIDTH = 10;
const CLASSES = 4;
const CLUSTERS = 12;
const STEPS = 8;
const TRAIN = 768;
const UNSEEN = 512;

/** Points around centres, three of each class: a network without hidden layers that learn does not tell them apart. */
function clusters(count: number, seed: number, drawn: number): ExampleArrays {
  const centres = randomSource(seed).floats(CLUSTERS * WIDTH, -1.6, 1.6);
  const from = randomSource(drawn);
  const y = new Uint8Array(count);
  const x = new Float32Array(count * WIDTH);
  for (let i = 0; i < count; i++) {
    const cluster = Math.floor(from.uniform(0, CLUSTERS));
    y[i] = cluster % CLASSES;
    for (let j = 0; j < WIDTH; j++) {
      const noise = from.uniform(-0.5, 0.5) + from.uniform(-0.5, 0.5);
      x[i * WIDTH + j] = centres[cluster * WIDTH + j]! + noise;
    }
  }
  return { x, y };
}

const plain = (): Layer[] => [linear(32), lif(), linear(CLASSES), lif()];
const deep = (): Layer[] => [linear(32), lif(), linear(32), lif(), linear(CLASSES), lif()];
const recurrent = (): Layer[] => [linear(32), recurrentLif(), linear(CLASSES), lif()];

const scaled =
  (factor: number, shift = 0) =>
  ({ x, y }: ExampleArrays): ExampleArrays => ({
    x: (x as Float32Array).map((value) => value * factor + shift),
    y,
  });

function shuffled({ x, y }: ExampleArrays, seed: number): ExampleArrays {
  const from = randomSource(seed);
  const labels = Array.from(y);
  for (let i = labels.length - 1; i > 0; i--) {
    const j = Math.floor(from.uniform(0, i + 1));
    [labels[i], labels[j]] = [labels[j]!, labels[i]!];
  }
  return { x, y: labels };
}

const times = (name: string, factor: number) => (model: Model) => {
  const values = model.parameter(name);
  values.set(values.map((value) => value * factor));
};

/** Twenty networks, each broken in one known manner. */
export const BROKEN: readonly Case[] = [
  {
    name: 'threshold 40 in the first layer',
    seed: 1,
    cause: 'silent',
    layers: [linear(32), lif({ threshold: 40 }), linear(CLASSES), lif()],
  },
  {
    name: 'threshold 300 in the second of three',
    seed: 2,
    cause: 'silent',
    layers: [linear(32), lif(), linear(32), lif({ threshold: 300 }), linear(CLASSES), lif()],
  },
  {
    name: 'biases of -20 in the first layer',
    seed: 3,
    cause: 'silent',
    layers: plain(),
    weights: (model) => void model.parameter('0.bias').fill(-20),
  },
  {
    name: 'threshold 30 of adaptive neurons, a triangle',
    seed: 4,
    cause: 'silent',
    layers: [linear(32), alif({ threshold: 30, surrogate: 'triangle' }), linear(CLASSES), lif()],
  },
  {
    name: 'biases of 20, reset to zero',
    seed: 5,
    cause: 'saturated',
    layers: [linear(32), lif({ reset: 'zero' }), linear(CLASSES), lif()],
    weights: (model) => void model.parameter('0.bias').fill(20),
  },
  {
    name: 'biases of 20 in the first layer',
    seed: 6,
    cause: 'saturated',
    layers: plain(),
    weights: (model) => void model.parameter('0.bias').fill(20),
  },
  {
    name: 'biases of 30 in the second of three',
    seed: 7,
    cause: 'saturated',
    layers: deep(),
    weights: (model) => void model.parameter('2.bias').fill(30),
  },
  {
    name: 'a triangle of width 0.0005',
    seed: 8,
    cause: 'surrogate-out-of-reach',
    layers: [
      linear(32),
      lif({ surrogate: 'triangle', surrogateWidth: 0.0005 }),
      linear(CLASSES),
      lif({ surrogate: 'triangle', surrogateWidth: 0.0005 }),
    ],
  },
  {
    name: 'a sigmoid of width 0.002',
    seed: 9,
    cause: 'surrogate-out-of-reach',
    layers: [
      linear(32),
      lif({ surrogate: 'sigmoid', surrogateWidth: 0.002 }),
      linear(CLASSES),
      lif({ surrogate: 'sigmoid', surrogateWidth: 0.002 }),
    ],
  },
  {
    name: 'a fast sigmoid of width 0.001, learned leaks',
    seed: 10,
    cause: 'surrogate-out-of-reach',
    layers: [
      linear(32),
      plif({ surrogate: 'fast_sigmoid', surrogateWidth: 0.001 }),
      linear(CLASSES),
      lif({ surrogate: 'fast_sigmoid', surrogateWidth: 0.001 }),
    ],
  },
  {
    name: 'AdamW at 3',
    seed: 11,
    cause: 'rate-too-high',
    layers: plain(),
    options: { optimizer: adamW(3) },
  },
  {
    name: 'AdamW at 30, three layers',
    seed: 12,
    cause: 'rate-too-high',
    layers: deep(),
    options: { optimizer: adamW(30) },
  },
  {
    name: 'SGD at 3000',
    seed: 13,
    cause: 'rate-too-high',
    layers: plain(),
    options: { optimizer: sgd(3000) },
  },
  {
    name: 'AdamW at 1e-6',
    seed: 14,
    cause: 'rate-too-low',
    layers: plain(),
    options: { optimizer: adamW(1e-6) },
  },
  {
    name: 'SGD at 1e-5, three layers',
    seed: 15,
    cause: 'rate-too-low',
    layers: deep(),
    options: { optimizer: sgd(1e-5) },
  },
  {
    name: 'recurrent weights times 25',
    seed: 16,
    cause: 'exploding',
    layers: recurrent(),
    weights: times('1.weight', 25),
  },
  {
    name: 'recurrent weights times 60',
    seed: 17,
    cause: 'exploding',
    layers: recurrent(),
    weights: times('1.weight', 60),
  },
  {
    name: 'inputs times 1000',
    seed: 18,
    cause: 'input-scale',
    layers: plain(),
    data: scaled(1000, 3000),
  },
  {
    name: 'inputs times 0.001',
    seed: 19,
    cause: 'input-scale',
    layers: plain(),
    data: scaled(0.001),
  },
  { name: 'labels shuffled', seed: 20, cause: 'labels-shuffled', layers: plain(), data: shuffled },
];

/** Networks of several kinds that learn their data. */
const HEALTHY_KINDS: Readonly<Record<string, Omit<Case, 'name' | 'seed' | 'cause'>>> = {
  'two layers': { layers: plain() },
  'three layers': { layers: deep() },
  'recurrent neurons': { layers: recurrent() },
  'adaptive neurons, a fast sigmoid': {
    layers: [linear(32), alif({ surrogate: 'fast_sigmoid' }), linear(CLASSES), lif()],
  },
  'a norm in front, inputs times 1000': {
    layers: [layerNorm(), linear(32), plif(), linear(CLASSES), lif()],
    data: scaled(1000),
  },
  'a readout without neurons, SGD': {
    layers: [linear(32), lif({ reset: 'zero' }), linear(CLASSES)],
    options: { loss: crossEntropy({ on: 'values' }), optimizer: sgd(0.5) },
  },
};

/** Five of each kind. */
export const HEALTHY: readonly Case[] = Object.entries(HEALTHY_KINDS).flatMap(([name, kind]) =>
  [21, 22, 23, 24, 25].map((seed) => ({ name, seed, cause: undefined, ...kind })),
);

/** The healthy network that a broken one was made of. */
export function healthyOf({ name, seed, layers }: Case): Case {
  const isRecurrent = layers.some(({ kind }) => kind === 'recurrentLif');
  const sound = isRecurrent ? recurrent() : layers.length > 4 ? deep() : plain();
  return { name: `${name}, in health`, seed, cause: undefined, layers: sound };
}

/** A network after its training, as far as it came. */
export interface Grown {
  readonly model: Model;
  readonly data: ExampleArrays;
  readonly options: FitOptions;
  readonly trained: { readonly losses: Float32Array; readonly norms: Float32Array } | EngineError;
}

/** Trains a case. Broken ones may end in an error, which is part of what is diagnosed. */
export async function grow(one: Case, device: Backend): Promise<Grown> {
  const { seed, layers, data: change = (data) => data } = one;
  const train = change(clusters(TRAIN, seed, seed + 100), seed);
  const validation = change(clusters(UNSEEN, seed, seed + 200), seed + 1);
  const model = await init(sequential(layers, { input: WIDTH, steps: STEPS }), { device, seed });
  one.weights?.(model);
  const options: FitOptions = {
    loss: crossEntropy({ on: 'counts' }),
    optimizer: adamW(0.01),
    epochs: 6,
    seed,
    ...one.options,
    validation,
  };
  return { model, data: train, options, trained: await fitted(model, train, options) };
}

async function fitted(model: Model, data: ExampleArrays, options: FitOptions) {
  try {
    return await fit(model, data, options);
  } catch (error) {
    if (error instanceof EngineError && error.code === 'diverged') return error;
    throw error;
  }
}

/** Accuracy on examples that were not learned from. */
export async function accuracyOf({ model, options }: Grown): Promise<number> {
  const { accuracy = 0 } = await evaluate(model, options.validation!, { loss: options.loss });
  return accuracy;
}

export const diagnosisOf = ({ model, data, options, trained }: Grown): Promise<Diagnosis> =>
  diagnose(model, data, options, trained);

/** Trains with the remedy of a finding, and measures on the data that it made. */
export async function mend(grown: Grown, finding: Finding): Promise<Grown> {
  const { model, data, options } = await applyRemedy(grown, finding);
  const own = data as ExampleArrays;
  return { model, data: own, options, trained: await fitted(model, own, options) };
}
