import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import type { NirNode } from '../../engine/nir/graph.ts';
import type { ResetRule } from '../../engine/nir/neurons.ts';
import { type NirSignals, openNir } from '../../engine/nir/open-nir.ts';
import { backends, chain, drawn, graphOf, lif, playNir, tensor } from './nir-graphs.ts';
import { reference, wasmVariants } from './play.ts';
import { randomSource } from './random.ts';
import './matchers.ts';

const dt = 0.001;

describe.each(Object.keys(backends) as (keyof typeof backends)[])('on %s', (name) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await backends[name]();
  });
  afterAll(() => backend.close());

  it.each(['value', 'subtract', 'delayed'] as const)(
    'neurons follow their equations, reset rule %s',
    async (reset) => {
      const width = 5;
      const tau = drawn([width], 1, 0.005, 0.05);
      const r = drawn([width], 2, 5, 20);
      const leak = drawn([width], 3, -0.2, 0.2);
      const threshold = drawn([width], 4, 0.5, 1);
      const home = drawn([width], 5, -0.2, 0.2);
      const node = lif(width, { tau, r, v_leak: leak, v_threshold: threshold, v_reset: home });
      const input = randomSource(6).floats(40 * width, 0, 1);

      const { output } = await playNir(
        backend,
        chain([width], { node }, [width]),
        { input },
        { steps: 40, reset },
      );

      const expected = Float32Array.from(input, () => 0);
      for (let n = 0; n < width; n++) {
        let v = leak.data[n]!;
        let owed = 0;
        for (let t = 0; t < 40; t++) {
          const slope = (leak.data[n]! - v + r.data[n]! * input[t * width + n]!) / tau.data[n]!;
          v += dt * slope - owed;
          owed = 0;
          if (!(v > threshold.data[n]!)) continue;
          expected[t * width + n] = 1;
          if (reset === 'value') v = home.data[n]!;
          else if (reset === 'subtract') v -= threshold.data[n]! - home.data[n]!;
          else owed = threshold.data[n]! - home.data[n]!;
        }
      }
      expect(output).toEqual(expected);
      expect(expected.reduce((a, b) => a + b)).toBeGreaterThan(40);
    },
  );

  it('a synapse filters the current before the membrane does', async () => {
    const node: NirNode = {
      type: 'CubaLI',
      tau_syn: tensor([], 0.005),
      tau_mem: tensor([3], [0.01, 0.02, 0.04]),
      r: tensor([3], [1, 2, 3]),
      v_leak: tensor([3], 0.1),
      w_in: tensor([3], [4, 5, 6]),
    };
    const input = randomSource(7).floats(30 * 3);

    const { output } = await playNir(backend, chain([3], { node }, [3]), { input }, { steps: 30 });

    const expected = new Float32Array(90);
    for (let n = 0; n < 3; n++) {
      let [current, v] = [0, 0.1];
      for (let t = 0; t < 30; t++) {
        current += (dt / 0.005) * ([4, 5, 6][n]! * input[t * 3 + n]! - current);
        v += (dt / [0.01, 0.02, 0.04][n]!) * (0.1 - v + [1, 2, 3][n]! * current);
        expected[t * 3 + n] = v;
      }
    }
    expect(output).toMatchNumbers(expected, 1e-5);
  });

  it('a loop feeds back the spikes of the step before, across plays', async () => {
    const width = 6;
    const weight = drawn([width, width], 8);
    const graph = graphOf(
      {
        input: { type: 'Input', shape: [width] },
        neurons: lif(width, { r: tensor([width], 20), v_threshold: tensor([width], 0.7) }),
        recurrent: { type: 'Linear', weight },
        output: { type: 'Output', shape: [width] },
      },
      [
        ['input', 'neurons'],
        ['neurons', 'recurrent'],
        ['recurrent', 'neurons'],
        ['neurons', 'output'],
      ],
    );
    const input = randomSource(9).floats(2 * 70 * width, -0.2, 0.6);

    const { output, recurrent } = await playNir(
      backend,
      graph,
      { input },
      { steps: 70, rows: 2, record: ['recurrent'] },
    );

    const expected = new Float32Array(2 * 70 * width);
    for (let row = 0; row < 2; row++) {
      let v = Array.from({ length: width }, () => 0);
      let spikes = v;
      for (let t = 0; t < 70; t++) {
        const at = (t * 2 + row) * width;
        v = v.map((u, n) => {
          const fed = spikes.reduce((sum, s, m) => sum + s * weight.data[n * width + m]!, 0);
          return u + (dt / 0.02) * (20 * (input[at + n]! + fed) - u);
        });
        spikes = v.map((u) => Number(u > 0.7));
        v = v.map((u) => (u > 0.7 ? 0 : u));
        expected.set(spikes, at);
      }
    }
    expect(output).toEqual(expected);
    expect(new Set(output)).toEqual(new Set([0, 1]));
    expect(recurrent!.some((value) => value !== 0)).toBe(true);
  });

  it('a delay holds every feature back by its own time, within a loop, too', async () => {
    const delays = [0, 0.001, 0.0029, 0.005];
    const delay: NirNode = { type: 'Delay', delay: tensor([4], delays) };
    const input = randomSource(10).floats(9 * 4);

    const { output } = await playNir(backend, chain([4], { delay }, [4]), { input }, { steps: 9 });

    const expected = input.map((_, i) => {
      const from = Math.floor(i / 4) - Math.round(delays[i % 4]! / dt);
      return from < 0 ? 0 : input[from * 4 + (i % 4)]!;
    });
    expect(output).toEqual(expected);

    const echo = graphOf(
      {
        input: { type: 'Input', shape: [1] },
        half: { type: 'Scale', scale: tensor([1], 0.5) },
        late: { type: 'Delay', delay: tensor([1], 0.003) },
        output: { type: 'Output', shape: [1] },
      },
      [
        ['input', 'half'],
        ['late', 'half'],
        ['half', 'late'],
        ['half', 'output'],
      ],
    );
    const pulse = Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0);

    const heard = await playNir(backend, echo, { input: pulse }, { steps: 8 });

    expect([...heard['output']!]).toEqual([0.5, 0, 0, 0.25, 0, 0, 0.125, 0]);
  });
});

describe('a network', () => {
  it('adds up what arrives at a node, whatever graph it comes from', async () => {
    const inner = graphOf(
      {
        in: { type: 'Input', shape: [2] },
        scale: { type: 'Scale', scale: tensor([], 3) },
        out: { type: 'Output', shape: [2] },
      },
      [
        ['in', 'scale'],
        ['scale', 'out'],
      ],
    );
    const graph = graphOf(
      {
        a: { type: 'Input', shape: [2] },
        b: { type: 'Input', shape: [2] },
        inner,
        fires: { type: 'Threshold', threshold: tensor([2], [20, 70]) },
        sum: { type: 'Output', shape: [2] },
        spikes: { type: 'Output', shape: [2] },
      },
      [
        ['a', 'inner'],
        ['b', 'inner'],
        ['inner', 'sum'],
        ['a', 'sum'],
        // The same connection twice is one.
        ['a', 'sum'],
        ['inner', 'fires'],
        ['fires', 'spikes'],
      ],
    );

    const signals = await playNir(
      reference,
      graph,
      { a: Float32Array.of(1, 2), b: Float32Array.of(10, 20) },
      { steps: 1 },
    );

    expect([...signals['sum']!]).toEqual([34, 68]);
    expect([...signals['spikes']!]).toEqual([1, 0]);
  });

  it('gives the same over many plays as in one, and from rest again in the next run', async () => {
    // So many neurons that the steps do not fit into one play.
    const width = 60_000;
    const nodes = {
      neurons: lif(width, { r: tensor([], 30) }),
      late: { type: 'Delay', delay: tensor([], 0.002) } as const,
    };
    const steps = 150;
    const input = randomSource(17).floats(width, 0, 0.1);
    const wasm = await wasmVariants['wasm, plain, 2 threads']();
    const network = await openNir(wasm, chain([width], nodes, [width]), {
      dt,
      reset: 'value',
      steps,
    });

    const [first, second] = await Promise.all([network.run({ input }), network.run({ input })]);
    wasm.close();

    const signals = first['output']!;
    const rate = signals.reduce((a, b) => a + b, 0) / signals.length;
    expect(rate).toBeGreaterThan(0.01);
    expect(second).toEqual(first);
    for (const n of [0, 1, width - 1]) {
      let v = 0;
      const spikes: number[] = [0, 0];
      for (let t = 0; t < steps; t++) {
        v = Math.fround(v + 0.05 * (30 * input[n]! - v));
        spikes.push(Number(v > 1));
        if (v > 1) v = 0;
      }
      expect(Array.from({ length: steps }, (_, t) => signals[t * width + n])).toEqual(
        spikes.slice(0, steps),
      );
    }
  });

  it.each([
    [{ steps: 0 }, 'steps is 0: expected a whole number from 1 to 1048576'],
    [{ rows: 1.5 }, 'rows is 1.5: expected a whole number from 1 to 65536'],
    [
      { steps: 2 ** 20, rows: 2 ** 16 },
      '1048576 steps of 65536 rows are 1099511627776 bytes of signals: expected at most 2147483648, which 2048 steps are',
    ],
    [{ dt: 0 }, 'dt is 0: expected a positive number'],
    [{ dt: Number.NaN }, 'dt is NaN: expected a positive number'],
    [{ record: ['x'] }, 'there is no node x to record: expected input, neurons, output'],
  ])('cannot be opened with %j', async (change, message) => {
    const options = { dt, reset: 'value' as ResetRule, steps: 3, ...change };
    await expect(
      openNir(reference, chain([2], { neurons: lif(2) }, [2]), options),
    ).rejects.toMatchObject({
      code: 'invalid-setting',
      message: `NIR: ${message}`,
    });
  });

  it.each([
    [{}, 'invalid-setting', 'nothing is given for the Input input'],
    [
      { input: new Float32Array(2), x: new Float32Array(1) },
      'invalid-setting',
      'there is no Input x: expected input',
    ],
    [
      { input: new Float32Array(5) },
      'shape-mismatch',
      'the Input input is given 5 numbers: expected 3 steps of 1 x 2, or 2 to hold',
    ],
    [
      { input: Float32Array.of(0, Number.NaN) },
      'invalid-setting',
      'the Input input is given NaN at 1: expected finite numbers',
    ],
  ])('refuses inputs %#', async (inputs, code, message) => {
    const graph = chain([2], { neurons: lif(2) }, [2]);
    await expect(
      playNir(reference, graph, inputs as NirSignals, { steps: 3 }),
    ).rejects.toMatchObject({
      code,
      message: `NIR: ${message}`,
    });
  });
});
