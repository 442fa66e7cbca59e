import type { Examples } from '../data/examples.ts';
import { argmax } from '../numbers.ts';
import { keyOf } from '../random/philox.ts';
import { shuffledIndices } from '../random/shuffle.ts';
import type { Floor } from './floors.ts';
import { type Pause, withoutPauses } from './pauses.ts';

/*
 * Multinomial logistic regression on the inputs as a model gets them, by Adam: what a classifier without hidden neurons
 * knows. Bounded by products and not by the clock, so that a run has the same floor on every machine.
 */

const BATCH = 64;
const RATE = 0.01;
const [BETA1, BETA2, EPSILON] = [0.9, 0.99, 1e-8];
/** Decay of weights, as a fraction of the rate: few examples are learned by heart otherwise. */
const DECAY = 0.05;
const MAX_EPOCHS = 40;
/** Multiplications and additions of training: about three seconds of one thread. */
const MAX_PRODUCTS = 2e9;
/** 64 MB with gradients and moments. */
const MAX_WEIGHTS = 1 << 22;
/** A solver that has to end before so many steps says little. */
const MIN_STEPS = 20;
/** Examples that means and scale of the inputs are taken of. */
const MAX_SCALED = 2048;

/** Inputs as x = (input - mean) / scale, one scale for all. */
interface Scaling {
  readonly mean: Float32Array;
  readonly factor: number;
}

/**
 * The accuracy on `asked` of a linear classifier that was trained on `learned`, which are as wide. Undefined where there
 * are so many inputs and classes that it could not be trained in a few seconds.
 */
export async function linearFloor(
  learned: Examples,
  asked: Examples,
  pause: Pause = withoutPauses,
): Promise<Floor | undefined> {
  const inputs = learned.frames * learned.width;
  const classes = Math.max(learned.classes, asked.classes);
  const weights = inputs * classes;
  const epoch = Math.ceil(learned.count / BATCH);
  const steps = Math.min(MAX_EPOCHS * epoch, Math.floor(MAX_PRODUCTS / (2 * BATCH * weights)));
  const isTooLarge = weights > MAX_WEIGHTS || asked.count * weights > MAX_PRODUCTS;
  if (isTooLarge || steps < Math.min(MIN_STEPS, MAX_EPOCHS * epoch)) return undefined;
  const scaling = await scalingOf(learned, pause);
  const solver = createSolver(inputs, classes);
  const x = new Float32Array(inputs);
  const placesOf = createOrder(learned.count);
  for (let step = 0; step < steps; step++) {
    const chosen = placesOf(step);
    for (const example of chosen) {
      readScaled(learned, example, x, scaling);
      solver.learn(x, learned.label(example));
      const due = pause();
      if (due) await due;
    }
    solver.update(chosen.length, RATE * (1 - step / steps));
  }
  let right = 0;
  for (let example = 0; example < asked.count; example++) {
    readScaled(asked, example, x, scaling);
    right += Number(argmax(solver.scores(x)) === asked.label(example));
    const due = pause();
    if (due) await due;
  }
  return { name: 'linear', figure: 'accuracy', value: right / asked.count };
}

/** The examples of each step in turn, in an order drawn for every epoch. */
function createOrder(count: number): (step: number) => Uint32Array {
  const perEpoch = Math.ceil(count / BATCH);
  let drawn: { epoch: number; order: Uint32Array } = { epoch: -1, order: new Uint32Array() };
  return (step) => {
    const epoch = Math.floor(step / perEpoch);
    if (epoch !== drawn.epoch) drawn = { epoch, order: shuffledIndices(count, epoch, keyOf(0)) };
    const first = (step % perEpoch) * BATCH;
    return drawn.order.subarray(first, first + BATCH);
  };
}

/** An example as one row, whatever its frames. */
function readScaled(
  examples: Examples,
  example: number,
  x: Float32Array,
  { mean, factor }: Scaling,
): void {
  examples.write(example, { inputs: x, rows: 1, row: 0 });
  for (let i = 0; i < x.length; i++) x[i] = ((x[i] ?? 0) - (mean[i] ?? 0)) * factor;
}

async function scalingOf(examples: Examples, pause: Pause): Promise<Scaling> {
  const inputs = examples.frames * examples.width;
  const count = Math.min(MAX_SCALED, examples.count);
  const [sums, squares] = [new Float64Array(inputs), new Float64Array(inputs)];
  const x = new Float32Array(inputs);
  for (let i = 0; i < count; i++) {
    const example = Math.floor((i * examples.count) / count);
    examples.write(example, { inputs: x, rows: 1, row: 0 });
    for (let at = 0; at < inputs; at++) {
      const value = x[at] ?? 0;
      sums[at] = (sums[at] as number) + value;
      squares[at] = (squares[at] as number) + value * value;
    }
    const due = pause();
    if (due) await due;
  }
  const mean = Float32Array.from(sums, (sum) => sum / count);
  const variance = squares.reduce((all, sum, at) => all + sum / count - (mean[at] ?? 0) ** 2, 0);
  return { mean, factor: variance > 0 ? Math.sqrt(inputs / variance) : 1 };
}

/** Weights `[classes][inputs + 1]`, the last of each row its bias. */
function createSolver(inputs: number, classes: number) {
  const row = inputs + 1;
  const weights = new Float32Array(classes * row);
  const gradient = new Float32Array(weights.length);
  const [first, second] = [new Float32Array(weights.length), new Float32Array(weights.length)];
  const logits = new Float32Array(classes);
  let updates = 0;

  function scores(x: Float32Array): Float32Array {
    for (let c = 0; c < classes; c++) {
      const from = c * row;
      let sum = weights[from + inputs] as number;
      for (let i = 0; i < inputs; i++) sum += (weights[from + i] as number) * (x[i] as number);
      logits[c] = sum;
    }
    return logits;
  }

  return {
    scores,
    /** Adds the gradient of the cross entropy of one example. */
    learn(x: Float32Array, label: number): void {
      const largest = scores(x)[argmax(logits)] as number;
      let total = 0;
      for (let c = 0; c < classes; c++)
        total += logits[c] = Math.exp((logits[c] as number) - largest);
      for (let c = 0; c < classes; c++) {
        const error = (logits[c] as number) / total - Number(c === label);
        const from = c * row;
        for (let i = 0; i < inputs; i++)
          gradient[from + i] = (gradient[from + i] as number) + error * (x[i] as number);
        gradient[from + inputs] = (gradient[from + inputs] as number) + error;
      }
    },
    /** A step along the mean gradient of `examples`. */
    update(examples: number, rate: number): void {
      updates++;
      const scale = 1 / examples;
      const [one, two] = [1 - BETA1 ** updates, 1 - BETA2 ** updates];
      for (let i = 0; i < weights.length; i++) {
        const g = (gradient[i] as number) * scale;
        gradient[i] = 0;
        const m = (first[i] = BETA1 * (first[i] as number) + (1 - BETA1) * g);
        const v = (second[i] = BETA2 * (second[i] as number) + (1 - BETA2) * g * g);
        weights[i] =
          (weights[i] as number) -
          rate * (m / one / (Math.sqrt(v / two) + EPSILON) + DECAY * (weights[i] as number));
      }
    },
  };
}
