import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bindCall } from '../../engine/backends/webgpu/binders.ts';
import type { DeviceProfile } from '../../engine/backends/webgpu/profile.ts';
import type { Backend } from '../../engine/graph/backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { wordCount } from '../../engine/graph/tensor.ts';
import { parseNeuron } from '../../engine/neurons/equations.ts';
import { writtenNeurons } from '../../engine/neurons/written-catalogue.ts';
import { equationNeuron } from '../../engine/ops/equation-neuron.ts';
import { differentiate } from '../../engine/ops/gradients.ts';
import { keep } from '../../engine/ops/keep.ts';
import { learnedStart } from '../../engine/ops/learned-start.ts';
import { reference, triedVariants } from './play.ts';
import { randomSource } from './random.ts';
import { profiles } from './shader-variants.ts';
import { smoothSpike, worstDifference } from './smooth-spikes.ts';

/** Inhibited by the part of the layer that fired, and drawn to the mean of its membranes. */
const INHIBITED = `
  state u = 0, s = 0
  learn beta = 0.9 in [0, 1] per neuron;  g = 1.5;  pull = 0.2
  u = beta * u + I - g * groupMean(s) - detach(s)
  u = u + pull * (groupMean(u) - u)
  s = spike(u - 0.5)`;

const ROWS = 3;
const WIDTH_OF_SURROGATE = 0.5;
const integral = (x: number) => WIDTH_OF_SURROGATE * smoothSpike.atan(x / WIDTH_OF_SURROGATE);
const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

interface Size {
  readonly width: number;
  readonly steps: number;
  readonly rows?: number;
  readonly isHeld?: boolean;
  readonly checkpoints?: 'sqrt';
}

/** A layer with its gradients. */
function traced(text: string, { width, steps, rows = ROWS, isHeld = false, checkpoints }: Size) {
  const neuron = parseNeuron(text);
  const layout = layOutParameters(
    [
      { name: 'current', shape: [isHeld ? 1 : steps, rows, width] },
      ...neuron.learned.map((one) => ({
        name: one.name,
        shape: [one.per === 'neuron' ? width : 1],
      })),
    ].map((one) => ({ ...one, initial: { kind: 'constant', value: 0 }, decayed: false })),
  );
  const graph = new Graph('joined', layout);
  const weights = graph.local('weights', 'f32', [steps, rows, width]);
  const learned = Object.fromEntries(
    neuron.learned.map(({ name }) => [name, graph.parameter(name)]),
  );
  const slope = { surrogate: 'atan', surrogateWidth: WIDTH_OF_SURROGATE } as const;
  const options = { ...slope, steps, checkpoints };
  const spikes = equationNeuron(graph, graph.parameter('current'), { neuron, learned }, options);
  const kept = keep(graph, 'kept spikes', spikes);
  differentiate(graph, spikes, weights);
  return { neuron, layout, weights, kept, program: graph.build() };
}

interface Given {
  readonly current: Float32Array;
  readonly weights: Float32Array;
  readonly learned: Readonly<Record<string, Float32Array>>;
}

function drawn(text: string, { width, steps, rows = ROWS, isHeld = false }: Size): Given {
  const from = randomSource(width + steps);
  const { learned } = parseNeuron(text);
  return {
    current: Float32Array.from({ length: (isHeld ? 1 : steps) * rows * width }, () =>
      from.uniform(-0.4, 1.4),
    ),
    weights: Float32Array.from(from.floats(steps * rows * width)),
    learned: Object.fromEntries(
      learned.map((one) => [
        one.name,
        Float32Array.from(
          { length: one.per === 'neuron' ? width : 1 },
          () => learnedStart(one) + from.uniform(-0.5, 0.5),
        ),
      ]),
    ),
  };
}

async function play(backend: Backend, text: string, size: Size, given = drawn(text, size)) {
  const { neuron, layout, weights, kept, program } = traced(text, size);
  const player = await backend.load(layout, [program]);
  player.write(layout.get('current').value, given.current);
  player.write(weights, given.weights);
  for (const { name } of neuron.learned) player.write(layout.get(name).value, given.learned[name]!);
  player.play(program);
  const spikes = (await player.read(kept)) as Uint32Array;
  const gradients: Record<string, Float32Array> = {};
  for (const name of ['current', ...neuron.learned.map((one) => one.name)]) {
    gradients[name] = (await player.read(layout.get(name).gradient)) as Float32Array;
  }
  player.close();
  expect(gradients['current']).toHaveLength(wordCount(layout.get('current').value));
  return { given, spikes, gradients };
}

/** INHIBITED by hand in float64: hard spikes that move with the surrogate's integral. */
function handLoop(given: Given, { width, steps, isHeld = false }: Size) {
  const current = Float64Array.from(given.current);
  const learned = Float64Array.from(given.learned['beta']!);
  const base = new Float64Array(steps * ROWS * width);
  const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / width;
  const run = (record: boolean) => {
    const spikes = new Float64Array(base.length);
    for (let row = 0; row < ROWS; row++) {
      const [u, s] = [new Float64Array(width), new Float64Array(width)];
      // A reset has no gradient: it is that of hard spikes.
      const fired = new Float64Array(width);
      for (let t = 0; t < steps; t++) {
        const first = (t * ROWS + row) * width;
        const rate = mean(s);
        for (let i = 0; i < width; i++) {
          const drive = current[(isHeld ? row * width : first) + i]!;
          u[i] = sigmoid(learned[i]!) * u[i]! + drive - 1.5 * rate - fired[i]!;
        }
        const centre = mean(u);
        for (let i = 0; i < width; i++) {
          u[i] = u[i]! + 0.2 * (centre - u[i]!);
          const x = u[i]! - 0.5;
          if (record) base[first + i] = x;
          fired[i] = Number(base[first + i]! > 0);
          s[i] = fired[i]! + (integral(x) - integral(base[first + i]!));
          spikes[first + i] = s[i]!;
        }
      }
    }
    return spikes;
  };
  const spikes = run(true);
  const loss = () => run(false).reduce((sum, spike, i) => sum + spike * given.weights[i]!, 0);
  return { current, learned, spikes, loss };
}

const opened: Record<string, Backend> = {};
beforeAll(async () => {
  for (const [name, open] of Object.entries(triedVariants)) opened[name] = await open();
  opened['reference'] = reference;
});
afterAll(() => {
  for (const [name, backend] of Object.entries(opened)) if (name !== 'reference') backend.close();
});

function unpacked(words: Uint32Array, width: number): number[] {
  const perRow = Math.ceil(width / 32);
  return Array.from({ length: (words.length / perRow) * width }, (_, i) => {
    const [row, column] = [Math.floor(i / width), i % width];
    return (words[row * perRow + (column >> 5)]! >>> (column & 31)) & 1;
  });
}

const names = [...Object.keys(triedVariants), 'reference'];

describe('neurons that need the means of their layer', () => {
  it.each(names)('are the loop by hand on %s', async (name) => {
    for (const width of [1, 63, 64, 65, 1000]) {
      const size = { width, steps: 6 };
      const { given, spikes, gradients } = await play(opened[name]!, INHIBITED, size);
      const hand = handLoop(given, size);
      const fired = unpacked(spikes, width);

      expect(fired, `${width} wide`).toEqual([...hand.spikes]);
      expect(fired.reduce((sum, spike) => sum + spike, 0) / fired.length).toBeGreaterThan(0.05);
      // Differences of the hand's loop take two runs a number: of a few.
      const few = width > 100 ? 4 : 20;
      const [current, learned] = [hand.current.subarray(0, few), hand.learned.subarray(0, few)];
      expect(worstDifference(current, gradients['current']!, hand.loss)).toBeLessThan(1e-4);
      expect(worstDifference(learned, gradients['beta']!, hand.loss)).toBeLessThan(1e-4);
    }
  });

  it('sum the gradient of a current that is held over the steps', async () => {
    const size = { width: 5, steps: 6, isHeld: true };
    const { given, gradients } = await play(reference, INHIBITED, size);
    const hand = handLoop(given, size);

    expect(worstDifference(hand.current, gradients['current']!, hand.loss)).toBeLessThan(1e-6);
  });

  it.each(names)('give the same bits with checkpoints as without on %s', async (name) => {
    for (const steps of [1, 2, 16, 23]) {
      const size = { width: 300, steps };
      const plain = await play(opened[name]!, INHIBITED, size);
      const checkpointed = await play(opened[name]!, INHIBITED, { ...size, checkpoints: 'sqrt' });

      expect(checkpointed.gradients).toEqual(plain.gradients);
    }
  });

  it.each(names)('know nothing of other rows, nor of later steps, on %s', async (name) => {
    const { text } = writtenNeurons.entangled;
    const [width, steps, rows] = [70, 9, 4];
    const all = drawn(text, { width, steps, rows });
    const whole = await play(opened[name]!, text, { width, steps, rows }, all);
    // The third row alone, for the first five steps.
    const part = (values: Float32Array) =>
      Float32Array.from({ length: 5 * width }, (_, i) => {
        return values[(Math.floor(i / width) * rows + 2) * width + (i % width)]!;
      });
    const given = { ...all, current: part(all.current), weights: part(all.weights) };
    const alone = await play(opened[name]!, text, { width, steps: 5, rows: 1 }, given);
    const perRow = Math.ceil(width / 32);
    const expected = Array.from({ length: 5 }, (_, t) => {
      const first = (t * rows + 2) * perRow;
      return [...whole.spikes.subarray(first, first + perRow)];
    });

    expect([...alone.spikes]).toEqual(expected.flat());
    expect(alone.spikes.some((word) => word !== 0)).toBe(true);
  });

  it('are refused on a GPU where an invocation would keep too much, and pass with checkpoints', () => {
    const size = { width: 20_000, steps: 1000, rows: 1 };
    const [profile] = profiles as [DeviceProfile];
    const bind = (checkpoints?: 'sqrt') => () => {
      const { calls } = traced(INHIBITED, { ...size, ...(checkpoints && { checkpoints }) }).program;
      for (const call of calls) {
        if (call.kernel.name.startsWith('equations_')) bindCall(call, profile);
      }
    };

    expect(bind()).toThrow('numbers of a layer of 20000 neurons: expected at most 65536');
    expect(bind('sqrt')).not.toThrow();
  });
});
