import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReferenceBackend } from '../../engine/backends/reference/reference-backend.ts';
import type { Backend } from '../../engine/graph/backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters, parameterValues } from '../../engine/graph/parameters.ts';
import { wordCount } from '../../engine/graph/tensor.ts';
import { kernels } from '../../engine/kernels/kernels.ts';
import { createStepInputs, clockInput, ratesInput } from '../../engine/ops/step-inputs.ts';
import { adam, adamW, lion, sgd } from '../../engine/optimizers/descent.ts';
import { muon } from '../../engine/optimizers/muon.ts';
import type { Optimizer } from '../../engine/optimizers/optimizer.ts';
import { meanOfWeights, movingAverage } from '../../engine/optimizers/weight-average.ts';
import { reference, triedVariants } from './play.ts';
import { randomSource } from './random.ts';
import './matchers.ts';

const initial = { kind: 'constant', value: 0 } as const;

/** Wide, tall and square matrices, a vector of more than a line of the block, and a scalar. */
const layout = layOutParameters([
  { name: 'wide', shape: [5, 7], initial, decayed: true },
  { name: 'tall', shape: [65, 3], initial, decayed: true },
  { name: 'vector', shape: [65], initial, decayed: false },
  { name: 'scalar', shape: [1], initial, decayed: false },
]);
const RATE = 0.1;

/** Parameters after some steps along gradients that are given; the same ones on every call. */
async function stepped(
  backend: Backend,
  optimizer: Optimizer,
  gradients: readonly Float32Array[] = [1, 2, 3].map((seed) => blockOf(seed)),
  start: Float32Array = blockOf(7),
) {
  const graph = new Graph('steps', layout);
  const given = graph.local('given', 'f32', layout.gradients.shape);
  const clock = clockInput(graph);
  const rates = ratesInput(graph);
  const norms = graph.local('norms', 'f32', [4]);
  const copied = { count: wordCount(given) };
  graph.call(kernels.copy, { source: given, target: layout.gradients }, copied);
  optimizer.update(graph, { clock, rates, norms });
  const program = graph.build();
  const player = await backend.load(layout, [program]);
  player.write(layout.values, start);
  const inputs = createStepInputs({ ...optimizer, seed: [0, 0] });
  for (const [step, gradient] of gradients.entries()) {
    inputs.set(step, optimizer.learningRate);
    player.write(given, gradient);
    player.write(clock, inputs.clock);
    player.write(rates, inputs.rates);
    player.play(program);
  }
  const [values, momentum] = await Promise.all([
    player.read(layout.values),
    player.read(layout.momentum),
  ]);
  player.close();
  return { values: values as Float32Array, momentum: momentum as Float32Array };
}

/** Random numbers in every parameter, zeros between them. */
function blockOf(seed: number): Float32Array {
  const from = randomSource(seed);
  const block = new Float32Array(wordCount(layout.values));
  for (const parameter of layout.parameters) {
    const own = parameterValues(parameter, block);
    own.set(from.floats(own.length));
  }
  return block;
}

const valuesOf = (name: string, block: Float32Array) => [
  ...parameterValues(layout.get(name), block),
];

const optimizers: Record<string, Optimizer> = {
  sgd: sgd(RATE),
  'sgd with momentum and decay': sgd(RATE, { momentum: 0.9, weightDecay: 0.1 }),
  'sgd with Nesterov': sgd(RATE, { momentum: 0.9, nesterov: true, clip: { norm: 1 } }),
  adam: adam(RATE, { weightDecay: 0.1 }),
  adamw: adamW(RATE),
  'adamw in groups': adamW(RATE, {
    groups: [
      { parameters: ['wide'], rate: 0 },
      { parameters: (name) => name === 'vector', rate: 0.5, weightDecay: 0.3 },
    ],
    clip: { value: 0.5 },
  }),
  lion: lion(RATE, { weightDecay: 0.1 }),
  muon: muon(RATE),
  'muon of tall matrices': muon(RATE, {
    matrices: (name) => name === 'tall',
    nesterov: false,
    clip: { norm: 1, value: 0.3 },
  }),
};

describe.each(Object.entries(triedVariants))('%s', (_variant, open) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.close());

  it.each(Object.entries(optimizers))(
    'takes the steps of the reference with %s',
    async (_name, optimizer) => {
      const [expected, actual] = await Promise.all([
        stepped(reference, optimizer),
        stepped(backend, optimizer),
      ]);

      expect(actual.values).toMatchNumbers(expected.values, 2e-5);
      expect(actual.momentum).toMatchNumbers(expected.momentum, 2e-5);
    },
  );
});

const averages = [
  ['moving', () => movingAverage(layout, { decay: 0.75 }), [1, 0.25, 0.25]],
  ['mean', () => meanOfWeights(layout), [1, 1 / 2, 1 / 3]],
] as const;
const backends: Record<string, () => Promise<Backend>> = {
  reference: () => Promise.resolve(openReferenceBackend()),
  ...triedVariants,
};

describe.each(Object.entries(backends))('an average of weights on %s', (_variant, open) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.close());

  it.each(averages)(
    'that is %s moves to the parameters by its share',
    async (_name, make, shares) => {
      const average = make();
      const graph = new Graph('average', layout);
      average.take(graph);
      const program = graph.build();
      const player = await backend.load(layout, [program]);
      const expected = new Float64Array(wordCount(layout.values));
      for (const [i, share] of shares.entries()) {
        const block = blockOf(i + 1);
        player.write(layout.values, block);
        player.play(program);
        for (const [k, value] of block.entries()) expected[k]! += share * (value - expected[k]!);
      }

      expect(await player.read(average.values)).toMatchNumbers(expected, 1e-6);
      expect([...(await player.read(average.taken))]).toEqual([3]);
      player.close();
    },
  );
});

type Rule = (w: number, gradients: readonly number[], isMatrix: boolean) => number;

/** The published rules for one weight and its gradients. */
const rules: [string, Optimizer, Rule][] = [
  [
    'sgd with momentum and Nesterov (Sutskever et al. 2013, as in PyTorch)',
    sgd(RATE, { momentum: 0.9, nesterov: true, weightDecay: 0.2 }),
    (first, gradients, isMatrix) => {
      let [w, m] = [first, 0];
      for (const gradient of gradients) {
        const g = gradient + (isMatrix ? 0.2 * w : 0);
        m = 0.9 * m + g;
        w -= RATE * (g + 0.9 * m);
      }
      return w;
    },
  ],
  [
    'Adam with decay in the gradient (Kingma & Ba 2015)',
    adam(RATE, { beta1: 0.8, beta2: 0.9, weightDecay: 0.2 }),
    (first, gradients, isMatrix) => {
      let [w, m, v] = [first, 0, 0];
      for (const [t, gradient] of gradients.entries()) {
        const g = gradient + (isMatrix ? 0.2 * w : 0);
        m = 0.8 * m + 0.2 * g;
        v = 0.9 * v + 0.1 * g * g;
        w -= (RATE * (m / (1 - 0.8 ** (t + 1)))) / (Math.sqrt(v / (1 - 0.9 ** (t + 1))) + 1e-8);
      }
      return w;
    },
  ],
  [
    'Lion (Chen et al. 2023)',
    lion(RATE, { weightDecay: 0.2 }),
    (first, gradients, isMatrix) => {
      let [w, m] = [first, 0];
      for (const g of gradients) {
        const direction = Math.sign(0.9 * m + 0.1 * g);
        w -= RATE * (direction + (isMatrix ? 0.2 * w : 0));
        m = 0.99 * m + 0.01 * g;
      }
      return w;
    },
  ],
];

describe('an optimizer', () => {
  it.each(rules)('takes the published steps: %s', async (_name, optimizer, rule) => {
    const gradients = [1, 2, 3].map((seed) => blockOf(seed));
    const start = blockOf(7);
    const { values } = await stepped(reference, optimizer, gradients, start);

    for (const { spec } of layout.parameters) {
      const all = gradients.map((block) => valuesOf(spec.name, block));
      const expected = valuesOf(spec.name, start).map((w, i) =>
        rule(
          w,
          all.map((one) => one[i]!),
          spec.decayed,
        ),
      );
      expect(valuesOf(spec.name, values), spec.name).toMatchNumbers(expected, 1e-6);
    }
  });

  it('with groups of factor 1 takes the steps of AdamW without groups', async () => {
    const plain = await stepped(reference, adamW(RATE));
    const grouped = await stepped(reference, adamW(RATE, { groups: [{ parameters: ['wide'] }] }));

    expect(grouped.values).toMatchNumbers(plain.values, 1e-7);
  });

  it('leaves parameters of a group with rate 0 as they are, with their moments', async () => {
    const frozen = [{ parameters: ['tall', 'scalar'], rate: 0 }];
    for (const make of [sgd, adam, adamW, lion, muon]) {
      const { values, momentum } = await stepped(reference, make(RATE, { groups: frozen }));
      for (const name of ['tall', 'scalar']) {
        expect(valuesOf(name, values), make.name).toEqual(valuesOf(name, blockOf(7)));
        expect(new Set(valuesOf(name, momentum)), make.name).toEqual(new Set([0]));
      }
      expect(valuesOf('wide', values)).not.toEqual(valuesOf('wide', blockOf(7)));
    }
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])(
    'changes nothing where a gradient is %d',
    async (bad) => {
      const gradient = blockOf(1);
      gradient[0] = bad;
      for (const make of [sgd, adam, adamW, lion, muon]) {
        const { values, momentum } = await stepped(reference, make(RATE), [gradient]);
        expect([...values], make.name).toEqual([...blockOf(7)]);
        expect(new Set(momentum), make.name).toEqual(new Set([0]));
      }
    },
  );

  it('clips values before the norm, and the norm of all of them together', async () => {
    const gradient = blockOf(1).map((value) => 4 * value);
    const { values } = await stepped(reference, sgd(1, { clip: { value: 2, norm: 3 } }), [
      gradient,
    ]);
    const clipped = gradient.map((value) => Math.min(2, Math.max(-2, value)));
    const norm = Math.sqrt(clipped.reduce((sum, value) => sum + value * value, 0));

    const expected = blockOf(7).map((w, i) => w - (3 / norm) * clipped[i]!);
    expect(values).toMatchNumbers(expected, 1e-6);
  });

  it('of Muon moves matrices along directions with singular values near 1', async () => {
    const { values } = await stepped(reference, muon(RATE, { weightDecay: 0 }), [blockOf(1)]);
    for (const [name, rows, columns] of [
      ['wide', 5, 7],
      ['tall', 65, 3],
    ] as const) {
      const before = valuesOf(name, blockOf(7));
      const size = 0.2 * Math.sqrt(Math.max(rows, columns)) * RATE;
      const step = valuesOf(name, values).map((w, i) => (before[i]! - w) / size);
      const squares = step.reduce((sum, value) => sum + value * value, 0);
      // The mean of the squares of the singular values, which are between 0.7 and 1.2.
      const mean = squares / Math.min(rows, columns);
      expect(mean, name).toBeGreaterThan(0.49);
      expect(mean, name).toBeLessThan(1.44);
      // Along the gradient, not against it.
      const gradient = valuesOf(name, blockOf(1));
      expect(
        step.reduce((sum, value, i) => sum + value * gradient[i]!, 0),
        name,
      ).toBeGreaterThan(0);
    }
  });

  it.each([
    [() => sgd(0), /learningRate is 0: expected a positive number/],
    [() => sgd(0.1, { momentum: 1 }), /momentum is 1: expected a number from 0 to below 1/],
    [() => adam(0.1, { beta2: -1 }), /beta2 is -1/],
    [() => adamW(Number.NaN), /learningRate is NaN/],
    [() => lion(0.1, { clip: { norm: -1 } }), /clip.norm is -1: expected a positive number/],
    [() => muon(0.1, { groups: [{ parameters: [], rate: -1 }] }), /groups\[0\].rate is -1/],
  ])('refuses settings that cannot be, %#', (make, message) => {
    expect(make).toThrow(message);
  });

  it('refuses a group that names a parameter that there is not', async () => {
    const groups = [{ parameters: ['wide', 'thin'] }];
    await expect(stepped(reference, sgd(RATE, { groups }))).rejects.toThrow(
      /names "thin": expected some of wide, tall, vector, scalar/,
    );
  });
});
