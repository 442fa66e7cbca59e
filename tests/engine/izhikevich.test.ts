import { describe, expect, it } from 'vitest';
import type { Backend } from '../../engine/graph/backend.ts';
import { Graph } from '../../engine/graph/graph.ts';
import {
  type IzhikevichPreset,
  izhikevichPresets,
} from '../../engine/neurons/izhikevich-presets.ts';
import { izhikevich } from '../../engine/ops/izhikevich.ts';
import { keep } from '../../engine/ops/keep.ts';
import { noParameters, reference, variants } from './play.ts';

/** A second in steps of 1 ms, under the current of the paper's figure 2. */
const STEPS = 1000;
const CURRENT = 10;
const TYPES = ['RS', 'IB', 'CH', 'FS', 'LTS'] as const satisfies readonly IzhikevichPreset[];
/**
 * Steps of the published size are so coarse that the peaks of the membrane decide over later intervals:
 * rounding to float32 tells after `alike` of them. With half of that the trains settle, and it does not.
 */
const RUNS = [
  { numerics: 'published', dt: 1, alike: 3 },
  { numerics: 'euler', dt: 0.5, alike: 10 },
] as const;
type Run = Pick<(typeof RUNS)[number], 'numerics' | 'dt'>;

/** As the paper's program goes: reset those at 30 mV, then v in one or two steps, then u. */
function intervals(type: IzhikevichPreset, { numerics, dt }: Run): number[] {
  const { a, b, c, d } = izhikevichPresets[type];
  const spikes: number[] = [];
  let v = -65;
  let u = b * v;
  for (let t = 0; t < STEPS; t++) {
    const before = v;
    const parts = numerics === 'published' ? 2 : 1;
    for (let k = 0; k < parts; k++) {
      v += (dt / parts) * (0.04 * v * v + 5 * v + 140 - u + CURRENT);
    }
    u += dt * a * (b * (numerics === 'published' ? v : before) - u);
    if (v < 30) continue;
    spikes.push(t);
    v = c;
    u += d;
  }
  return differences(spikes);
}

function differences(times: readonly number[]): number[] {
  return times.slice(1).map((time, i) => time - times[i]!);
}

/** The intervals of all types and numerics on a backend, in one program. */
async function measure(backend: Backend): Promise<number[][]> {
  const graph = new Graph('Izhikevich', noParameters);
  const drive = graph.constant('current', [1, 1, 1], Float32Array.of(CURRENT));
  const kept = RUNS.flatMap((run) =>
    TYPES.map((type) => {
      const { numerics, dt } = run;
      const neuron = { ...izhikevichPresets[type], numerics, dt };
      const options = { ...neuron, steps: STEPS, surrogate: 'atan' } as const;
      return keep(graph, `${type} ${run.numerics}`, izhikevich(graph, drive, options));
    }),
  );
  const program = graph.build();
  const player = await backend.load(noParameters, [program]);
  player.play(program);
  const measured: number[][] = [];
  for (const spikes of kept) {
    const words = await player.read(spikes);
    measured.push(differences(Array.from(words.keys()).filter((t) => words[t] === 1)));
  }
  player.close();
  return measured;
}

describe("the inter-spike intervals of Izhikevich's five cortical types", () => {
  const expected = RUNS.flatMap((run) => TYPES.map((type) => intervals(type, run)));

  it('are those of the equations in float64, all of them', async () => {
    expect(await measure(reference)).toEqual(expected);
  });

  // One of each kind: neither tiles nor threads change a neuron.
  it.each(['webgpu, register tiles', 'wasm, relaxed, 1 thread', 'wasm, plain, 1 thread'] as const)(
    'begin as they do in float64 on %s',
    async (variant) => {
      const backend = await variants[variant]();
      const measured = await measure(backend);
      backend.close();

      const alike = RUNS.flatMap((run) => TYPES.map(() => run.alike));
      const begin = (trains: readonly number[][]) =>
        trains.map((train, i) => train.slice(0, alike[i]));
      expect(begin(measured)).toEqual(begin(expected));
      for (const [i, train] of measured.entries()) {
        const [intervals64, least] = [expected[i]!.length, alike[i]!];
        expect(intervals64).toBeGreaterThanOrEqual(least);
        expect(Math.abs(train.length - intervals64)).toBeLessThanOrEqual(0.1 * intervals64 + 1);
      }
    },
  );

  it('distinguish the types as the paper does', () => {
    const [rs = [], ib = [], ch = [], fs = [], lts = []] = expected;
    const mean = (list: readonly number[]) => list.reduce((a, b) => a + b, 0) / list.length;

    // Regular spiking adapts: intervals grow. Bursts are intervals of a few ms between long ones.
    expect(rs.at(-1)).toBeGreaterThan(rs[0]!);
    expect(Math.min(...ib)).toBeLessThan(10);
    expect(Math.min(...ch)).toBeLessThan(5);
    expect(Math.max(...ch)).toBeGreaterThan(20);
    expect(mean(fs)).toBeLessThan(mean(rs) / 2);
    expect(mean(lts)).toBeLessThan(mean(rs));
  });
});
