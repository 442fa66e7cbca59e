import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { wordsPerRow } from '../../engine/graph/tensor.ts';
import { integerMembraneShape } from '../../engine/kernels/neurons.ts';
import { integerLif } from '../../engine/ops/integer-lif.ts';
import { keep } from '../../engine/ops/keep.ts';
import { noParameters, reference, wasmVariants, webgpuVariants } from './play.ts';
import { randomSource } from './random.ts';

const STEPS = 100;
const WIDTH = 1000;
const PLAYS = 10;

/** One neuron in plain numbers: `floor`, not a shift. */
function written(currents: readonly number[], leak = 230, threshold = 1024, start = 0) {
  let v = start;
  const spikes = currents.map((current) => {
    v = Math.max(-32768, Math.min(32767, Math.floor((v * leak) / 256) + current));
    const fires = v > threshold;
    if (fires) v = 0;
    return Number(fires);
  });
  return { spikes, v };
}

function trace(width: number, steps: number, carried: boolean) {
  const graph = new Graph('integers', noParameters);
  const current = graph.local('current', 'u32', [steps, 1, width]);
  const membrane = graph.local('membrane', 'u32', integerMembraneShape(1, width));
  const spikes = keep(graph, 'spikes', integerLif(graph, current, membrane, { steps, carried }));
  return { program: graph.build(), current, membrane, spikes };
}

/** Currents of each play; a few of them saturate the membrane. */
const allCurrents = Array.from({ length: PLAYS }, (_, play) =>
  Uint32Array.from(randomSource(play).floats(STEPS * WIDTH, -400, 700), (x) =>
    x > 690 ? 90_000 : Math.round(x),
  ),
);

/** All spikes and the last membranes of 10^6 neuron-steps in ten plays that carry the membranes on. */
async function run(open: () => Promise<Backend>): Promise<Uint32Array> {
  const { program, current, membrane, spikes } = trace(WIDTH, STEPS, true);
  const backend = await open();
  const player = await backend.load(noParameters, [program]);
  const kept: number[] = [];
  for (const one of allCurrents) {
    player.write(current, one);
    player.play(program);
    kept.push(...(await player.read(spikes)));
  }
  kept.push(...(await player.read(membrane)));
  player.close();
  backend.close();
  return Uint32Array.from(kept);
}

describe('integer LIF', () => {
  const expected = run(async () => reference);

  it('fires neither always nor never', async () => {
    const words = (await expected).subarray(0, STEPS * PLAYS * wordsPerRow(WIDTH));
    const spikes = words.reduce(
      (sum, word) => sum + word.toString(2).replaceAll('0', '').length,
      0,
    );

    expect(spikes / (STEPS * PLAYS * WIDTH)).toBeGreaterThan(0.05);
    expect(spikes / (STEPS * PLAYS * WIDTH)).toBeLessThan(0.5);
  });

  // Tiles and subgroups are of no use to it, so WebGPU has one shader for it.
  const backends = { webgpu: webgpuVariants['webgpu, register tiles'], ...wasmVariants };
  it.each(Object.entries(backends))('has the same bits on %s', async (_, open) => {
    expect(await run(open)).toEqual(await expected);
  });

  it('is what its equations say, for membranes below zero and at the ends of int16, too', async () => {
    const anyCurrent = fc.oneof(
      fc.integer({ min: -2000, max: 2000 }),
      fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      fc.constantFrom(-32768, 32767, -1, -65536),
    );
    const rows = fc.array(fc.tuple(...Array.from({ length: 3 }, () => anyCurrent)), {
      minLength: 1,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(rows, async (currents) => {
        const steps = currents.length;
        const { program, current, membrane, spikes } = trace(3, steps, false);
        const player = await reference.load(noParameters, [program]);
        player.write(current, Uint32Array.from(currents.flat()));
        player.play(program);
        const words = await player.read(spikes);
        const [low = 0, high = 0] = await player.read(membrane);
        const membranes = [(low << 16) >> 16, low >> 16, (high << 16) >> 16];

        for (let n = 0; n < 3; n++) {
          const { spikes: fired, v } = written(currents.map((row) => row[n]!));
          expect(Array.from(words, (word) => (word >>> n) & 1)).toEqual(fired);
          expect(membranes[n]).toBe(v);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('leaks towards minus infinity: -1 stays -1', () => {
    expect(written([-1, 0, 0, 0]).v).toBe(-1);
  });

  it.each([
    ['leak', { leak: 257 }, 'leak is 257: expected a whole number from 0 to 256'],
    ['threshold', { threshold: 40_000 }, 'threshold is 40000'],
    ['steps', { steps: 0 }, 'steps is 0'],
  ])('refuses a %s out of range', (_, options, message) => {
    const graph = new Graph('bad input', noParameters);
    const current = graph.local('current', 'u32', [1, 1, 3]);
    const membrane = graph.local('membrane', 'u32', integerMembraneShape(1, 3));

    expect(() =>
      integerLif(graph, current, membrane, { steps: 1, carried: false, ...options }),
    ).toThrow(message);
  });
});
