import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { neuronCatalogue } from '../../engine/neurons/catalogue.ts';
import { compileStep } from '../../engine/neurons/closures.ts';
import { parseNeuron } from '../../engine/neurons/equations.ts';
import { type WrittenName, writtenNeurons } from '../../engine/neurons/written-catalogue.ts';
import { equationExcess } from '../../engine/ops/equation-neuron.ts';
import { writtenModel } from '../../engine/neurons/written-model.ts';
import type { SimulationDescription } from '../../engine/simulator/description.ts';
import { createSimulation } from '../../engine/simulator/simulation.ts';
import { noParameters, reference, variants } from './play.ts';
import { randomSource } from './random.ts';

interface Course {
  /** The steps in which it fired. */
  readonly spikes: number[];
  /** Its states after each step, by name. */
  readonly states: Record<string, number[]>;
}

/** The course of one neuron; parameters that are left out are those of its text. */
function courseOf(
  name: WrittenName,
  input: (step: number) => number,
  { steps, dt, ...own }: { steps: number; dt?: number } & Record<string, number | undefined>,
): Course {
  const neuron = parseNeuron(writtenNeurons[name].text);
  const step = compileStep(neuron);
  const constants = [
    ...neuron.parameters.map((one) => own[one.name] ?? one.value),
    ...neuron.learned.map((one) => own[one.name] ?? one.initial),
  ];
  const state = Float64Array.from(neuron.states, ({ initial }) => initial);
  const spikes: number[] = [];
  const states = Object.fromEntries(neuron.states.map((one) => [one.name, [] as number[]]));
  for (let t = 0; t < steps; t++) {
    if (step(state, constants, input(t), dt ?? neuron.dt)) spikes.push(t);
    for (const [index, one] of neuron.states.entries()) states[one.name]!.push(state[index]!);
  }
  return { spikes, states };
}

/** The same neuron of the simulator, whose step is written by hand. */
function builtIn(
  name: keyof typeof neuronCatalogue,
  input: (step: number) => number,
  steps: number,
): number[] {
  const { parameters, states, constants, step } = neuronCatalogue[name];
  const initial = parameters.map((parameter) => parameter.initial);
  const own = Float64Array.from(constants?.(initial, 1) ?? initial);
  const state = Float64Array.from(states, (one) => one.initial);
  return Array.from({ length: steps }, (_, t) => t).filter((t) => step(state, own, input(t), 1));
}

const currents = (low: number, high: number) => {
  const from = randomSource(5);
  const drawn = Array.from({ length: 2000 }, () => from.uniform(low, high));
  return (step: number) => drawn[step]!;
};
const intervals = (spikes: readonly number[]) => spikes.slice(1).map((at, i) => at - spikes[i]!);

describe('a neuron as equations fires as the one that is written by hand', () => {
  it.each([
    ['lif', 'lif', currents(-0.1, 0.3)],
    ['lif_zero', 'lif_reset', currents(-0.1, 0.3)],
    ['lif_integer', 'lif_integer', currents(-300, 900)],
    ['alif', 'alif', currents(-0.1, 0.4)],
    ['izhikevich', 'izhikevich', currents(-5, 25)],
  ] as const)('%s, as %s of the simulator', (written, simulated, input) => {
    const { spikes } = courseOf(written, input, { steps: 2000 });

    expect(spikes.length).toBeGreaterThan(20);
    expect(spikes).toEqual(builtIn(simulated, input, 2000));
  });
});

describe('the dynamics of', () => {
  it('PLIF: the membrane comes closer to its input by the learned rate', () => {
    const { states, spikes } = courseOf('plif', () => 0.9, { steps: 5, rate: 0.25 });

    expect(states['v']!.map((v) => v / 0.9)).toEqual(
      [1, 2, 3, 4, 5].map((t) => expect.closeTo(1 - 0.75 ** t, 12)),
    );
    expect(spikes).toEqual([]);
  });

  it('adLIF: adaptation slows the neuron down, and below threshold it rings', () => {
    const drive = courseOf('adlif', () => 40, { steps: 500 });
    const [first = 0, ...rest] = intervals(drive.spikes);
    expect(rest.at(-1)).toBeGreaterThan(first);
    const { u = [] } = courseOf('adlif', (t) => (t < 5 ? 1 : 0), { steps: 200, b: 0.01 }).states;
    expect(Math.max(...u)).toBeGreaterThan(0.1);
    expect(Math.min(...u)).toBeLessThan(-0.05);
    expect(Math.max(...u.slice(u.indexOf(Math.min(...u))))).toBeGreaterThan(0.005);
  });

  it('AdEx: rests at E, fires tonically above its rheobase, and adapts', () => {
    const rest = courseOf('adex', () => 0, { steps: 2000 });
    expect(rest.spikes).toEqual([]);
    expect(rest.states['v']!.at(-1)).toBeCloseTo(-70.6, 2);
    // Brette & Gerstner (2005): with these parameters the rheobase is about 650 pA.
    expect(courseOf('adex', () => 500, { steps: 5000 }).spikes).toEqual([]);
    const { spikes } = courseOf('adex', () => 1000, { steps: 10_000 });
    const between = intervals(spikes);
    expect(spikes.length).toBeGreaterThan(5);
    expect(between.at(-1)).toBeGreaterThan(1.5 * between[0]!);
  });

  it('EvoLIF: leak and threshold are those that it learned', () => {
    // A threshold of 1, which u passes: 1, 1.5 fires, 0.75, 1.375 fires, 0.6875, …
    const { spikes } = courseOf('evo_lif', () => 1, {
      steps: 40,
      beta: 0.5,
      b: Math.log(Math.E - 1),
    });
    expect(spikes.slice(0, 3)).toEqual([1, 3, 5]);
    expect(courseOf('evo_lif', () => 1, { steps: 40, beta: 0.5, b: 3 }).spikes).toEqual([]);
  });

  it('resonate-and-fire: pulses in its own rhythm make it fire, others do not', () => {
    const period = Math.round((2 * Math.PI) / 0.1);
    const pulses = (every: number) => (t: number) => (t % every === 0 && t < 4 * every ? 6 : 0);
    const fired = (every: number) =>
      courseOf('resonate_and_fire', pulses(every), { steps: 4 * period }).spikes;
    expect(fired(period).length).toBeGreaterThan(0);
    expect(fired(Math.round(period / 2))).toEqual([]);
  });

  it('the current-based synapse: a pulse arrives as the difference of two exponentials', () => {
    const { u = [] } = courseOf('current_lif', (t) => (t === 0 ? 0.1 : 0), { steps: 60 }).states;
    const [a, b] = [Math.exp(-1 / 5), Math.exp(-1 / 20)];
    expect(u).toEqual(
      u.map((_, t) => expect.closeTo((0.1 * (b ** (t + 1) - a ** (t + 1))) / (b - a), 10)),
    );
  });
});

describe('the dynamics of entangled synchrony', () => {
  const NEURONS = 400;
  const STEPS = 400;
  /** Half-width of the Lorentzian of frequencies, radians a step: the critical coupling is twice that. */
  const SPREAD = 0.02;
  const lorentzian = Float32Array.from(
    { length: NEURONS },
    (_, i) => SPREAD * Math.tan(Math.PI * ((i + 0.5) / NEURONS - 0.5)),
  );

  /**
   * The order parameter R at each step, from phases that begin alike. Without a leak a membrane is its drive
   * I (1 + kappa cos(phi - psi)), and the mean of those cosines is R.
   */
  async function orderOf(omega: Float32Array, coupling: number): Promise<number[]> {
    const text = writtenNeurons.entangled.text
      .replace('spread 0.2 in [0, 0.6] ', '')
      .replace('tau = 20 ms;  threshold = 1', 'tau = 0.001 ms;  threshold = 1000');
    const graph = new Graph('entangled', noParameters);
    const values = {
      omega,
      w: Float32Array.of(0),
      b: Float32Array.of(Math.log(Math.expm1(coupling))),
    };
    const learned = Object.fromEntries(
      Object.entries(values).map(([name, data]) => [
        name,
        graph.constant(name, [data.length], data),
      ]),
    );
    const current = graph.constant('current', [1, 1, NEURONS], new Float32Array(NEURONS).fill(1));
    const neuron = parseNeuron(text);
    const excess = equationExcess(graph, 'excess', { current, neuron, learned, steps: STEPS });
    const program = graph.build();
    const player = await opened['wasm, plain, 1 thread']!.load(noParameters, [program]);
    player.play(program);
    const drives = await player.read(excess);
    player.close();
    return Array.from({ length: STEPS }, (_, t) => {
      const row = Float64Array.from(drives.subarray(t * NEURONS, (t + 1) * NEURONS));
      return row.reduce((sum, drive) => sum + (drive + 1000 - 1) / 0.5 / NEURONS, 0);
    });
  }
  const settled = (order: readonly number[]) =>
    order.slice(STEPS / 2).reduce((sum, r) => sum + r, 0) / (STEPS / 2);

  it('without coupling: phases part as the Lorentzian says, R = e^(-spread t)', async () => {
    const order = await orderOf(lorentzian, 1e-9);
    for (const t of [0, 10, 30, 60]) expect(order[t]).toBeCloseTo(Math.exp(-SPREAD * t), 1);
    expect(settled(order)).toBeLessThan(0.1);
  });

  it.each([1.5, 2.5, 4])(
    'at %d times the critical coupling R stays at sqrt(1 - K_c / K)',
    async (times) => {
      const order = await orderOf(lorentzian, times * 2 * SPREAD);
      expect(Math.abs(settled(order) - Math.sqrt(1 - 1 / times))).toBeLessThan(0.06);
    },
  );

  it('below it the layer falls apart', async () => {
    expect(settled(await orderOf(lorentzian, SPREAD))).toBeLessThan(0.15);
  });

  it('neurons of one frequency stay together', async () => {
    const order = await orderOf(new Float32Array(NEURONS).fill(0.3), 2 * SPREAD);
    expect(Math.min(...order)).toBeGreaterThan(0.999);
  });

  it('is LIF on its modulated current: alone it is LIF on (1 + kappa) I', () => {
    const from = currents(-0.1, 0.2);
    const { spikes } = courseOf('entangled', from, { steps: 2000 });
    const plain = courseOf('lif', (step) => 1.5 * from(step), { steps: 2000 });

    expect(spikes.length).toBeGreaterThan(20);
    expect(spikes).toEqual(plain.spikes);
  });
});

/** Inputs at which they fire often, where 1.5 is not one. */
const STRONGEST: Readonly<Record<string, number>> = {
  lif_integer: 900,
  adex: 1500,
  izhikevich: 20,
  adlif: 40,
};

const opened: Record<string, Backend> = { reference };
const names = ['webgpu, register tiles', 'wasm, plain, 1 thread'] as const;
beforeAll(async () => {
  for (const name of names) opened[name] = await variants[name]();
});
afterAll(() => {
  for (const name of names) opened[name]?.close();
});

/** Sine and cosine are functions of their own in shaders. */
const WAVE = `
  state u = 0
  u = 0.9 * u + I + 0.1 * sin(3 * u) * cos(u)
  s = spike(u - 1, 1 / (1 + abs(x))^2)
  u = u - s`;

const simulated = [
  ...Object.entries(writtenNeurons)
    .filter(([name]) => name !== 'entangled')
    .map(([name, { text }]) => [name, text] as const),
  ['wave', WAVE] as const,
];

it('is refused of a neuron that needs its layer: the simulator has a model of entangled synchrony', () => {
  const neuron = parseNeuron(writtenNeurons.entangled.text);
  expect(() => writtenModel('own', neuron)).toThrow(
    'line 6, column 5: groupMean(...) joins the neurons of a layer: the simulator takes neurons',
  );
  expect(Object.keys(neuronCatalogue)).toContain('entangled');
});

describe.each(simulated)('%s in the simulator', (name, text) => {
  const neuron = parseNeuron(text);
  const models = [writtenModel(`own_${name}`, neuron)];
  const strong = STRONGEST[name] ?? 1.5;
  const [state] = neuron.states;
  const simulate = async (backend: Backend) => {
    const description: SimulationDescription = {
      seed: 3,
      dt: neuron.dt,
      populations: [{ name: 'cells', count: 33, model: `own_${name}` }],
      stimuli: [{ kind: 'noise', to: 'cells', mean: strong / 2, deviation: strong / 4 }],
      recorders: [
        { kind: 'spikes', of: 'cells' },
        { kind: 'state', of: 'cells', state: state!.name },
      ],
    };
    const simulation = await createSimulation(backend, description, { models });
    const recording = await simulation.advance(200);
    simulation.close();
    return recording;
  };

  type Recording = Awaited<ReturnType<typeof simulate>>;
  const stepsOf = (recording: Recording) => [...recording.spikes.get('cells.spikes')!.step];
  let expected: Recording;
  beforeAll(async () => {
    expected = await simulate(reference);
  });

  it.each(names)('is the same on %s', async (backend) => {
    const actual = await simulate(opened[backend]!);

    expect(stepsOf(expected).length).toBeGreaterThan(5);
    expect(stepsOf(actual)).toEqual(stepsOf(expected));
  });
});
