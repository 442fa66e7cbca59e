import { kernels } from '../../engine/kernels/kernels.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { openReferenceBackend } from '../../engine/backends/reference/reference-backend.ts';
import { openWebGpuBackend } from '../../engine/backends/webgpu/webgpu-backend.ts';
import { EngineError } from '../../engine/errors.ts';
import { sharedTensor } from '../../engine/graph/tensor.ts';
import type { SimulationDescription } from '../../engine/simulator/description.ts';
import { buildNetwork } from '../../engine/simulator/network.ts';
import { parseDescription } from '../../engine/simulator/parse-description.ts';
import type { PlasticityRule } from '../../engine/simulator/plasticity.ts';
import type { Recording } from '../../engine/simulator/recorders.ts';
import { createSimulation, type SimulationOptions } from '../../engine/simulator/simulation.ts';
import { traceNetwork } from '../../engine/simulator/trace.ts';
import { noParameters, variants } from './play.ts';
import { quadraticModel } from './quadratic-model.ts';
import { watchedGpu } from './watched-gpu.ts';

/** Every way a network can be played. */
const backends: Record<string, () => Promise<Backend>> = {
  reference: async () => openReferenceBackend(),
  'webgpu, register tiles': variants['webgpu, register tiles'],
  'wasm, relaxed, 2 threads': variants['wasm, relaxed, 2 threads'],
  'wasm, plain, 1 thread': variants['wasm, plain, 1 thread'],
};

const opened = new Map<string, Backend>();
beforeAll(async () => {
  for (const [name, open] of Object.entries(backends)) opened.set(name, await open());
});
afterAll(() => {
  for (const backend of opened.values()) backend.close();
});

async function record(
  backend: Backend,
  description: SimulationDescription,
  steps: number,
  options: SimulationOptions = {},
): Promise<Recording> {
  const simulation = await createSimulation(backend, description, options);
  const recording = await simulation.advance(steps);
  simulation.close();
  return recording;
}

/** One neuron that is made to fire, and one that it reaches. */
const pair: SimulationDescription = {
  seed: 1,
  dt: 0.5,
  populations: [
    {
      name: 'given',
      count: 33,
      model: 'replay',
      spikes: [
        [1, 32],
        [4, 32],
        [4, 0],
      ],
    },
    { name: 'reached', count: 3, model: 'lif', parameters: { tau: 1e6, threshold: 10 } },
  ],
  projections: [
    {
      from: 'given',
      to: 'reached',
      connect: { kind: 'list', sources: [32, 32, 0], targets: [1, 2, 1] },
      weight: [0.5, 0.25, -2],
      delay: [1, 2, 0.5],
    },
  ],
  recorders: [
    { kind: 'state', of: 'reached', state: 'v' },
    { kind: 'spikes', of: 'given' },
    { kind: 'rate', of: 'given' },
  ],
};

/** Integers throughout: every number of it is exact. */
const integers: SimulationDescription = {
  seed: 2 ** 40 + 7,
  dt: 1,
  populations: [
    { name: 'outside', count: 70, model: 'poisson', parameters: { rate: 40 } },
    { name: 'cells', count: 333, model: 'lif_integer' },
  ],
  projections: [
    {
      from: 'outside',
      to: 'cells',
      connect: { kind: 'probability', p: 0.3 },
      weight: { uniform: [100, 600] },
      delay: { uniform: [1, 9] },
    },
    {
      from: 'cells',
      to: 'cells',
      connect: { kind: 'inDegree', k: 20, self: false },
      weight: { normal: [-20, 60] },
      delay: 2,
    },
  ],
  stimuli: [
    { kind: 'poisson', to: 'cells', rate: 100, weight: 300, neurons: [5, 300] },
    { kind: 'current', to: 'cells', current: 40, start: 20, stop: 90 },
  ],
  recorders: [
    { kind: 'spikes', of: 'cells' },
    { kind: 'rate', of: 'cells' },
  ],
};

describe.each(Object.keys(backends))('a network on %s', (name) => {
  it('brings a spike to each synapse after its delay, with its weight', async () => {
    const { states, spikes, rates } = await record(opened.get(name)!, pair, 12);

    const { values } = states.get('reached.v')!;
    const of = (neuron: number) => Array.from({ length: 12 }, (_, t) => values[3 * t + neuron]!);
    const isNear = (trace: number[], expected: number[]) =>
      trace.every((v, t) => Math.abs(v - expected[t]!) < 1e-4);
    // Spikes of 32 in steps 1 and 4 arrive 2 and 4 steps later, that of 0 in step 4 one step later.
    expect(of(0)).toEqual(Array(12).fill(0));
    expect(isNear(of(1), [0, 0, 0, 0.5, 0.5, -1.5, -1, -1, -1, -1, -1, -1])).toBe(true);
    expect(isNear(of(2), [0, 0, 0, 0, 0, 0.25, 0.25, 0.25, 0.5, 0.5, 0.5, 0.5])).toBe(true);
    expect(spikes.get('given.spikes')).toEqual({
      step: Uint32Array.of(1, 4, 4),
      neuron: Uint32Array.of(32, 0, 32),
    });
    expect([...rates.get('given.rate')!.subarray(0, 6)]).toEqual([0, 1, 0, 0, 2, 0]);
  });

  it('of integers fires the same spikes as the reference', async () => {
    const expected = await record(opened.get('reference')!, integers, 150);
    const actual = await record(opened.get(name)!, integers, 150);

    expect(expected.spikes.get('cells.spikes')!.step.length).toBeGreaterThan(500);
    expect(actual).toEqual(expected);
  });

  it('continues where it stopped, however its steps are divided, and starts anew', async () => {
    const simulation = await createSimulation(opened.get(name)!, integers, { recordedSteps: 7 });
    const parts = [];
    for (const steps of [1, 40, 9, 50]) parts.push(await simulation.advance(steps));
    expect(simulation.step()).toBe(100);
    simulation.reset();
    const whole = await simulation.advance(100);
    simulation.close();

    const joined = parts.flatMap(({ spikes }) => [...spikes.get('cells.spikes')!.neuron]);
    expect(joined).toEqual([...whole.spikes.get('cells.spikes')!.neuron]);
    const steps = parts.flatMap(({ spikes }) => [...spikes.get('cells.spikes')!.step]);
    expect(steps).toEqual([...whole.spikes.get('cells.spikes')!.step]);
  });

  it('runs a neuron model of a plugin', async () => {
    const description: SimulationDescription = {
      seed: 3,
      dt: 0.5,
      populations: [
        {
          name: 'cells',
          count: 65,
          model: 'quadratic',
          parameters: { a: { uniform: [0.4, 0.6] } },
        },
      ],
      projections: [
        { from: 'cells', to: 'cells', connect: { kind: 'one' }, weight: 0.25, delay: 3 },
      ],
      stimuli: [{ kind: 'current', to: 'cells', current: [0, 2], stop: 100 }],
      recorders: [
        { kind: 'spikes', of: 'cells' },
        { kind: 'state', of: 'cells', state: 'v' },
      ],
    };
    const models = [quadraticModel];
    const expected = await record(opened.get('reference')!, description, 60, { models });
    const actual = await record(opened.get(name)!, description, 60, { models });

    const { spikes } = expected;
    expect(spikes.get('cells.spikes')!.step.length).toBeGreaterThan(65);
    // Float32 moves the moment at which v runs away by a step at most.
    const differing = actual.spikes
      .get('cells.spikes')!
      .step.filter((step, i) => step !== spikes.get('cells.spikes')!.step[i]);
    expect(differing.length).toBeLessThan(5);
    const early = (recording: Recording) =>
      recording.states.get('cells.v')!.values.slice(0, 65 * 20);
    const furthest = early(actual).map((v, i) => Math.abs(v - early(expected)[i]!));
    expect(Math.max(...furthest)).toBeLessThan(1e-3);
  });
});

describe.each(Object.keys(backends))('a current without an end on %s', (name) => {
  it('drives neurons in every step', async () => {
    const description: SimulationDescription = {
      seed: 1,
      dt: 1,
      populations: [{ name: 'cells', count: 33, model: 'lif' }],
      stimuli: [{ kind: 'current', to: 'cells', current: 0.5, start: 10 }],
      recorders: [{ kind: 'spikes', of: 'cells' }],
    };
    const { spikes } = await record(opened.get(name)!, description, 100);
    const { step } = spikes.get('cells.spikes')!;

    expect(Math.min(...step)).toBeGreaterThanOrEqual(10);
    expect(step.length).toBeGreaterThan(33 * 30);
  });
});

describe.each(Object.keys(backends))('3000 steps in one play on %s', (name) => {
  it('are the same as 3000 plays', async () => {
    const network = buildNetwork(parseDescription({ ...pair, recorders: [] }), {});
    const { program, clock, first, tensors } = traceNetwork(network, 10);
    const states = tensors.get('reached.states')!;
    const player = await opened.get(name)!.load(noParameters, [program]);
    const begin = () => {
      for (const { tensor, data } of first) player.write(tensor, data);
    };

    begin();
    player.play(program, 3000);
    const [at, together] = [await player.read(clock), await player.read(states)];
    begin();
    player.write(states, new Float32Array(6));
    for (let step = 0; step < 3000; step++) player.play(program);
    const apart = await player.read(states);
    player.close();

    expect(at[0]).toBe(3000);
    expect(together[1]).toBeLessThan(-0.9);
    expect(together).toEqual(apart);
  });
});

describe('3000 steps on WebGPU', () => {
  it('are one submission', async () => {
    let submissions = 0;
    const { gpu } = watchedGpu(({ queue }) => {
      const submit = queue.submit.bind(queue);
      queue.submit = (buffers) => {
        submissions++;
        return submit(buffers);
      };
    });
    const backend = await openWebGpuBackend({ gpu });
    const network = buildNetwork(parseDescription(pair), {});
    const { program, clock, first } = traceNetwork(network, 10);
    const player = await backend.load(noParameters, [program]);
    for (const { tensor, data } of first) player.write(tensor, data);
    const before = submissions;

    player.play(program, 3000);

    expect(submissions - before).toBe(1);
    expect((await player.read(clock))[0]).toBe(3000);
    player.close();
    backend.close();
  });
});

/** Adds to every weight in every step, whichever neurons fire. */
const growth: PlasticityRule = {
  name: 'growth',
  check({ rate }) {
    if (rate === undefined) throw new EngineError('invalid-setting', 'growth: rate is missing');
  },
  largestWeight: () => 8,
  record(graph, { name, synapses, weight }, { rate = 0 }) {
    const addend = sharedTensor(`${name}.growth`, 'f32', [synapses]);
    graph.call(kernels.add, { addend, target: weight }, { count: synapses });
    return [{ tensor: addend, data: new Float32Array(synapses).fill(rate) }];
  },
};

describe.each(['reference', 'webgpu, register tiles', 'wasm, relaxed, 2 threads'])(
  'a plasticity rule on %s',
  (name) => {
    it('changes the weights that spikes are delivered with, until the simulation is reset', async () => {
      const [projection] = pair.projections!;
      const plasticity = { rule: 'growth', parameters: { rate: 0.125 } };
      const description = { ...pair, projections: [{ ...projection, plasticity }] };
      const options = { rules: [growth] };
      const simulation = await createSimulation(opened.get(name)!, description, options);
      const { states } = await simulation.advance(8);
      const weights = await simulation.read('given->reached.weight');
      simulation.reset();
      const first = await simulation.read('given->reached.weight');
      simulation.close();

      // The spike of step 1 is delivered after one change of the weights, those of step 4 after four.
      const { values } = states.get('reached.v')!;
      const of = (step: number) => values[3 * step + 1]!;
      expect(of(3)).toBeCloseTo(0.5 + 0.125, 4);
      expect(of(5) - of(4)).toBeCloseTo(-2 + 4 * 0.125, 4);
      // By source and target: -2 of neuron 0, then those of 32.
      expect([...weights]).toEqual([-1, 1.5, 1.25]);
      expect([...first]).toEqual([-2, 0.5, 0.25]);
    });
  },
);

describe('a neuron model whose WGSL is wrong', () => {
  it('is refused by its name and line', async () => {
    const wgsl = quadraticModel.wgsl!.replace(
      'select(next, 0.0, fires)',
      'select(next, 0u, fires)',
    );
    const models = [{ ...quadraticModel, wgsl }];
    const description = { dt: 1, populations: [{ name: 'a', count: 1, model: 'quadratic' }] };
    const backend = await openWebGpuBackend({ gpu: navigator.gpu });

    await expect(createSimulation(backend, description, { models })).rejects.toMatchObject({
      code: 'shader-invalid',
      message: expect.stringMatching(
        /^the WGSL of neuron model quadratic does not compile\n {2}line 6:/,
      ),
    });
    backend.close();
  });
});
