import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { planSegments } from '../../engine/layers/segment-plan.ts';
import {
  adamW,
  crossEntropy,
  dropout,
  evaluate,
  fit,
  init,
  type Layer,
  lif,
  linear,
  type Loss,
  planFit,
  plif,
  recurrentLif,
  residual,
  sequential,
} from '../../library/index.ts';
import { ownLoss, vanRossum } from '../../library/losses.ts';
import { spikeCounts } from '../../library/graph.ts';
import { reference, wasmVariants } from './play.ts';
import { randomSource } from './random.ts';

const STEPS = 37;
const FEATURES = 40;
const COUNT = 24;

/** Spikes at one of two rates: packed, 32 a word, time steps one behind the other. */
function examples() {
  const from = randomSource(5);
  const y = from.integers(COUNT, 2);
  const words = Array.from(y, (label) => [...from.spikes(STEPS, FEATURES, label ? 0.3 : 0.15)]);
  return { x: Uint32Array.from(words.flat()), y };
}

const network = () =>
  sequential([linear(17), plif({ per: 'neuron' }), linear(2), lif()], {
    input: FEATURES,
    steps: STEPS,
  });

describe('fit in segments of time', () => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await wasmVariants['wasm, plain, 1 thread']();
  });
  afterAll(() => backend.close());

  const trained = async (segments: number) => {
    const model = await init(network(), { device: backend, seed: 1 });
    const optimizer = adamW(2e-2, { clip: { norm: 1 } });
    const data = examples();
    const options = { loss: crossEntropy(), optimizer, epochs: 4, batchSize: 8, segments };
    const history = await fit(model, data, { ...options, validation: data });
    const judged = await evaluate(model, data, { loss: crossEntropy(), batchSize: 7, segments });
    return { losses: history.losses, validation: history.epochs.at(-1)?.validation, judged };
  };

  it('learns as it does from all steps at once', async () => {
    const whole = await trained(1);
    const parts = await trained(5);

    expect(whole.losses).toHaveLength(12);
    for (const [step, loss] of parts.losses.entries()) {
      expect(loss).toBeCloseTo(whole.losses[step]!, 4);
    }
    expect(parts.losses.at(-1)).toBeLessThan(0.8 * parts.losses[0]!);
    expect(parts.validation?.loss).toBeCloseTo(whole.validation!.loss!, 4);
    expect(parts.validation?.confusion).toEqual(whole.validation?.confusion);
    // Examples that fill no whole batch are judged, too.
    expect(parts.judged.count).toBe(COUNT);
    expect(parts.judged.loss).toBeCloseTo(parts.validation!.loss!, 5);
  });
});

describe('memory', () => {
  it('of 4,000 steps in segments is within that of 500 at once', () => {
    const layers = [linear(64), plif(), linear(10), lif()];
    const memoryOf = (steps: number, segments: number) =>
      planFit(sequential(layers, { input: 100, steps }), {
        loss: crossEntropy(),
        optimizer: adamW(1e-3),
        input: 'spikes',
        segments,
      }).memory.memoryBytes;

    const plain = memoryOf(500, 1);

    expect(memoryOf(4000, 10)).toBeLessThan(plain);
    expect(memoryOf(4000, 64)).toBeLessThan(0.5 * plain);
  });
});

describe('segments', () => {
  it.each([
    [4000, 8, { count: 8, length: 500, last: 500 }],
    [37, 5, { count: 5, length: 8, last: 5 }],
    // A step that would be left over belongs to the last segment.
    [9, 4, { count: 3, length: 3, last: 3 }],
    [25, 3, { count: 3, length: 9, last: 7 }],
    [17, 4, { count: 4, length: 5, last: 2 }],
    [10, 3, { count: 3, length: 4, last: 2 }],
    [5, 2, { count: 2, length: 3, last: 2 }],
    [7, 3, { count: 2, length: 3, last: 4 }],
  ])('of %i steps in %i', (steps, asked, plan) => {
    expect(planSegments(steps, asked)).toEqual(plan);
  });

  interface Given {
    readonly segments?: number;
    readonly loss?: Loss;
    readonly trains?: boolean;
  }
  const refused = async (layers: readonly Layer[], { trains, ...options }: Given = {}) => {
    const model = await init(sequential(layers, { input: 3, steps: 8 }), { device: reference });
    const y = trains ? new Float32Array(2 * 8 * 2) : Uint8Array.of(0, 1);
    const data = { x: new Float32Array(2 * 8 * 3), y, count: 2 };
    const own = { loss: crossEntropy(), optimizer: adamW(1e-3), batchSize: 2, segments: 2 };
    return fit(model, data, { ...own, ...options });
  };
  const output = [linear(2), lif()];
  it.each([
    ['recurrentLif', [linear(4), recurrentLif(), ...output], 'layer 1 (recurrentLif): it needs'],
    ['a layer inside', [residual([recurrentLif()]), ...output], 'layer 0 (residual): it needs'],
    [
      'dropout between neurons',
      [linear(4), lif(), dropout(0.5), ...output],
      'layer 2 (dropout): it draws anew in every time step',
    ],
  ])('refuses %s and names it', async (_, layers, message) => {
    await expect(refused(layers)).rejects.toThrow(message);
  });

  it.each([
    [{ segments: 5 }, 'segments: 5 of 8 time steps: expected at most 4'],
    [{ segments: 0 }, 'segments is 0: expected a whole number from 1'],
    [{ loss: crossEntropy({ on: 'earliness' }) }, 'loss cross-entropy on earliness: it needs all'],
    [
      { loss: vanRossum({ tau: 2 }), trains: true },
      'loss van Rossum distance with tau 2: it needs all',
    ],
    [
      { loss: ownLoss('own', (graph, { spikes }) => spikeCounts(graph, spikes!)) },
      'loss own: it needs all time steps at once',
    ],
  ])('refuses %o', async (options, message) => {
    await expect(refused(output, options)).rejects.toThrow(message);
  });
});
