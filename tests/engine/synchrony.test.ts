import { describe, expect, it } from 'vitest';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { activation } from '../../engine/ops/activation.ts';
import { keep } from '../../engine/ops/keep.ts';
import { lif } from '../../engine/ops/lif.ts';
import { linear } from '../../engine/ops/linear.ts';
import {
  entangledSynchrony,
  synchrony,
  type SynchronyOptions,
} from '../../engine/ops/synchrony.ts';
import { worstGradientError } from './gradient-check.ts';
import { noParameters, reference } from './play.ts';
import { randomSource } from './random.ts';

const NEURONS = 1000;
const STEPS = 600;
/** Half-width of the Lorentzian of frequencies, radians a step: g(0) = 1 / (pi width), so K_c = 2 width. */
const SPREAD = 0.02;
const CRITICAL = 2 * SPREAD;

/** Frequencies that divide a Lorentzian into equal parts. */
const lorentzian = Float32Array.from(
  { length: NEURONS },
  (_, i) => SPREAD * Math.tan(Math.PI * ((i + 0.5) / NEURONS - 0.5)),
);

interface Ensemble {
  readonly coupling: number;
  readonly frequency: Float32Array;
  readonly start: Float32Array;
}

/** R of one group at every step. */
async function orderOf({ coupling, frequency, start }: Ensemble): Promise<Float32Array> {
  const graph = new Graph('ensemble', noParameters);
  const inputs = {
    current: graph.constant('current', [1, 1, NEURONS], new Float32Array(NEURONS)),
    coupling: graph.constant('coupling', [1, 1, 1], Float32Array.of(coupling)),
    frequency: graph.constant('frequency', [NEURONS], frequency),
    start: graph.constant('start', [NEURONS], start),
  };
  const options = { steps: STEPS, groups: 1, modulation: 0, name: 'R' };
  const { order, drive } = synchrony(graph, inputs, options);
  keep(graph, 'drive', drive);
  const program = graph.build();
  const backend = await openWasmBackend({ threads: 1 });
  const player = await backend.load(noParameters, [program]);
  player.play(program);
  const values = await player.read(order);
  player.close();
  backend.close();
  return Float32Array.from(values);
}

const anywhere = randomSource(11).floats(NEURONS, -Math.PI, Math.PI);
const settled = (order: Float32Array) =>
  order.subarray(STEPS / 2).reduce((sum, r) => sum + r, 0) / (STEPS / 2);

describe('the order parameter R of a Kuramoto group', () => {
  it('stays of order 1 / sqrt(N) without coupling', async () => {
    const order = await orderOf({ coupling: 0, frequency: lorentzian, start: anywhere });

    expect(settled(order)).toBeLessThan(3 / Math.sqrt(NEURONS));
  });

  it('stays low below the critical coupling 2 / (pi g(0))', async () => {
    const order = await orderOf({ coupling: CRITICAL / 2, frequency: lorentzian, start: anywhere });

    expect(settled(order)).toBeLessThan(0.15);
  });

  it.each([1.5, 2.5, 4])('rises to sqrt(1 - K_c / K) at %d times that', async (times) => {
    const coupling = times * CRITICAL;
    const order = await orderOf({ coupling, frequency: lorentzian, start: anywhere });

    expect(order[0]).toBeLessThan(0.1);
    expect(Math.abs(settled(order) - Math.sqrt(1 - 1 / times))).toBeLessThan(0.06);
  });

  it('is 1 for identical phases and frequencies', async () => {
    const order = await orderOf({
      coupling: CRITICAL,
      frequency: new Float32Array(NEURONS).fill(0.3),
      start: new Float32Array(NEURONS).fill(2),
    });

    expect(Math.min(...order)).toBeGreaterThan(1 - 1e-5);
    expect(Math.max(...order)).toBeLessThan(1 + 1e-5);
  });
});

describe('entangled synchrony', () => {
  const steps = 12;
  const width = 6;
  const from = randomSource(3);
  const current = from.floats(steps * width, 0, 1.5);
  const frequency = from.floats(width, -0.5, 0.5);
  const start = from.floats(width, -3, 3);
  const neuron = { steps, beta: 0.9, threshold: 1, surrogate: 'atan' } as const;

  it('is plain LIF on a current that follows free phases, where K is 0', async () => {
    const graph = new Graph('entangled', noParameters);
    const inputs = {
      current: graph.constant('current', [steps, 1, width], current),
      context: graph.constant('context', [1, 1, 1], Float32Array.of(1)),
      weight: graph.constant('weight', [1, 2], new Float32Array(2)),
      // softplus(-200) is 0 in float64, too, beside any phase.
      bias: graph.constant('bias', [2], Float32Array.of(-200, -200)),
      frequency: graph.constant('frequency', [width], frequency),
      start: graph.constant('start', [width], start),
    };
    const options = { ...neuron, groups: 2, modulation: 0.8, name: 'R' };
    const { spikes, order } = entangledSynchrony(graph, inputs, options);
    const drive = graph.local('drive', 'f32', [steps, 1, width]);
    const fired = keep(graph, 'spikes', spikes);
    const plain = keep(graph, 'plain', lif(graph, drive, neuron));
    const program = graph.build();
    const player = await reference.load(noParameters, [program]);
    const { modulated, lengths } = writtenDrive();
    player.values(drive).set(modulated);
    player.play(program);

    expect(await player.read(fired)).toEqual(await player.read(plain));
    expect((await player.read(fired)).some((word) => word !== 0)).toBe(true);
    const read = await player.read(order);
    for (const [i, length] of lengths.entries()) expect(read[i]).toBeCloseTo(length, 5);
  });

  /** I (1 + kappa cos(phi - psi)) of phases that turn on their own, and R, for two groups. */
  function writtenDrive() {
    const size = width / 2;
    const modulated: number[] = [];
    const lengths: number[] = [];
    for (let t = 0; t < steps; t++) {
      for (let g = 0; g < 2; g++) {
        const phases = Array.from({ length: size }, (_, i) => {
          const n = g * size + i;
          return start[n]! + t * frequency[n]!;
        });
        const x = phases.reduce((sum, phi) => sum + Math.cos(phi), 0) / size;
        const y = phases.reduce((sum, phi) => sum + Math.sin(phi), 0) / size;
        lengths.push(Math.hypot(x, y));
        for (const [i, phi] of phases.entries()) {
          const drive = current[t * width + g * size + i]!;
          modulated.push(drive * (1 + 0.8 * Math.cos(phi - Math.atan2(y, x))));
        }
      }
    }
    return { modulated, lengths };
  }

  it.each([
    ['changing current and context', 5, 5],
    ['both held', 1, 1],
  ])('has the gradients of finite differences: %s', async (_, currentSteps, contextSteps) => {
    const error = await worstGradientError({
      inputs: {
        current: [currentSteps, 2, width],
        context: [contextSteps, 2, 3],
        weight: [3, 2],
        bias: [2],
      },
      trace(graph, { current: drive, context, weight, bias }) {
        const coupling = activation(graph, linear(graph, context, weight, { bias }), 'softplus');
        const inputs = {
          current: drive,
          coupling,
          frequency: graph.constant('frequency', [width], frequency),
          start: graph.constant('start', [width], start),
        };
        const options: SynchronyOptions = { steps: 5, groups: 2, modulation: 0.7, name: 'R' };
        return synchrony(graph, inputs, options).drive;
      },
    });

    expect(error).toBeLessThan(1e-7);
  });

  it('refuses groups that do not divide the neurons', () => {
    const graph = new Graph('bad input', noParameters);
    const drive = graph.local('current', 'f32', [1, 1, width]);
    const inputs = {
      current: drive,
      coupling: graph.local('coupling', 'f32', [1, 1, 4]),
      frequency: graph.local('frequency', 'f32', [width]),
      start: graph.local('start', 'f32', [width]),
    };

    expect(() =>
      synchrony(graph, inputs, { steps: 3, groups: 4, modulation: 1, name: 'R' }),
    ).toThrow('groups is 4: expected a divisor of the 6 neurons');
  });
});
