import { kernels } from '../../../engine/kernels/kernels.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/graph/backend.ts';
import { Graph } from '../../../engine/graph/graph.ts';
import type { Program } from '../../../engine/graph/program.ts';
import { sharedTensor, type Tensor } from '../../../engine/graph/tensor.ts';
import { bcm } from '../../../engine/plasticity/bcm.ts';
import {
  adaptThreshold,
  normaliseIncoming,
  scaleSynapses,
  type SynapticScaling,
  thresholdAdaptation,
} from '../../../engine/plasticity/homeostasis.ts';
import type { StepSpikes, Synapses } from '../../../engine/plasticity/synapses.ts';
import { updateTrace } from '../../../engine/plasticity/traces.ts';
import { spikeLinear } from '../../../engine/ops/linear.ts';
import { randomSpikes } from '../../../engine/ops/random.ts';
import { noParameters, wasmVariants } from '../play.ts';
import { randomSource } from '../random.ts';
import { playRasters } from './rasters.ts';
import '../matchers.ts';

const scaling: SynapticScaling = {
  targetHz: 5,
  gain: 0.002,
  tauRate: 1000,
  interval: 100,
  bounds: { low: 0, high: 10 },
  dt: 1,
};

let backend: Backend;
beforeAll(async () => {
  backend = await wasmVariants['wasm, relaxed, 1 thread']();
});
afterAll(() => backend.close());

interface Population {
  readonly synapses: Synapses;
  readonly spikes: StepSpikes;
  readonly clock: Tensor;
}

/** Poisson inputs that drive leaky neurons, with a rule on the weights between them. */
async function openPopulation(
  { inputs, neurons }: { readonly inputs: number; readonly neurons: number },
  record: (graph: Graph, population: Population) => void,
) {
  const clock = sharedTensor('clock', 'u32', [4]);
  const probabilities = sharedTensor('probabilities', 'f32', [1, 1, inputs]);
  const weight = sharedTensor('weight', 'f32', [inputs, neurons]);
  const counts = sharedTensor('counts', 'f32', [neurons]);
  const trace = (name: string, rule: typeof record) => {
    const graph = new Graph(name, noParameters);
    const pre = randomSpikes(graph, probabilities, { stream: 1, clock });
    const post = fire(graph, spikeLinear(graph, pre, weight), neurons);
    updateTrace(graph, post, counts, { decay: 1 });
    rule(graph, {
      synapses: { pre: inputs, post: neurons, weight },
      spikes: { pre, post },
      clock,
    });
    graph.call(kernels.advance_clock, { clock }, {});
    return graph.build();
  };
  const learning = trace('learn', record);
  const answering = trace('answer', () => {});
  const player = await backend.load(noParameters, [learning, answering]);
  player.write(clock, Uint32Array.of(0, 0, 42, 0));
  /** Rates in hertz over so many steps, all of them one submission. */
  const ratesOf = (program: Program) => async (steps: number) => {
    player.write(counts, new Float32Array(neurons));
    player.play(program, steps);
    const spikes = await player.read(counts);
    return Array.from(spikes, (count) => (1000 * count) / steps);
  };
  const [learn, answer] = [ratesOf(learning), ratesOf(answering)];
  return { player, probabilities, weight, learn, answer };
}

/** Leaky neurons with a time constant of 20 steps and a threshold of 1. */
function fire(graph: Graph, current: Tensor, neurons: number): Tensor {
  const spikes = graph.scratch('spikes', 'bits', [1, 1, neurons]);
  graph.call(
    kernels.competing_lif,
    {
      current,
      offset: graph.local('offset', 'f32', [neurons]),
      membrane: graph.local('membrane', 'f32', [neurons]),
      refractory: graph.local('refractory', 'u32', [neurons]),
      spikes,
    },
    {
      rows: 1,
      width: neurons,
      decay: Math.exp(-1 / 20),
      threshold: 1,
      reset: 0,
      refractorySteps: 2,
    },
  );
  return spikes;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

describe('synaptic scaling', () => {
  it('brings a population that fires at four times its target back to within 10 %', async () => {
    const [inputs, neurons] = [200, 100];
    const population = await openPopulation({ inputs, neurons }, (graph, site) => {
      scaleSynapses(graph, { ...site, name: 'scaling', spikes: site.spikes.post }, scaling);
    });
    const { player, probabilities, weight, learn, answer } = population;
    player.write(probabilities, new Float32Array(inputs).fill(0.01));
    const weights = randomSource(4).floats(inputs * neurons, 0.02, 0.038);
    player.write(weight, weights);

    const before = mean(await answer(2000));
    await learn(60_000);
    // With the rule on: weights that go on moving about their rest would fire a little more without it.
    const after = mean(await learn(20_000));
    player.close();

    console.log(
      `homeostasis: ${before.toFixed(1)} Hz at first, ${after.toFixed(2)} Hz after a minute, ` +
        `target ${scaling.targetHz} Hz`,
    );
    expect(before).toBeGreaterThan(4 * scaling.targetHz);
    expect(Math.abs(after / scaling.targetHz - 1)).toBeLessThan(0.1);
  });

  it('keeps the sum of the weights of every target when they are normalised', async () => {
    const from = randomSource(9);
    const [weight] = await playRasters(backend, {
      steps: 1,
      pre: Array.from({ length: 70 }, () => []),
      post: Array.from({ length: 33 }, () => []),
      weight: from.floats(70 * 33, 0, 1),
      rule: (graph, { synapses }) => {
        normaliseIncoming(graph, synapses, 7.5);
        return [];
      },
    });

    const sums = Array.from({ length: 33 }, (_, j) =>
      weight!.reduce((sum, w, k) => sum + (k % 33 === j ? w : 0), 0),
    );
    expect(sums).toMatchNumbers(
      sums.map(() => 7.5),
      1e-5,
    );
  });
});

describe('threshold adaptation', () => {
  it('rises by 0.05 a spike and decays in between', async () => {
    const [, theta] = await playRasters(backend, {
      steps: 1000,
      pre: [[]],
      post: [[100, 200, 999]],
      weight: new Float32Array(1),
      rule: (graph, { spikes }) => {
        const rising = graph.local('theta', 'f32', [1]);
        adaptThreshold(graph, spikes.post, rising, { ...thresholdAdaptation, tauThreshold: 500 });
        return [rising];
      },
    });

    const expected = 0.05 * (Math.exp(-899 / 500) + Math.exp(-799 / 500) + 1);
    expect(theta).toMatchNumbers([expected], 1e-6);
  });
});

describe('the BCM rule', () => {
  it('makes every neuron respond to one of four patterns', async () => {
    const [group, patterns, neurons] = [25, 4, 16];
    const inputs = group * patterns;
    const population = await openPopulation({ inputs, neurons }, (graph, site) => {
      const options = {
        rate: 5e-7,
        tauActivity: 50,
        tauThreshold: 2000,
        setpointHz: 10,
        bounds: { low: 0, high: 0.3 },
      };
      bcm(graph, { ...site, name: 'bcm', dt: 1 }, options);
    });
    const { player, probabilities, weight, learn, answer } = population;
    player.write(weight, randomSource(8).floats(inputs * neurons, 0.04, 0.08));
    const show = (pattern: number) => {
      const shown = Float32Array.from({ length: inputs }, (_, i) =>
        Math.floor(i / group) === pattern ? 0.06 : 0.005,
      );
      player.write(probabilities, shown);
    };
    const selectivity = async () => {
      const responses: number[][] = [];
      for (let pattern = 0; pattern < patterns; pattern++) {
        show(pattern);
        responses.push(await answer(2000));
      }
      return Array.from({ length: neurons }, (_, n) => {
        const own = responses.map((rate) => rate[n]!);
        return 1 - mean(own) / Math.max(...own);
      });
    };

    const before = mean(await selectivity());
    const order = randomSource(2).integers(600, patterns);
    for (const pattern of order) {
      show(pattern);
      await learn(200);
    }
    const after = await selectivity();
    player.close();

    const best = 1 - 1 / patterns;
    console.log(
      `BCM: selectivity ${before.toFixed(2)} at first, ${mean(after).toFixed(2)} after two ` +
        `minutes; ${best} is a response to one pattern alone`,
    );
    expect(before).toBeLessThan(0.3);
    expect(Math.min(...after)).toBeGreaterThan(0.8 * best);
  });
});
