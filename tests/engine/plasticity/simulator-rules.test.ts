import { describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/graph/backend.ts';
import { plasticityRules } from '../../../engine/plasticity/simulator-rules.ts';
import { pairRule } from '../../../engine/plasticity/stdp-rules.ts';
import type { SimulationDescription } from '../../../engine/simulator/description.ts';
import type { SpikeEvents } from '../../../engine/simulator/recorders.ts';
import { createSimulation } from '../../../engine/simulator/simulation.ts';
import { reference, wasmVariants, webgpuVariants } from '../play.ts';
import '../matchers.ts';

const STEPS = 1000;

/** Poisson sources that drive leaky neurons through plastic synapses, a third of all there could be. */
function network(rule: string, parameters: Record<string, number> = {}): SimulationDescription {
  return {
    seed: 4,
    dt: 1,
    populations: [
      { name: 'pre', count: 90, model: 'poisson', parameters: { rate: 20 } },
      { name: 'post', count: 35, model: 'lif', parameters: { tau: 20, threshold: 1 } },
    ],
    projections: [
      {
        name: 'plastic',
        from: 'pre',
        to: 'post',
        connect: { kind: 'probability', p: 0.33 },
        weight: { uniform: [0.05, 0.25] },
        delay: 3,
        plasticity: { rule, parameters },
      },
    ],
    recorders: [
      { kind: 'spikes', of: 'pre', name: 'pre' },
      { kind: 'spikes', of: 'post', name: 'post' },
    ],
  };
}

const devices: Record<string, () => Promise<Backend>> = {
  wasm: wasmVariants['wasm, relaxed, 1 thread'],
  'two threads': wasmVariants['wasm, relaxed, 2 threads'],
  webgpu: webgpuVariants['webgpu, register tiles'],
};

describe.each(Object.keys(devices))('a plastic projection of the simulator on %s', (device) => {
  it('has the weights that its recorded spikes make of the first ones', async () => {
    const backend = await devices[device]!();
    const parameters = { amplitudePlus: 0.002, amplitudeMinus: 0.0021 };
    const options = { rules: plasticityRules };
    const simulation = await createSimulation(backend, network('stdp', parameters), options);
    const first = (await simulation.read('plastic.weight')).slice();
    const rowStart = (await simulation.read('plastic.rowStart')) as Uint32Array;
    const target = (await simulation.read('plastic.target')) as Uint32Array;
    const { spikes } = await simulation.advance(STEPS);
    const weight = await simulation.read('plastic.weight');
    simulation.close();
    backend.close();

    const trains = [trainsOf(spikes.get('pre')!, 90), trainsOf(spikes.get('post')!, 35)] as const;
    const expected = Array.from(first);
    for (let i = 0; i < 90; i++) {
      for (let k = rowStart[i]!; k < rowStart[i + 1]!; k++) {
        const [x, y] = [trains[0][i]!, trains[1][target[k]!]!];
        expected[k] = learned(expected[k]!, x, y, parameters);
      }
    }
    expect(spikes.get('post')!.step.length).toBeGreaterThan(500);
    expect(weight).toMatchNumbers(expected, 1e-5);
    expect(Math.max(...expected.map((w, k) => Math.abs(w - first[k]!)))).toBeGreaterThan(0.01);
  });
});

describe('rules of the simulator', () => {
  it.each(plasticityRules.map(({ name }) => name))(
    '%s changes weights and keeps them within their bounds',
    async (name) => {
      const backend = await wasmVariants['wasm, relaxed, 1 thread']();
      const description = network(name, { low: 0.04, high: 0.26 });
      const simulation = await createSimulation(backend, description, { rules: plasticityRules });
      const first = (await simulation.read('plastic.weight')).slice();
      if (name === 'stdp_reward') simulation.write('plastic.reward', Float32Array.of(1, 0));
      await simulation.advance(1000);
      const weight = Array.from(await simulation.read('plastic.weight'));
      simulation.close();
      backend.close();

      expect(weight).not.toEqual(Array.from(first));
      expect(Math.min(...weight)).toBeGreaterThanOrEqual(Math.fround(0.04));
      expect(Math.max(...weight)).toBeLessThanOrEqual(Math.fround(0.26));
    },
  );

  it('leaves weights alone while a reward is what was expected', async () => {
    const simulation = await createSimulation(reference, network('stdp_reward'), {
      rules: plasticityRules,
    });
    const first = (await simulation.read('plastic.weight')).slice();
    await simulation.advance(200);
    const weight = await simulation.read('plastic.weight');
    const eligibility = await simulation.read('plastic.eligibility');
    simulation.close();

    expect(weight).toEqual(first);
    expect(Math.max(...eligibility)).toBeGreaterThan(0);
  });

  it.each([
    [{ tauPlus: 0 }, 'stdp.tauPlus is 0: expected a number above 0'],
    [{ amplitudePlus: -1 }, 'stdp.amplitudePlus is -1: expected a number of at least 0'],
    [{ low: 1 }, 'stdp.low is 1: expected a number below high, which is 1'],
    [{ tau: 3 }, 'stdp has no parameter "tau": expected tauPlus, tauMinus'],
  ])('refuse %o', async (wrong, message) => {
    const opened = createSimulation(reference, network('stdp', wrong), { rules: plasticityRules });

    await expect(opened).rejects.toThrow(message);
  });
});

function trainsOf({ step, neuron }: SpikeEvents, neurons: number): Set<number>[] {
  const trains = Array.from({ length: neurons }, () => new Set<number>());
  for (const [event, t] of step.entries()) trains[neuron[event]!]!.add(t);
  return trains;
}

/** The pair rule for one synapse in float64. */
function learned(
  first: number,
  pre: ReadonlySet<number>,
  post: ReadonlySet<number>,
  { amplitudePlus, amplitudeMinus }: { amplitudePlus: number; amplitudeMinus: number },
): number {
  let [w, x, y] = [first, 0, 0];
  for (let t = 0; t < STEPS; t++) {
    x = x * Math.exp(-1 / pairRule.tauPlus) + Number(pre.has(t));
    y = y * Math.exp(-1 / pairRule.tauMinus) + Number(post.has(t));
    if (pre.has(t)) w = Math.max(0, w - amplitudeMinus * y);
    if (post.has(t)) w = Math.min(1, w + amplitudePlus * x);
  }
  return w;
}
