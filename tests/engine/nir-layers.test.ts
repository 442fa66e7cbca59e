import { describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { certify } from '../../engine/nir/certificate.ts';
import type { NirGraph, NirNode } from '../../engine/nir/graph.ts';
import { fromNir } from '../../engine/nir/model-of-nir.ts';
import type { ResetRule } from '../../engine/nir/neurons.ts';
import { toNir } from '../../engine/nir/nir-of-layers.ts';
import { openNir } from '../../engine/nir/open-nir.ts';
import { conv1d, depthwiseConv2d } from '../../engine/layers/images.ts';
import {
  averagePool,
  conv2d,
  currentLif,
  dropout,
  flatten,
  init,
  layerNorm,
  lif,
  linear,
  type Network,
  neuron,
  plif,
  recurrentLif,
  sequential,
} from '../../library/index.ts';
import { chain, drawn, graphOf, tensor } from './nir-graphs.ts';
import { reference, triedVariants } from './play.ts';
import { randomSource } from './random.ts';

const [dt, steps, rows] = [1e-4, 20, 3];
const each = (width: number, value: number) => tensor([width], value);
const affine = (width: number, outputs: number, seed: number): NirNode => ({
  type: 'Affine',
  weight: drawn([outputs, width], seed, -1, 1.5),
  bias: drawn([outputs], seed + 1, -0.1, 0.4),
});

/** As snnTorch writes them: a gain of 1. */
function cuba(width: number, alpha: number, beta: number): NirNode {
  const [synapse, membrane] = [dt / (1 - alpha), dt / (1 - beta)];
  return {
    type: 'CubaLIF',
    tau_syn: each(width, synapse),
    tau_mem: each(width, membrane),
    r: each(width, membrane / dt),
    v_leak: each(width, 0),
    w_in: each(width, synapse / dt),
    v_threshold: each(width, 1),
  };
}

const norse: NirNode = {
  type: 'LIF',
  tau: each(33, 3 * dt),
  r: each(33, 2),
  v_leak: each(33, 0.1),
  v_threshold: each(33, 0.7),
  v_reset: each(33, -0.2),
};
const integrator = (shape: readonly number[]): NirNode => ({
  type: 'IF',
  r: tensor([...shape], 1),
  v_threshold: tensor([...shape], 1),
});

const recurrent = graphOf(
  {
    input: { type: 'Input', shape: [5] },
    in: affine(5, 33, 1),
    hidden: cuba(33, 0.7, 0.8),
    loop: { type: 'Linear', weight: drawn([33, 33], 5, -0.3, 0.3) },
    out: affine(33, 4, 3),
    last: cuba(4, 0.5, 0.9),
    output: { type: 'Output', shape: [4] },
  },
  [
    ['input', 'in'],
    ['in', 'hidden'],
    ['hidden', 'loop'],
    ['loop', 'hidden'],
    ['hidden', 'out'],
    ['out', 'last'],
    ['last', 'output'],
  ],
);
const pictures = chain(
  [2, 8, 6],
  {
    conv: {
      type: 'Conv2d',
      weight: drawn([4, 1, 3, 3], 1, -0.5, 1),
      stride: [1, 2],
      padding: [1, 0],
      dilation: [1, 1],
      groups: 2,
      bias: drawn([4], 2, 0, 0.3),
    },
    fires: integrator([4, 8, 2]),
    pool: { type: 'SumPool2d', kernel_size: [2, 2], stride: [2, 2], padding: [0, 0] },
    flat: { type: 'Flatten', input_type: [4, 4, 1], start_dim: 0, end_dim: -1 },
    out: affine(16, 3, 4),
    last: integrator([3]),
  },
  [3],
);

const graphs: Readonly<Record<string, readonly [NirGraph, ResetRule]>> = {
  'recurrent, behind synapses': [recurrent, 'delayed'],
  'with synapses, reset to a value': [recurrent, 'value'],
  'leaky with a gain and a drift': [chain([5], { in: affine(5, 33, 7), norse }, [33]), 'value'],
  'leaky, reset by subtraction': [chain([5], { in: affine(5, 33, 7), norse }, [33]), 'subtract'],
  'convolutional without a leak': [pictures, 'delayed'],
  'convolutional, reset to zero': [pictures, 'value'],
};

/** Spikes as the runner of NIR graphs has them. */
async function runSpikes(graph: NirGraph, reset: ResetRule, x: Float32Array, record: string[]) {
  const network = await openNir(reference, graph, { dt, steps, reset, rows, record });
  const signals = await network.run({ input: x });
  network.close();
  return Object.fromEntries(record.map((name) => [name, { spikes: signals[name]! }]));
}

/** Currents `[N, T, features]`, and as the runner takes them, `[T][N][features]`. */
function inputs(size: number) {
  const x = randomSource(9).floats(rows * steps * size, -0.5, 1.5);
  const byStep = x.map((_, at) => {
    const [step, row, i] = [
      Math.floor(at / (rows * size)),
      Math.floor(at / size) % rows,
      at % size,
    ];
    return x[(row * steps + step) * size + i]!;
  });
  return { x, byStep };
}

const sizeOf = (shape: readonly number[]) => shape.reduce((product, axis) => product * axis, 1);

describe('a NIR graph as layers', () => {
  const cases = Object.entries(graphs).flatMap(([name, [graph, reset]]) =>
    Object.entries(triedVariants).map(([on, open]) => ({ name, on, graph, reset, open })),
  );

  it.each(cases)('$name fires on $on as the graph does', async ({ graph, reset, open }) => {
    const backend: Backend = await open();
    const model = await fromNir(graph, { dt, steps, reset, device: backend });
    const { x, byStep } = inputs(sizeOf(model.network.input));
    const neurons = (await model.observe(x, { count: rows })).layers.map(({ name }) => name);
    const recorded = await runSpikes(graph, reset, byStep, neurons);

    const certificate = await certify(model, x, { recorded, count: rows });
    backend.close();

    expect(certificate).toMatchObject({ isEqual: true });
    expect(certificate.layers.map(({ name }) => name)).toEqual(neurons);
    const counts = Object.values(recorded).map(({ spikes }) => spikes.reduce((a, b) => a + b));
    expect(Math.min(...counts)).toBeGreaterThan(0);
  });

  it('keeps the membranes of recurrent neurons, as the equations have them', async () => {
    const model = await fromNir(recurrent, { dt, steps, reset: 'delayed', device: reference });
    const { x } = inputs(5);

    const { layers } = await model.observe(x, { count: rows });

    for (const { spikes, membranes } of layers) {
      const fires = Array.from(membranes!, (membrane) => (membrane > 1 ? 1 : 0));
      expect(fires).toEqual([...spikes]);
    }
  });
});

describe('layers as a NIR graph', () => {
  const networks: Readonly<Record<string, Network>> = {
    dense: sequential([linear(33), lif({ beta: 0.8 }), dropout(0.5), linear(4), plif()], {
      input: 5,
      steps,
    }),
    recurrent: sequential(
      [linear(9), recurrentLif({ bias: false }), linear(4, { bias: false }), currentLif()],
      { input: 5, steps },
    ),
    'reset to zero': sequential([linear(9), lif({ reset: 'zero' })], { input: 5, steps }),
    convolutional: sequential(
      [
        conv2d(3, 3, { padding: 'same' }),
        lif(),
        averagePool(2),
        depthwiseConv2d(2, { stride: 2 }),
        lif({ beta: 1 }),
        flatten(),
        linear(2),
        lif(),
      ],
      { input: [2, 8, 8], steps },
    ),
    sequences: sequential(
      [conv1d(3, 5, { stride: 2, padding: 2, bias: false }), lif(), flatten(), linear(4), lif()],
      { input: [2, 17], steps },
    ),
    equations: sequential(
      [
        linear(9),
        neuron(
          'state i = 0, u = 0\ni = 0.5 * i + I\nu = 0.9 * u + i\ns = spike(u - 1)\nu = u - detach(s)',
        ),
      ],
      { input: 5, steps },
    ),
  };

  it.each(Object.entries(networks))('gives back the network: %s', async (name, network) => {
    const reset = { 'reset to zero': 'value', equations: 'subtract' }[name] ?? 'delayed';
    const model = await init(network, { device: reference, seed: 8 });
    for (const i of model.values.keys()) model.values[i]! *= 6;
    const { x, byStep } = inputs(sizeOf(network.input));

    const graph = toNir(model, { dt });
    const observed = await model.observe(x, { count: rows });
    const names = observed.layers.map((layer) => layer.name);
    const ran = await runSpikes(graph, reset as ResetRule, byStep, names);
    const read = await fromNir(graph, { dt, steps, reset: reset as ResetRule, device: reference });

    for (const layer of observed.layers)
      expect([...ran[layer.name]!.spikes]).toEqual([...layer.spikes]);
    const { scores } = await model.predict(x, { count: rows });
    expect((await read.predict(x, { count: rows })).scores).toEqual(scores);
    expect(scores.some((score) => score > 0)).toBe(true);
  });

  it.each([
    [[layerNorm(), lif()], 'layer 0 (layerNorm) cannot be exported: NIR has no node for it'],
    [[recurrentLif()], /layer 0 \(recurrentLif\).*numbers added within a loop: take bias: false/],
    [[plif({ per: 'neuron' })], /layer 0 \(plif\).*a beta of each neuron/],
    [[lif(), lif({ reset: 'zero' })], /layer 1 \(lif\).*reset otherwise than others/],
    [
      [
        neuron(
          'state u = 0\nlearn b = 0.5 in [0, 1] per layer\nu = b * u + I\ns = spike(u - 1)\nu = u - detach(s)',
        ),
      ],
      /layer 0 \(neuron\).*the learned parameter b/,
    ],
  ])('names the layer that NIR has no node for', async (layers, message) => {
    const model = await init(sequential([...layers], { input: 5, steps }), { device: reference });

    expect(() => toNir(model, { dt })).toThrow(message);
  });
});

describe('a certificate', () => {
  it('names the deviation and the first step of what differs', async () => {
    const model = await fromNir(recurrent, { dt, steps, reset: 'delayed', device: reference });
    const { x } = inputs(5);
    const { layers } = await model.observe(x, { count: rows });
    const recorded = Object.fromEntries(
      layers.map(({ name, spikes, membranes }) => [
        name,
        { spikes: spikes.slice(), membranes: membranes!.slice() },
      ]),
    );
    const { last } = recorded;
    const perStep = last!.spikes.length / steps;
    last!.spikes[7 * perStep + 2]! ^= 1;
    last!.membranes[4 * perStep]! += 0.5;
    last!.membranes[9 * perStep] = Number.NaN;

    const certificate = await certify(model, x, { recorded, count: rows });

    expect(certificate.isEqual).toBe(false);
    expect(certificate.layers).toMatchObject([
      { name: 'hidden', spikes: { count: 33 * rows * steps, maxDeviation: 0 } },
      {
        name: 'last',
        spikes: { maxDeviation: 1, firstStep: 7 },
        membranes: { maxDeviation: Number.NaN, firstStep: 4 },
      },
    ]);
    expect(certificate.layers[0]!.spikes).not.toHaveProperty('firstStep');
  });

  it.each([
    [{ other: { spikes: [0] } }, 'certify: there is no layer other: expected hidden, last'],
    [{}, 'certify: no layer is recorded: expected hidden, last'],
    [{ last: {} }, 'certify: nothing is recorded of last: expected spikes or membranes'],
    [
      { last: { spikes: [0] } },
      'certify: 1 numbers are recorded as spikes of last, which has 240 numbers',
    ],
  ])('of %j is refused', async (recorded, message) => {
    const model = await fromNir(recurrent, { dt, steps, reset: 'delayed', device: reference });

    await expect(certify(model, inputs(5).x, { recorded, count: rows })).rejects.toThrow(message);
  });
});

describe('a graph that is no chain of layers', () => {
  const leaky: NirNode = { type: 'LI', tau: each(3, 1e-3), r: each(3, 1), v_leak: each(3, 0) };
  const uneven: NirNode = { type: 'IF', r: each(2, 1), v_threshold: tensor([2], [1, 2]) };
  const twoWays = graphOf(
    {
      input: { type: 'Input', shape: [2] },
      a: integrator([2]),
      b: affine(2, 2, 1),
      c: integrator([2]),
      output: { type: 'Output', shape: [2] },
    },
    [
      ['input', 'a'],
      ['a', 'b'],
      ['a', 'c'],
      ['b', 'c'],
      ['c', 'output'],
    ],
  );

  it.each([
    [chain([3], { leaky }, [3]), 'NIR: leaky (LI) is no layer: openNir runs networks that have it'],
    [
      chain([2], { uneven }, [2]),
      'NIR: uneven (IF) has neurons that differ: threshold is 1 at neuron 0 and 2 at 1',
    ],
    [twoWays, 'NIR: a (IF) leads to b, c: layers are a chain'],
  ])('names the node', async (graph, message) => {
    await expect(
      fromNir(graph, { dt, steps, reset: 'delayed', device: reference }),
    ).rejects.toThrow(message);
  });
});
