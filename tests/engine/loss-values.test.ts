import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import type { Tensor } from '../../engine/graph/tensor.ts';
import { ownLoss, type WeightedLoss, weightedLoss } from '../../engine/losses/combine.ts';
import { crossEntropyLoss, perStepLoss } from '../../engine/losses/cross-entropy.ts';
import {
  type LayerSpikes,
  type Loss,
  type LossOutputs,
  type TargetShape,
  targetTensor,
  type TracedLoss,
  traceLoss,
} from '../../engine/losses/loss.ts';
import { rateBoundsLoss, rateNormLoss } from '../../engine/losses/rates.ts';
import { squaredErrorLoss, vanRossumLoss } from '../../engine/losses/squared-error.ts';
import { formula } from '../../engine/ops/formula.ts';
import { keep } from '../../engine/ops/keep.ts';
import { leakyMembrane } from '../../engine/ops/leaky.ts';
import { lif } from '../../engine/ops/lif.ts';
import { rowMeans } from '../../engine/ops/row-losses.ts';
import { clockInput } from '../../engine/ops/step-inputs.ts';
import { firstSpike, spikeValues } from '../../engine/ops/time-readouts.ts';
import { reference, variants } from './play.ts';
import { randomSource } from './random.ts';
import './matchers.ts';

/** More than a word of neurons, an odd number of rows. */
const SHAPE: TargetShape = { steps: 5, rows: 3, width: 37 };
const { steps, rows, width } = SHAPE;
const NEURON = { steps, beta: 0.5, threshold: 0.75, surrogate: 'atan' } as const;

const layout = layOutParameters([
  {
    name: 'current',
    shape: [steps, rows, width],
    initial: { kind: 'constant', value: 0 },
    decayed: false,
  },
]);
const classes = Uint32Array.of(36, 0, 17);
const currents = randomSource(3).floats(steps * rows * width, -1, 2);
const values = randomSource(4).floats(rows * width, 0, 1);
const trains = randomSource(6)
  .floats(steps * rows * width)
  .map((value) => Number(value > 0.5));
const TARGETS = { classes, values, trains, none: classes };

/** A network of one layer, whose currents are its parameters. */
function outputsOf(graph: Graph): LossOutputs {
  const current = graph.parameter('current');
  const spikes = lif(graph, current, NEURON);
  const layers: LayerSpikes[] = [{ name: 'out', spikes }];
  const membranes = leakyMembrane(graph, current, NEURON);
  return { name: 'out', spikes, membranes, values: current, layers };
}

interface Played {
  readonly mean: number;
  readonly losses: ArrayLike<number>;
  readonly gradient: ArrayLike<number>;
  readonly spikes: ArrayLike<number>;
  readonly membranes: ArrayLike<number>;
}

async function played(backend: Backend, loss: Loss, weights?: Float32Array): Promise<Played> {
  const graph = new Graph('loss', layout);
  const outputs = outputsOf(graph);
  const spikes = keep(graph, 'spikes', spikeValues(graph, outputs.spikes!));
  const membranes = keep(graph, 'membranes', outputs.membranes!);
  const target = targetTensor(graph, loss, SHAPE);
  const history = graph.local('history', 'f32', [4]);
  const clock = clockInput(graph);
  const weighted = weights && graph.constant('weights', [rows], weights);
  const options = { history, clock, weights: weighted };
  const traced: TracedLoss = traceLoss(graph, loss, { outputs, target }, options);
  const losses = keep(graph, 'losses', traced.losses);
  traced.differentiate();
  const program = graph.build();
  const player = await backend.load(layout, [program]);
  player.write(layout.get('current').value, currents);
  player.write(clock, Uint32Array.of(0, 2, 0, 0));
  if (target) player.write(target, TARGETS[loss.target]);
  player.play(program);
  // Gradients are no tensors that a host reads: a step of size 1 shows them.
  const read = (tensor: Tensor) => player.read(tensor);
  const [means, each, gradient, fired, potentials] = await Promise.all(
    [history, losses, layout.get('current').gradient, spikes, membranes].map(read),
  );
  player.close();
  return {
    mean: means![2]!,
    losses: each!,
    gradient: gradient!,
    spikes: fired!,
    membranes: potentials!,
  };
}

/** One number for each row and neuron: what `of` makes of all its steps. */
function overTime(x: ArrayLike<number>, of: (steps: number[]) => number): number[][] {
  const upTo = (count: number) => [...Array.from({ length: count }).keys()];
  return upTo(rows).map((r) =>
    upTo(width).map((c) => of(upTo(steps).map((t) => x[(t * rows + r) * width + c]!))),
  );
}

const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
const mean = (numbers: number[]) => sum(numbers) / numbers.length;
const nats = (logits: number[], c: number) =>
  Math.log(sum(logits.map((x) => Math.exp(x)))) - logits[c]!;
const entropies = (logits: number[][]) => logits.map((row, r) => nats(row, classes[r]!));
const atStep = (x: ArrayLike<number>, t: number) => overTime(x, (all) => all[t]!);
const errors = (x: number[][], wanted: (r: number, c: number) => number) =>
  x.map((row, r) => mean(row.map((value, c) => (value - wanted(r, c)) ** 2)));

const latency = (train: number[]) => {
  const first = train.indexOf(1);
  return first < 0 ? steps : first;
};
const isClass = (r: number, c: number) => c === classes[r];
const perStep = (of: (t: number) => number[]) => {
  const all = Array.from({ length: steps }, (_, t) => of(t));
  return all[0]!.map((_, r) => mean(all.map((one) => one[r]!)));
};

/** Each loss with its definition, as plain sums over spikes and membranes. */
const losses: [Loss, (played: Played) => number[]][] = [
  [crossEntropyLoss(), ({ spikes }) => entropies(overTime(spikes, mean))],
  [crossEntropyLoss({ on: 'counts' }), ({ spikes }) => entropies(overTime(spikes, sum))],
  [
    crossEntropyLoss({ on: 'membranes-mean' }),
    ({ membranes }) => entropies(overTime(membranes, mean)),
  ],
  [
    crossEntropyLoss({ on: 'membranes-sum' }),
    ({ membranes }) => entropies(overTime(membranes, sum)),
  ],
  [
    crossEntropyLoss({ on: 'membranes-last' }),
    ({ membranes }) => entropies(overTime(membranes, (all) => all.at(-1)!)),
  ],
  [
    crossEntropyLoss({ on: 'membranes-max' }),
    ({ membranes }) => entropies(overTime(membranes, (all) => Math.max(...all))),
  ],
  [crossEntropyLoss({ on: 'values' }), () => entropies(overTime(currents, mean))],
  [
    crossEntropyLoss({ on: 'earliness' }),
    ({ spikes }) => entropies(overTime(spikes, (all) => -latency(all))),
  ],
  [perStepLoss({ on: 'spikes' }), ({ spikes }) => perStep((t) => entropies(atStep(spikes, t)))],
  [perStepLoss(), ({ membranes }) => perStep((t) => entropies(atStep(membranes, t)))],
  [
    perStepLoss({ on: 'values', lambda: 0.25, level: 0.5 }),
    () => {
      const entropy = perStep((t) => entropies(atStep(currents, t)));
      const error = perStep((t) => errors(atStep(currents, t), () => 0.5));
      return entropy.map((value, r) => 0.75 * value + 0.25 * error[r]!);
    },
  ],
  [
    squaredErrorLoss({ classes: { correct: 0.8, others: 0.2 } }),
    ({ spikes }) => errors(overTime(spikes, mean), (r, c) => (isClass(r, c) ? 0.8 : 0.2)),
  ],
  [
    squaredErrorLoss({ on: 'counts' }),
    ({ spikes }) => errors(overTime(spikes, sum), (r, c) => values[r * width + c]!),
  ],
  [
    vanRossumLoss({ tau: 2 }),
    ({ spikes }) => {
      const distance = overTime(
        Array.from(spikes, (s, i) => s - trains[i]!),
        (differences) => {
          let [d, total] = [0, 0];
          for (const difference of differences) {
            d = d * Math.exp(-1 / 2) + difference;
            total += d * d;
          }
          return total / 2;
        },
      );
      return distance.map(mean);
    },
  ],
  [
    rateBoundsLoss({ lower: 0.3, upper: 0.5 }),
    ({ spikes }) =>
      overTime(spikes, mean).map((row) =>
        mean(row.map((rate) => Math.max(0, 0.3 - rate) ** 2 + Math.max(0, rate - 0.5) ** 2)),
      ),
  ],
  [
    rateBoundsLoss({ upper: 0.1, power: 1, layers: ['out'] }),
    ({ spikes }) =>
      overTime(spikes, mean).map((row) => mean(row.map((rate) => Math.max(0, rate - 0.1)))),
  ],
  [rateNormLoss(), ({ spikes }) => overTime(spikes, mean).map(mean)],
  [
    rateNormLoss({ power: 2 }),
    ({ spikes }) => overTime(spikes, mean).map((row) => mean(row.map((rate) => rate * rate))),
  ],
  [
    ownLoss(
      'latency',
      (graph, outputs) =>
        rowMeans(
          graph,
          formula(graph, '1 / (1 + late)', { late: firstSpike(graph, outputs.spikes!) }),
        ),
      { target: 'none' },
    ),
    ({ spikes }) => overTime(spikes, (all) => 1 / (1 + latency(all))).map(mean),
  ],
];

describe('a loss', () => {
  it.each(losses.map(([loss, definition]) => [loss.name, loss, definition] as const))(
    'is as it is defined: %s',
    async (_name, loss, definition) => {
      const result = await played(reference, loss);
      const expected = definition(result);

      expect(result.losses).toMatchNumbers(expected, 1e-6);
      expect(result.mean).toBeCloseTo(mean(expected), 6);
      expect(sum(Array.from(result.gradient, Math.abs))).toBeGreaterThan(0);
    },
  );

  it('of a batch that is filled up is the mean of the rows that count, and so is its gradient', async () => {
    const all = await played(reference, crossEntropyLoss());
    const two = await played(reference, crossEntropyLoss(), Float32Array.of(1, 0, 1));

    expect(two.mean).toBeCloseTo((all.losses[0]! + all.losses[2]!) / 2, 6);
    const expected = Array.from(all.gradient, (value, i) =>
      Math.floor(i / width) % rows === 1 ? 0 : 1.5 * value,
    );
    expect(two.gradient).toMatchNumbers(expected, 1e-7);
  });

  it('in a sum has its weight, in the loss and in the gradient', async () => {
    const [entropy, rates] = [crossEntropyLoss(), rateNormLoss()];
    const parts: WeightedLoss[] = [
      { loss: entropy, weight: 2 },
      { loss: rates, weight: -0.5 },
    ];
    const [first, second, both] = await Promise.all(
      [entropy, rates, weightedLoss(parts)].map((loss) => played(reference, loss)),
    );

    expect(both!.mean).toBeCloseTo(2 * first!.mean - 0.5 * second!.mean, 6);
    const expected = Array.from(
      first!.gradient,
      (value, i) => 2 * value - 0.5 * second!.gradient[i]!,
    );
    expect(both!.gradient).toMatchNumbers(expected, 1e-7);
  });
});

/** All losses in three sums, by the targets that they take. */
const sums = (['classes', 'values', 'trains'] as const).map((kind) =>
  weightedLoss(
    losses
      .filter(([{ target }]) => target === kind || (target === 'none' && kind === 'classes'))
      .map(([loss], i) => ({ loss, weight: 1 + i / 8 })),
  ),
);

describe.each(Object.entries(variants as Record<string, () => Promise<Backend>>))(
  '%s',
  (_variant, open) => {
    let backend: Backend;
    beforeAll(async () => {
      backend = await open();
    });
    afterAll(() => backend.close());

    it.each(sums.map((loss) => [loss.target, loss] as const))(
      'has the losses of the reference and their gradients, with %s as targets',
      async (_target, loss) => {
        const [expected, actual] = await Promise.all([
          played(reference, loss),
          played(backend, loss),
        ]);

        expect(actual.spikes).toMatchNumbers(expected.spikes, 0);
        expect(actual.losses).toMatchNumbers(expected.losses, 2e-5);
        expect(actual.gradient).toMatchNumbers(expected.gradient, 2e-5);
      },
    );
  },
);
