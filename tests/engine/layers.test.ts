import { describe, expect, it } from 'vitest';
import {
  activation,
  adlif,
  alif,
  averagePool,
  conv1d,
  conv2d,
  currentLif,
  delayedLinear,
  delays,
  depthwiseConv2d,
  dropout,
  flatten,
  init,
  layerNorm,
  type Layer,
  lif,
  linear,
  load,
  maxPool,
  networkFrom,
  neuron,
  plif,
  recurrentLif,
  residual,
  rmsNorm,
  sequential,
  type Shape,
  sumPool,
} from '../../library/index.ts';
import { reference } from './play.ts';
import { randomSource } from './random.ts';

const OWN = `state u = 0
  learn beta = 0.8 in [0, 1] per neuron
  u = beta * u + I
  s = spike(u - 1)
  u = u - detach(s)`;

/** Every layer with the shape in front of it and the one that it makes. */
const placed: readonly (readonly [layer: Layer, input: Shape, output: Shape, count: number])[] = [
  [linear(3), [5], [3], 18],
  [linear(3, { bias: false }), [5], [3], 15],
  [activation('relu'), [4], [4], 0],
  [flatten(), [2, 3, 4], [24], 0],
  [conv2d(4, 3, { padding: 'same' }), [2, 5, 6], [4, 5, 6], 76],
  [conv2d(4, [3, 1], { stride: 2 }), [1, 7, 6], [4, 3, 3], 16],
  [conv1d(3, 5, { stride: 2, padding: 2 }), [2, 11], [3, 6], 33],
  [depthwiseConv2d(3, { multiplier: 2 }), [3, 5, 5], [6, 3, 3], 60],
  [averagePool(2), [3, 5, 4], [3, 2, 2], 0],
  [maxPool(2, { stride: 1 }), [3, 5, 4], [3, 4, 3], 0],
  [sumPool([1, 2]), [3, 5, 4], [3, 5, 2], 0],
  [layerNorm(), [2, 3], [2, 3], 12],
  [rmsNorm(), [6], [6], 6],
  [dropout(0.5), [6], [6], 0],
  [residual([linear(6), lif()]), [6], [6], 42],
  [lif({ beta: 0.5, threshold: 2, surrogate: 'triangle' }), [2, 2], [2, 2], 0],
  [lif({ reset: 'zero' }), [3], [3], 0],
  [lif({ surrogate: 'fast_sigmoid', surrogateWidth: 0.5 }), [3], [3], 0],
  [recurrentLif(), [5], [5], 30],
  [recurrentLif({ surrogateWidth: 2, bias: false }), [5], [5], 25],
  [plif(), [2, 3], [2, 3], 1],
  [plif({ per: 'neuron' }), [2, 3], [2, 3], 6],
  [alif({ adaptation: 0.5 }), [3], [3], 0],
  [adlif(), [3], [3], 12],
  [currentLif(), [3], [3], 0],
  [neuron(OWN), [3], [3], 3],
  [neuron(OWN, { recurrent: true }), [3], [3], 12],
  [delays(3), [2, 3], [2, 3], 6],
  [delayedLinear(2, 2, { sigma: 0.5 }), [3], [2], 14],
];

const cases = placed.map(
  ([layer, input, output, count]) => [layer.kind, { layer, input, output, count }] as const,
);

describe('a layer', () => {
  it.each(cases)(
    '%s infers its shape and its parameters',
    (_kind, { layer, input, output, count }) => {
      const network = sequential([layer], { input, steps: 2 });

      expect(network.output).toEqual(output);
      expect(network.layout.count).toBe(count);
    },
  );

  it.each(cases)('%s comes back from JSON as it was', (_kind, { layer, input }) => {
    const network = sequential([layer], { input, steps: 2 });
    const again = networkFrom(JSON.parse(JSON.stringify(network)));

    expect(again.toJSON()).toEqual(network.toJSON());
    expect(again.layout.parameters.map(({ spec }) => spec)).toEqual(
      network.layout.parameters.map(({ spec }) => spec),
    );
  });

  it.each(cases)(
    '%s takes currents, currents over time and spikes',
    async (_kind, { layer, input }) => {
      const network = sequential([layer], { input, steps: 3 });
      const model = await init(network, { device: reference });
      const features = input.reduce((a, b) => a * b, 1);
      const from = randomSource(1);
      const bits = Uint8Array.from({ length: 2 * 3 * features }, () =>
        from.uniform(0, 1) < 0.4 ? 1 : 0,
      );

      const held = await model.predict(from.floats(2 * features));
      const moving = await model.predict(from.floats(2 * 3 * features), { count: 2 });
      // Layers that hand spikes on give their rates, the means of these numbers.
      const isHandedOn = ['flatten', 'dropout'].includes(layer.kind);
      const spikes = await model.predict(bits, isHandedOn ? { on: 'rates' } : {});
      const numbers = await model.predict(Float32Array.from(bits), { count: 2 });
      model.close();

      for (const { scores } of [held, moving]) expect(scores.every(Number.isFinite)).toBe(true);
      expect(held.scores).toHaveLength(spikes.scores.length);
      // Spikes and the numbers 0 and 1 are the same input.
      expect(spikes.scores).toEqual(numbers.scores);
    },
  );
});

describe('a network', () => {
  it('names the layer, the expected and the given shape', () => {
    expect(() => sequential([conv2d(4, 3), linear(10)], { input: [1, 8, 8] })).toThrow(
      'layer 1 (linear) is given the shape [4, 6, 6]: expected one axis, [features]: put flatten() in front of it',
    );
    expect(() =>
      sequential([linear(4), residual([linear(5, { name: 'wide' })])], { input: 3 }),
    ).toThrow(
      'layer 1 (residual): its layers make [5] of [4]: expected the shape that they are added to',
    );
  });

  it('calls parameters by the index or the name of their layer', () => {
    const layers = [linear(4, { name: 'hidden' }), lif(), residual([linear(4), lif()]), plif()];

    const names = sequential(layers, { input: 3 }).layout.parameters.map(({ spec }) => spec.name);

    expect(names).toEqual(['hidden.weight', '2.0.weight', 'hidden.bias', '2.0.bias', '3.beta']);
  });

  it('is stored with its parameters in one file, and answers the same', async () => {
    const network = sequential([linear(7), plif(), residual([linear(7), lif()]), linear(3)], {
      input: 5,
      steps: 4,
    });
    const model = await init(network, { device: reference, seed: 3 });
    const x = randomSource(2).floats(6 * 5);

    const again = await load(model.save(), { device: reference });

    expect(again.network.toJSON()).toEqual(network.toJSON());
    expect(again.values).toEqual(model.values);
    expect(await again.predict(x)).toEqual(await model.predict(x));
  });

  it('shows what its neurons do', async () => {
    const network = sequential([lif({ beta: 0.5 }), linear(2), lif()], { input: 1, steps: 4 });
    const model = await init(network, { device: reference });

    const { layers } = await model.observe(Float32Array.of(0.7, 0));

    const [first] = layers;
    expect(layers.map(({ name }) => name)).toEqual(['0', '2']);
    // u: 0.7, 1.05 (fires), 0.225 = 0.5 * 1.05 + 0.7 - 1, 0.8125
    expect([...first!.spikes]).toEqual([0, 0, 1, 0, 0, 0, 0, 0]);
    expect(first!.rates[0]).toBeCloseTo(1 / 8);
    for (const [at, u] of [0.7, 1.05, 0.225, 0.8125].entries()) {
      expect(first!.membranes![2 * at]).toBeCloseTo(u, 6);
    }
  });

  it('shows the neurons of the parameters that it has at the time', async () => {
    const model = await init(sequential([linear(1), lif()], { input: 1, steps: 3 }), {
      device: reference,
    });
    const x = Float32Array.of(1);
    const rate = async () => (await model.observe(x)).layers[0]!.rates[0];

    model.parameter('0.bias').fill(0);
    model.parameter('0.weight').fill(0);
    expect(await rate()).toBe(0);
    model.parameter('0.weight').fill(5);
    expect(await rate()).toBe(1);
  });

  it('without neurons has nothing to show', async () => {
    const model = await init(sequential([linear(2)], { input: 1 }), { device: reference });

    expect(await model.observe(Float32Array.of(1, 2))).toEqual({ steps: 1, count: 2, layers: [] });
  });

  it('tells what it takes before it has a device', async () => {
    const network = sequential([linear(1000), lif(), linear(10), lif()], { input: 784, steps: 25 });
    const model = await init(network, { device: reference });

    const { layers, parameters, memory, operations, plan } = model.inspect({ batchSize: 128 });

    expect(parameters).toBe(795_010);
    expect(layers.map(({ kind }) => kind)).toEqual(['linear', 'lif', 'linear', 'lif']);
    expect(memory.breakdown.parameters).toBeGreaterThanOrEqual(4 * parameters);
    // An input that is the same in all steps is multiplied once, and what fires afterwards adds up weights.
    expect(operations).toMatchObject({
      linear_forward: 1,
      spike_linear_forward: 1,
      lif_forward: 2,
    });
    expect(plan).toContain('f32[1, 128, 1000]');
  });
});

describe('membranes', () => {
  it.each([lif(), plif(), currentLif(), adlif(), alif(), neuron(OWN)])(
    'of $kind are those that a loss takes',
    async (layer) => {
      const network = sequential([linear(5), layer], { input: 3, steps: 12 });
      const model = await init(network, { device: reference, seed: 2 });
      const x = randomSource(7).floats(2 * 3, 0, 12);

      const { layers } = await model.observe(x);
      const { scores } = await model.predict(x, { on: 'membranes-last' });

      const [{ membranes, spikes }] = layers as [(typeof layers)[number]];
      expect([...membranes!.subarray(11 * 2 * 5)]).toEqual([...scores]);
      const bar = ['alif', 'neuron'].includes(layer.kind) ? 0 : 1;
      expect(Array.from(membranes!, (membrane) => Number(membrane > bar))).toEqual([...spikes]);
      expect(spikes.includes(1)).toBe(true);
    },
  );

  it('of a recurrent layer are what made it fire', async () => {
    for (const layer of [
      recurrentLif(),
      alif({ recurrent: true }),
      currentLif({ recurrent: true }),
    ]) {
      const network = sequential([linear(5), layer], { input: 3, steps: 6 });
      const model = await init(network, { device: reference, seed: 2 });

      const { layers } = await model.observe(randomSource(7).floats(2 * 3, 0, 4));

      const [{ membranes, spikes }] = layers as [(typeof layers)[number]];
      const bar = layer.kind === 'alif' ? 0 : 1;
      expect(Array.from(membranes!, (membrane) => Number(membrane > bar))).toEqual([...spikes]);
      expect(spikes.includes(1)).toBe(true);
    }
  });
});
