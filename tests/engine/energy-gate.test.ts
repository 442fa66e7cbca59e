import { describe, expect, it } from 'vitest';
import { differentiate } from '../../engine/ops/gradients.ts';
import { Graph } from '../../engine/graph/graph.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { energyGate } from '../../engine/ops/energy-gate.ts';
import { keep } from '../../engine/ops/keep.ts';
import { lif } from '../../engine/ops/lif.ts';
import { noParameters, reference } from './play.ts';
import { randomSource } from './random.ts';

interface Setting {
  readonly steps: number;
  readonly sequence: number;
  readonly importance: readonly number[];
  readonly supply?: number;
}

/** A gate over one batch entry, loaded; `play` passes spikes through it and carries the energy on. */
async function openGate({ steps, sequence, importance, supply = 1 }: Setting) {
  const width = importance.length;
  const graph = new Graph('gate', noParameters);
  const spikes = graph.local('spikes', 'bits', [steps, sequence, width]);
  const energy = graph.local('energy', 'f32', [1, width]);
  const inputs = {
    spikes,
    energy,
    importance: graph.constant('importance', [width], Float32Array.from(importance)),
    supply: graph.constant('supply', [1], Float32Array.of(supply)),
  };
  const gated = keep(graph, 'gated', energyGate(graph, inputs, { sequence, carried: true }));
  const program = graph.build();
  const player = await reference.load(noParameters, [program]);
  player.write(energy, new Float32Array(width).fill(255));
  return {
    energy: () => player.read(energy),
    async play(words: readonly number[]) {
      player.write(spikes, Uint32Array.from(words));
      player.play(program);
      return Array.from(await player.read(gated));
    },
  };
}

describe('the energy gate', () => {
  it('lets a neuron fire at what it is supplied with, once its store is used up', async () => {
    // A spike costs 10, a step supplies 5: one spike in two steps can be paid for.
    const gate = await openGate({ steps: 100, sequence: 1, importance: [10] });
    const always = Array.from({ length: 100 }, () => 1);

    const early = await gate.play(always);
    const late = await gate.play(always);

    // 50 steps, each 5 dearer than what it brings, until less than 10 is left.
    expect(early.slice(0, 50).every((fires) => fires === 1)).toBe(true);
    expect(early[50]).toBe(0);
    expect(late.reduce((a, b) => a + b, 0)).toBe(50);
  });

  it('leaves alone who can pay, and supplies up to 255 only', async () => {
    const gate = await openGate({ steps: 50, sequence: 1, importance: [1, 5] });

    const gated = await gate.play(Array.from({ length: 50 }, () => 3));

    expect(gated.every((word) => word === 3)).toBe(true);
    expect(Array.from((await gate.energy()) as Float32Array)).toEqual([255, 255]);
  });

  it('silences a neuron that is not supplied', async () => {
    const gate = await openGate({ steps: 60, sequence: 1, importance: [7], supply: 0 });

    const gated = await gate.play(Array.from({ length: 60 }, () => 1));

    // 35 spikes cost 245 and leave 10, which is enough for one more.
    expect(gated.reduce((a, b) => a + b, 0)).toBe(36);
    expect((await gate.energy())[0]).toBe(3);
  });

  it('does not let a token depend on later ones', async () => {
    const [steps, sequence, width] = [2, 20, 5];
    const importance = [40, 60, 80, 100, 120];
    const from = randomSource(4);
    const words = from.spikes(steps * sequence, width, 0.8);
    const changed = words.map((word, i) => (i % sequence < 12 ? word : 0));
    const first = await openGate({ steps, sequence, importance });
    const second = await openGate({ steps, sequence, importance });

    const whole = await first.play(Array.from(words));
    const cut = await second.play(Array.from(changed));

    const early = (gated: readonly number[]) => gated.filter((_, i) => i % sequence < 12);
    expect(early(whole)).toEqual(early(cut));
    expect(early(whole)).not.toEqual(early(Array.from(words)));
  });

  it('gives gradients to spikes that could be paid for, and none to the others', async () => {
    const [steps, width] = [40, 3];
    const layout = layOutParameters([
      {
        name: 'current',
        shape: [steps, 1, width],
        initial: { kind: 'constant', value: 0 },
        decayed: false,
      },
    ]);
    const graph = new Graph('gate', layout);
    const neuron = { steps, beta: 0, threshold: 1, surrogate: 'atan' } as const;
    const spikes = lif(graph, graph.parameter('current'), neuron);
    const inputs = {
      spikes,
      energy: graph.local('energy', 'f32', [1, width]),
      importance: graph.constant('importance', [width], Float32Array.of(100, 100, 0)),
      supply: graph.constant('supply', [1], Float32Array.of(0)),
    };
    const gated = energyGate(graph, inputs, { sequence: 1, carried: false });
    const seed = graph.local('weights', 'f32', [steps, 1, width]);
    differentiate(graph, gated, seed);
    const program = graph.build();
    const player = await reference.load(layout, [program]);
    const { value, gradient } = layout.get('current');
    player.values(value).fill(2.5);
    player.values(seed).fill(1);
    player.play(program);

    const slopes = Array.from({ length: steps }, (_, t) =>
      Array.from(player.values(gradient).subarray(t * width, (t + 1) * width), (g) => g > 0),
    );
    // 255 pays for three spikes at 100, the third with what is left of it.
    for (const [t, slope] of slopes.entries()) expect(slope).toEqual([t < 3, t < 3, true]);
  });

  it('refuses rows that are no sequences', () => {
    const graph = new Graph('bad input', noParameters);
    const inputs = {
      spikes: graph.local('spikes', 'bits', [2, 5, 3]),
      energy: graph.local('energy', 'f32', [1, 3]),
      importance: graph.local('importance', 'f32', [3]),
      supply: graph.local('supply', 'f32', [1]),
    };

    expect(() => energyGate(graph, inputs, { sequence: 2, carried: false })).toThrow(
      '5 rows do not split into sequences of 2',
    );
  });
});
