import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/graph/backend.ts';
import { stdp } from '../../../engine/plasticity/stdp.ts';
import { pairRule, tripletRule, type TripletRule } from '../../../engine/plasticity/stdp-rules.ts';
import { rewardStdp } from '../../../engine/plasticity/reward.ts';
import { unbounded } from '../../../engine/plasticity/synapses.ts';
import { wasmVariants, webgpuVariants } from '../play.ts';
import { randomSource } from '../random.ts';
import { oneToOne, type Play, playRasters, type SpikeTimes } from './rasters.ts';
import '../matchers.ts';

const devices: Record<string, () => Promise<Backend>> = {
  wasm: wasmVariants['wasm, relaxed, 1 thread'],
  webgpu: webgpuVariants['webgpu, register tiles'],
};
/** Exact in float32. */
const [LOW, HIGH] = [0.25, 0.75];
const LAGS = Array.from({ length: 101 }, (_, i) => i - 50);

describe.each(Object.keys(devices))('STDP on %s', (device) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await devices[device]!();
  });
  afterAll(() => backend.close());

  it('changes a synapse by the lag of one pair as the exponential window says', async () => {
    const options = { rule: pairRule, bounds: unbounded, boundary: 'hard' } as const;
    const [weight] = await playRasters(backend, {
      steps: 200,
      pre: LAGS.map(() => [100]),
      post: LAGS.map((lag) => [100 + lag]),
      rows: oneToOne(LAGS.length),
      weight: new Float32Array(LAGS.length),
      rule: (graph, site) => {
        stdp(graph, { ...site, name: 'pairs', dt: 1 }, options);
        return [];
      },
    });

    const { amplitudePlus, amplitudeMinus, tauPlus, tauMinus } = pairRule;
    const window = LAGS.map((lag) => {
      const plus = lag >= 0 ? amplitudePlus * Math.exp(-lag / tauPlus) : 0;
      const minus = lag <= 0 ? amplitudeMinus * Math.exp(lag / tauMinus) : 0;
      return plus - minus;
    });
    expect(weight).toMatchNumbers(window, 1e-7);
    const worst = Math.max(...window.map((change, i) => Math.abs(change - weight![i]!)));
    console.log(`STDP window on ${device}: worst of 101 lags is off by ${worst.toExponential(1)}`);
  });

  it('collects weights at hard bounds', async () => {
    const weight = await boundedWeights(backend, 'hard');

    expect(weight.every((w) => w >= LOW && w <= HIGH)).toBe(true);
    expect(weight.filter((w) => w === LOW).length).toBeGreaterThan(50);
    expect(weight.filter((w) => w === HIGH).length).toBeGreaterThan(50);
  });

  it('lets weights approach soft bounds and not reach them', async () => {
    const weight = await boundedWeights(backend, 'soft');

    expect(weight.every((w) => w > LOW && w < HIGH)).toBe(true);
  });

  it('gives the same weights whether synapses are dense or sparse', async () => {
    const from = randomSource(5);
    const [sources, targets, steps] = [37, 70, 500];
    const shared = {
      steps,
      pre: poisson(sources, steps, 0.05, from),
      post: poisson(targets, steps, 0.05, from),
      weight: from.floats(sources * targets, 0, 1),
      rule: tripletStep,
    };
    const rows = {
      rowStart: Uint32Array.from({ length: sources + 1 }, (_, i) => i * targets),
      target: Uint32Array.from({ length: sources * targets }, (_, k) => k % targets),
    };
    const [dense] = await playRasters(backend, shared);
    const [sparse] = await playRasters(backend, { ...shared, rows });

    expect(dense).not.toEqual(shared.weight);
    expect(sparse).toMatchNumbers(dense!, 1e-6);
  });

  it('follows the triplet rule spike by spike', async () => {
    const from = randomSource(7);
    const [neurons, steps] = [65, 3000];
    const pre = poisson(neurons, steps, 0.03, from);
    const post = poisson(neurons, steps, 0.03, from);
    const [weight] = await playRasters(backend, {
      steps,
      pre,
      post,
      rows: oneToOne(neurons),
      weight: new Float32Array(neurons),
      rule: tripletStep,
    });

    const expected = pre.map((times, n) => tripletChange(times, post[n]!, steps));
    expect(weight).toMatchNumbers(expected, 1e-5);
  });

  it('lets weights follow a reward that comes later, and no reward that was expected', async () => {
    const reward = (value: number, baseline: number) =>
      rewarded(backend, Float32Array.of(value, baseline));

    const [praised] = await reward(1, 0);
    const [blamed] = await reward(-1, 0);
    const [expectedAnyway] = await reward(0.7, 0.7);

    // c decays by e^(-1/100) a step from its first value on, and every step adds rate c.
    const { amplitudePlus, tauPlus } = pairRule;
    const first = amplitudePlus * Math.exp(-5 / tauPlus);
    const decay = Math.exp(-1 / 100);
    const sum = first * 0.1 * ((1 - decay ** 85) / (1 - decay));
    expect(praised).toMatchNumbers([0.5 + sum], 1e-6);
    expect(blamed).toMatchNumbers([0.5 - sum], 1e-6);
    expect(expectedAnyway).toEqual(Float32Array.of(0.5));
  });
});

/** Weights after 800 steps of 40 sources and 33 targets at 50 Hz. */
async function boundedWeights(backend: Backend, boundary: 'hard' | 'soft'): Promise<Float32Array> {
  const from = randomSource(3);
  const rule = { ...pairRule, amplitudePlus: 0.1, amplitudeMinus: 0.1 };
  const [weight] = await playRasters(backend, {
    steps: 800,
    pre: poisson(40, 800, 0.05, from),
    post: poisson(33, 800, 0.05, from),
    weight: from.floats(40 * 33, LOW, HIGH),
    rule: (graph, site) => {
      const options = { rule, bounds: { low: LOW, high: HIGH }, boundary };
      stdp(graph, { ...site, name: 'pairs', dt: 1 }, options);
      return [];
    },
  });
  return weight!;
}

/** 100 steps with one pair: source in step 10, target in step 15. */
function rewarded(backend: Backend, reward: Float32Array): Promise<Float32Array[]> {
  return playRasters(backend, {
    steps: 100,
    pre: [[10]],
    post: [[15]],
    weight: Float32Array.of(0.5),
    rule: (graph, site) => {
      const options = {
        rule: pairRule,
        bounds: { low: 0, high: 1 },
        tauEligibility: 100,
        rate: 0.1,
      };
      const state = rewardStdp(graph, { ...site, name: 'reward', dt: 1 }, options);
      return [state.reward, state.eligibility];
    },
    writes: ([tensor]) => [[tensor!, reward]],
  });
}

const tripletStep: Play['rule'] = (graph, site) => {
  const options = { rule: tripletRule, bounds: unbounded, boundary: 'hard' } as const;
  stdp(graph, { ...site, name: 'triplets', dt: 1 }, options);
  return [];
};

/** The rule written down once more, for one synapse: equations 3 and 4 of Pfister & Gerstner 2006. */
function tripletChange(
  pre: readonly number[],
  post: readonly number[],
  steps: number,
  rule: TripletRule = tripletRule,
): number {
  let [w, r1, r2, o1, o2] = [0, 0, 0, 0, 0];
  for (let t = 0; t < steps; t++) {
    const [x, y] = [pre.includes(t), post.includes(t)];
    r1 = r1 * Math.exp(-1 / rule.tauPlus) + Number(x);
    o1 = o1 * Math.exp(-1 / rule.tauMinus) + Number(y);
    r2 *= Math.exp(-1 / rule.tauX);
    o2 *= Math.exp(-1 / rule.tauY);
    if (x) w -= o1 * (rule.pairMinus + rule.tripletMinus * r2);
    if (y) w += r1 * (rule.pairPlus + rule.tripletPlus * o2);
    r2 += Number(x);
    o2 += Number(y);
  }
  return w;
}

function poisson(
  neurons: number,
  steps: number,
  probability: number,
  from: ReturnType<typeof randomSource>,
): SpikeTimes {
  return Array.from({ length: neurons }, () =>
    Array.from({ length: steps }, (_, t) => t).filter(() => from.uniform(0, 1) < probability),
  );
}

/**
 * Figure 3 of Pfister & Gerstner 2006 (data of Sjöström, Turrigiano & Nelson 2001, slices of visual
 * cortex): relative change of the weight after 60 pairings 10 ms apart, with its standard error.
 */
const FIGURE_3 = [
  { lag: 10, hz: 0.1, change: -0.04, error: 0.05 },
  { lag: 10, hz: 10, change: 0.14, error: 0.1 },
  { lag: 10, hz: 20, change: 0.29, error: 0.14 },
  { lag: 10, hz: 40, change: 0.53, error: 0.11 },
  { lag: 10, hz: 50, change: 0.56, error: 0.26 },
  { lag: -10, hz: 0.1, change: -0.29, error: 0.08 },
  { lag: -10, hz: 10, change: -0.41, error: 0.11 },
  { lag: -10, hz: 20, change: -0.34, error: 0.1 },
  { lag: -10, hz: 40, change: 0.56, error: 0.32 },
  { lag: -10, hz: 50, change: 0.75, error: 0.19 },
];
const PAIRINGS = 60;

describe('the triplet rule over frequencies', () => {
  it('comes within two standard errors of every experiment', async () => {
    const changes = await pairingChanges(FIGURE_3);

    const scores = FIGURE_3.map(({ change, error }, i) => (changes[i]! - change) / error);
    for (const [i, { lag, hz, change, error }] of FIGURE_3.entries()) {
      console.log(
        `triplet rule, ${hz} Hz, ${lag} ms: ${changes[i]!.toFixed(3)} (measured ${change} ± ${error})`,
      );
    }
    expect(Math.max(...scores.map(Math.abs))).toBeLessThan(2);
  });

  it('strengthens more and more from 1 to 50 Hz, and weakens at low rates when the target leads', async () => {
    const rates = [1, 5, 10, 20, 30, 40, 50];
    const leading = await pairingChanges(rates.map((hz) => ({ lag: 10, hz })));
    const trailing = await pairingChanges(rates.map((hz) => ({ lag: -10, hz })));

    console.log(
      `triplet rule, 1 to 50 Hz, +10 ms: ${[...leading].map((w) => w.toFixed(2)).join(' ')}; ` +
        `-10 ms: ${[...trailing].map((w) => w.toFixed(2)).join(' ')}`,
    );
    expect([...leading]).toEqual([...leading].toSorted((a, b) => a - b));
    expect(trailing.slice(0, 3).every((w) => w < 0)).toBe(true);
    expect(trailing.at(-1)).toBeGreaterThan(0);
  });
});

/** 60 pairings at each rate, one synapse a rate, on WASM. */
async function pairingChanges(
  protocols: readonly { readonly lag: number; readonly hz: number }[],
): Promise<Float32Array> {
  const backend = await wasmVariants['wasm, relaxed, 1 thread']();
  const times = protocols.map(({ lag, hz }) => {
    const onsets = Array.from({ length: PAIRINGS }, (_, n) => 100 + Math.round((n * 1000) / hz));
    return { pre: onsets, post: onsets.map((t) => t + lag) };
  });
  const slowest = Math.min(...protocols.map(({ hz }) => hz));
  const [weight] = await playRasters(backend, {
    steps: 300 + Math.round((PAIRINGS * 1000) / slowest),
    pre: times.map(({ pre }) => pre),
    post: times.map(({ post }) => post),
    rows: oneToOne(protocols.length),
    weight: new Float32Array(protocols.length),
    rule: tripletStep,
  });
  backend.close();
  return weight!;
}
