import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/graph/backend.ts';
import {
  type Apply,
  closureOf,
  type Expression,
  ExpressionPool,
} from '../../../engine/kernel-language/expression.ts';
import { operationOf } from '../../../engine/kernel-language/operators.ts';
import type { WrittenNeuron } from '../../../engine/kernels/written-neuron.ts';
import { parseNeuron } from '../../../engine/neurons/equations.ts';
import { writtenNeurons } from '../../../engine/neurons/written-catalogue.ts';
import { type EpropBatch, openEprop } from '../../../engine/plasticity/eprop/run.ts';
import { type EpropStructure, learnedOf } from '../../../engine/plasticity/eprop/structure.ts';
import { ADAPTIVE } from '../neuron-texts.ts';
import { extent } from '../extent.ts';
import { reference, variants } from '../play.ts';
import { randomSource } from '../random.ts';
import { smoothSpike, worstDifference } from '../smooth-spikes.ts';
import '../matchers.ts';

const small: EpropStructure = {
  inputs: 5,
  neurons: 4,
  outputs: 2,
  steps: 30,
  batch: 2,
  dt: 1,
  tauMembrane: 10,
  tauReadout: 15,
  threshold: 0.6,
  surrogate: 'atan',
  feedback: 'symmetric',
};
const settings = { seed: 3, learningRate: 0.01, clipNorm: 1 };

function drawBatch({ steps, batch, inputs, outputs }: EpropStructure, seed = 11): EpropBatch {
  const from = randomSource(seed);
  return {
    inputs: from.spikes(steps * batch, inputs, 0.4),
    targets: from.floats(steps * batch * outputs),
  };
}

/** Plays a batch; returns loss, weights and gradients by name. */
async function play(backend: Backend, structure: EpropStructure, batch = drawBatch(structure)) {
  const run = await openEprop(backend, structure, settings);
  const loss = await run.loss(batch);
  const units = (['neuron', 'layer'] as const).filter(
    (per) => learnedOf(structure, per).length > 0,
  );
  const own = units.map((per) => (per === 'neuron' ? 'perNeuron' : 'perLayer'));
  const names = ['input', 'recurrent', 'output', ...own];
  const read = async (of: typeof run.weights) =>
    Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await of(name)] as const)),
    );
  const result = { loss, weights: await read(run.weights), gradients: await read(run.gradients) };
  run.close();
  return result;
}

const devices = [
  'wasm, plain, 1 thread',
  ...extent(['wasm, relaxed, 1 thread'] as const, []),
  'webgpu, register tiles',
] as const;
const opened: Record<string, Backend> = { reference };
beforeAll(async () => {
  for (const name of devices) opened[name] = await variants[name]();
});
afterAll(() => {
  for (const [name, backend] of Object.entries(opened)) if (name !== 'reference') backend.close();
});

/** The neurons of the kernels by hand, as a user would write them. */
const LIF = `
  state v = 0, s = 0
  tau = 10 ms;  threshold = 0.6
  v = exp(-dt / tau) * v + I - detach(s) * threshold
  s = spike(v - threshold)`;
const ALIF = `
  state v = 0, a = 0, s = 0
  tau = 10 ms;  tau_adaptation = 100 ms;  threshold = 0.6;  gain = 0.2
  v = exp(-dt / tau) * v + I - detach(s) * threshold
  a = exp(-dt / tau_adaptation) * a + s
  s = spike(v - (threshold + gain * a))`;

describe.each([...devices, 'reference'])('e-prop of written neurons on %s', (device) => {
  it.each([
    ['LIF', LIF, undefined],
    ['ALIF', ALIF, { tau: 100, gain: 0.2 }],
  ])('gives the gradients of %s by hand', async (_, text, adaptation) => {
    const structure = { ...small, neurons: 37, inputs: 33 };
    const backend = opened[device]!;

    const hand = await play(backend, { ...structure, ...(adaptation && { adaptation }) });
    const written = await play(backend, { ...structure, equations: parseNeuron(text) });

    // Plain WASM rounds after every operation: LIF's are the same ones, ALIF's stand in another order.
    const bound = device.includes('plain') && text === LIF ? 0 : 2e-6;
    expect([written.loss]).toMatchNumbers([hand.loss], bound);
    for (const name of ['input', 'recurrent', 'output']) {
      expect(Math.max(...hand.gradients[name]!.map(Math.abs))).toBeGreaterThan(0.1);
      expect(written.gradients[name], name).toMatchNumbers(hand.gradients[name]!, bound);
    }
  });
});

describe('e-prop of written neurons at sizes around a word and a vector', () => {
  it.each(extent([1, 63, 64, 65], [1, 65]))('agrees with float64: %i neurons', async (neurons) => {
    const structure = { ...small, neurons, steps: 12, equations: parseNeuron(ADAPTIVE) };
    const expected = await play(reference, structure);
    for (const device of devices) {
      const actual = await play(opened[device]!, structure);

      expect([actual.loss], device).toMatchNumbers([expected.loss], 1e-5);
      for (const [name, gradient] of Object.entries(expected.gradients)) {
        expect(actual.gradients[name], `${name} on ${device}`).toMatchNumbers(gradient, 2e-4);
      }
    }
  });
});

describe('the eligibility of a written neuron', () => {
  // Inputs that make each fire; the integers have no gradient.
  const scales = {
    ...{ lif: 1, lif_zero: 1, plif: 3, alif: 1, adlif: 90, adex: 50, izhikevich: 40 },
    ...{ evo_lif: 1, resonate_and_fire: 8, current_lif: 0.4 },
  };

  it.each(Object.entries(scales))(
    'of %s is the derivative forward in time, without recurrent spikes',
    async (name, scale) => {
      const { text } = writtenNeurons[name as keyof typeof scales];
      const equations = parseNeuron(
        text.replace(/\bI\b/g, `(${scale} * (I + ${name === 'adex' ? 50 : 0.3}))`),
      );
      // AdEx fires by a steep upstroke, in steps of a tenth of a millisecond.
      const steps = name === 'adex' ? 200 : small.steps;
      const structure = { ...small, steps, dt: equations.dt, equations };
      const batch = drawBatch(structure);

      const { weights, gradients } = await play(reference, structure, batch);

      const hand = network(structure, batch, weights);
      expect(hand.fired()).toBeGreaterThan(10);
      for (const [parameter, values] of Object.entries(hand.weights)) {
        const worst = worstDifference(values, gradients[parameter]!, hand.loss);
        expect(worst, parameter).toBeLessThan(1e-5);
      }
      expect(Math.max(...gradients['input']!.map(Math.abs))).toBeGreaterThan(0.01);
    },
  );

  it('learns a pattern, and what the neurons learn moves with it', async () => {
    const equations = parseNeuron(ADAPTIVE);
    const structure = { ...small, inputs: 20, neurons: 40, outputs: 1, steps: 100, batch: 1 };
    const batch: EpropBatch = {
      inputs: randomSource(5).spikes(100, 20, 0.1),
      targets: Float32Array.from({ length: 100 }, (_, t) => Math.sin((2 * Math.PI * t) / 100)),
    };
    const run = await openEprop(
      opened['wasm, plain, 1 thread']!,
      { ...structure, equations, surrogate: 'triangle' },
      { ...settings, learningRate: 0.005 },
    );
    const before = await run.loss(batch);
    const [start] = await run.weights('perLayer');

    for (let i = 0; i < 100; i++) await run.learn(batch);

    const after = await run.loss(batch);
    const [end] = await run.weights('perLayer');
    run.close();
    expect(after).toBeLessThan(before / 3);
    expect(Math.abs(end! - start!)).toBeGreaterThan(0.01);
  });

  it.each([
    [
      'five states',
      'state a=0,b=0,c=0,d=0,e=0\na=I\nb=a\nc=b\nd=c\ne=d\ns=spike(e - 1)',
      '5 states',
    ],
    ['integers', writtenNeurons.lif_integer.text, 'has no gradient'],
    [
      'neurons that need their layer',
      writtenNeurons.entangled.text,
      'line 6, column 5: groupMean(...) joins the neurons of a layer: e-prop takes neurons',
    ],
  ])('is refused of %s', async (_, text, problem) => {
    const structure = { ...small, equations: parseNeuron(text) };

    await expect(openEprop(reference, structure, settings)).rejects.toMatchObject({
      code: 'invalid-equation',
      message: expect.stringContaining(problem),
    });
  });

  it('is refused where there would be more of them than memory', async () => {
    const structure = { ...small, neurons: 20_000, equations: parseNeuron(ALIF) };

    await expect(openEprop(reference, structure, settings)).rejects.toThrow(
      'eligibilities of synapses: expected at most',
    );
  });
});

/**
 * The network once more in float64, with the recurrent spikes of its first run as inputs: spikes move with the
 * surrogate's integral, conditions, and what is detached, stay what they were.
 */
function network(
  structure: EpropStructure,
  batch: EpropBatch,
  initial: Readonly<Record<string, Float32Array>>,
) {
  const { inputs, neurons, outputs, steps, batch: rows, dt, tauReadout } = structure;
  const kappa = Math.exp(-dt / tauReadout);
  const words = Math.ceil(inputs / 32);
  const weights = Object.fromEntries(
    Object.entries(initial).map(([name, values]) => [name, Float64Array.from(values)]),
  );
  const step = smoothStep(structure.equations!, dt);
  const memory: StepMemory[] = [];
  const hard: number[] = [];
  /** The current into neuron j of a sequence at t; `first` is the place of the step's first neuron. */
  const currentOf = (t: number, row: number, j: number, first: number) => {
    let current = 0;
    for (let i = 0; i < inputs; i++) {
      const word = batch.inputs[(t * rows + row) * words + (i >>> 5)]!;
      if ((word >>> (i & 31)) & 1) current += weights['input']![i * neurons + j]!;
    }
    for (let i = 0; i < neurons; i++) {
      current += (t > 0 ? hard[first - neurons + i]! : 0) * weights['recurrent']![i * neurons + j]!;
    }
    return current;
  };
  const lossOf = (row: number) => {
    const states = Array.from({ length: neurons }, () =>
      structure.equations!.states.map((state) => state.initial),
    );
    const readout = new Float64Array(outputs);
    let total = 0;
    for (let t = 0; t < steps; t++) {
      const first = (row * steps + t) * neurons;
      for (let k = 0; k < outputs; k++) readout[k]! *= kappa;
      for (let j = 0; j < neurons; j++) {
        const given = { current: currentOf(t, row, j, first), weights, j, neurons };
        const spike = step(states[j]!, given, (memory[first + j] ??= {}));
        hard[first + j] ??= spike;
        for (let k = 0; k < outputs; k++)
          readout[k]! += spike * weights['output']![j * outputs + k]!;
      }
      for (let k = 0; k < outputs; k++) {
        total += (readout[k]! - batch.targets[(t * rows + row) * outputs + k]!) ** 2 / 2;
      }
    }
    return total;
  };
  const loss = () => Array.from({ length: rows }, (_, row) => lossOf(row)).reduce((a, b) => a + b);
  loss();
  return { weights, loss, fired: () => hard.reduce((sum, spike) => sum + spike, 0) };
}

/** The values of conditions, of what is detached, and of the distance to the threshold, in the first run of a step. */
type StepMemory = Record<number, number>;

interface Given {
  readonly current: number;
  readonly weights: Readonly<Record<string, Float64Array>>;
  readonly j: number;
  readonly neurons: number;
}

function smoothStep(neuron: WrittenNeuron, dt: number) {
  const pool = new ExpressionPool();
  const { next, spike } = neuron.step({
    pool,
    current: pool.load('current', 'f32', []),
    dt: pool.constant(dt),
    state: (index) => pool.state(String(index), 'f32'),
    parameter: (index) => pool.constant(neuron.parameters[index]!.value),
    learned: (index) => pool.attribute(String(index), 'f32'),
  });
  const nodes = closureOf([...next, spike]);
  const registers = new Float64Array(nodes.at(-1)!.id + 1);
  const counts = { neuron: 0, layer: 0 };
  const places = neuron.learned.map(({ per }) => counts[per]++);
  const learned = (index: number, { weights, j, neurons }: Given) => {
    const { per, range } = neuron.learned[index]!;
    const place = places[index]!;
    const x =
      per === 'neuron' ? weights['perNeuron']![place * neurons + j]! : weights['perLayer']![place]!;
    return range ? range.lowest + (range.highest - range.lowest) / (1 + Math.exp(-x)) : x;
  };
  const operations = new Map(
    nodes.flatMap((node) => (node.kind === 'apply' ? [[node, operationOf(node, registers)]] : [])),
  );
  const apply = (node: Apply, memory: StepMemory): number => {
    if (node.operator === 'fires') {
      const x = registers[node.args[1]!.id]!;
      const base = (memory[node.id] ??= x);
      return Number(base > 0) + smoothSpike.atan(x) - smoothSpike.atan(base);
    }
    operations.get(node)!();
    const value = registers[node.id]!;
    const isFixed = node.type === 'bool' || node.operator === 'detach';
    return isFixed ? (memory[node.id] ??= value) : value;
  };
  return (states: number[], given: Given, memory: StepMemory): number => {
    const valueOf = (node: Expression): number => {
      if (node.kind === 'apply') return apply(node, memory);
      if (node.kind === 'constant') return node.value;
      if (node.kind === 'state') return states[Number(node.name)]!;
      return node.kind === 'attribute' ? learned(Number(node.name), given) : given.current;
    };
    for (const node of nodes) registers[node.id] = valueOf(node);
    for (const [index, { id }] of next.entries()) states[index] = registers[id]!;
    return registers[spike.id]!;
  };
}
