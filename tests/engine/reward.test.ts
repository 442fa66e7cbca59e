import type { RewardMode } from '../../engine/kernels/rules.ts';
import { describe, expect, it } from 'vitest';
import { Graph } from '../../engine/graph/graph.ts';
import { variedLif } from '../../engine/ops/evo-lif.ts';
import { keep } from '../../engine/ops/keep.ts';
import { adaptDecay, type RewardSignalOptions, rewardSignal } from '../../engine/ops/reward.ts';
import { clockInput, packClock } from '../../engine/ops/step-inputs.ts';
import { noParameters, reference } from './play.ts';

const SLOTS = 8;
const RANGE = { lowest: 0.5, highest: 0.99 };

/** Rewards and one beta after each of some losses. */
async function adapt(losses: readonly number[], options: RewardSignalOptions, start = 0.9) {
  const graph = new Graph('reward', noParameters);
  const history = graph.local('history', 'f32', [SLOTS]);
  const clock = clockInput(graph);
  const state = graph.local('state', 'f32', [3]);
  const beta = graph.local('beta', 'f32', [1]);
  const signal = rewardSignal(graph, 'reward', { history, clock, state }, options);
  adaptDecay(graph, beta, signal, RANGE);
  const program = graph.build();
  const player = await reference.load(noParameters, [program]);
  player.write(beta, Float32Array.of(start));
  const seen: { reward: number; move: number; supply: number; beta: number }[] = [];
  for (const [step, loss] of losses.entries()) {
    player.values(history)[step % SLOTS] = loss;
    player.write(clock, packClock({ step, slot: step, seed: [1, 0] }));
    player.play(program);
    seen.push({
      reward: player.values(signal.reward)[0]!,
      move: player.values(signal.move)[0]!,
      supply: player.values(signal.supply)[0]!,
      beta: player.values(beta)[0]!,
    });
  }
  return seen;
}

const emaDelta: RewardSignalOptions = { mode: 'ema_delta', clip: 0.5, lossDecay: 0.5, horizon: 10 };

describe('reward adaptation', () => {
  it('rewards by how much the running mean of the loss fell', async () => {
    const seen = await adapt([4, 3, 3], emaDelta);

    // Means 4, 3.5, 3.25.
    expect(seen.map(({ reward }) => reward)).toEqual([0, 0.5, 0.25]);
  });

  it.each([
    ['raw', [-4, -3]],
    ['clipped_raw', [-0.5, -0.5]],
  ] as const)('takes minus the loss in mode %s', async (mode: RewardMode, rewards) => {
    const seen = await adapt([4, 3], { ...emaDelta, mode });

    expect(seen.map(({ reward }) => reward)).toEqual(rewards);
  });

  it('moves beta toward 1 while the loss falls faster than before, and away when it rises', async () => {
    const seen = await adapt([4, 4, 3, 5], emaDelta);
    const betas = seen.map(({ beta }) => beta);

    expect(betas[1]).toBeCloseTo(0.9, 6);
    expect(betas[2]).toBeGreaterThan(0.9);
    expect(betas[3]).toBeLessThan(betas[2]!);
    expect(seen[2]!.supply).toBeGreaterThan(1);
    expect(seen[3]!.supply).toBeLessThan(1);
  });

  it('moves beta away from 1 when the loss falls, but by less than it used to', async () => {
    const options = { ...emaDelta, clip: 5, baselineDecay: 0.5 };
    const seen = await adapt([8, 6, 4, 3.9], options);

    expect(seen[3]!.reward).toBeGreaterThan(0);
    expect(seen[3]!.move).toBeLessThan(0);
    expect(seen[3]!.beta).toBeLessThan(seen[2]!.beta);
  });

  it('takes smaller steps as training proceeds', async () => {
    const swinging = Array.from({ length: 41 }, (_, step) => (step % 2 === 0 ? 3 : 4));
    const moves = (await adapt(swinging, { ...emaDelta, step: 0.04 })).map(({ move }) => move);

    // Half of the first step after `horizon` steps, a fifth after four times as many.
    expect(Math.abs(moves[10]!)).toBeCloseTo(0.04 / 2, 10);
    expect(Math.abs(moves[40]!)).toBeCloseTo(0.04 / 5, 10);
  });

  it('never leaves the range of beta', async () => {
    const falling = Array.from({ length: 60 }, (_, step) => -(step ** 2));
    const rising = falling.map((loss) => -loss);
    const options = { ...emaDelta, mode: 'raw', step: 0.5, horizon: 1e9 } as const;

    const up = await adapt(falling, options);
    const down = await adapt(rising, options);

    expect(up.at(-1)!.beta).toBe(RANGE.highest);
    expect(down.at(-1)!.beta).toBe(RANGE.lowest);
  });

  it('changes the neurons that read the beta, in the same program', async () => {
    const graph = new Graph('adapted layer', noParameters);
    const steps = 40;
    const inputs = {
      history: graph.local('history', 'f32', [SLOTS]),
      clock: clockInput(graph),
      state: graph.local('state', 'f32', [3]),
    };
    const own = {
      beta: graph.local('beta', 'f32', [1]),
      threshold: graph.constant('threshold', [1], Float32Array.of(1)),
    };
    // At beta 0.9 the membrane settles at 0.095 / (1 - 0.9), just below the threshold.
    const current = graph.constant('current', [1, 1, 1], Float32Array.of(0.095));
    const layer = variedLif(graph, current, own, { steps, surrogate: 'atan' });
    const spikes = keep(graph, 'spikes', layer);
    const signal = rewardSignal(graph, 'reward', inputs, { ...emaDelta, step: 0.5 });
    adaptDecay(graph, own.beta, signal, RANGE);
    const program = graph.build();
    const player = await reference.load(noParameters, [program]);
    player.write(own.beta, Float32Array.of(0.9));
    const fired: boolean[] = [];
    for (const [step, loss] of [4, 4, 2, 2].entries()) {
      player.values(inputs.history)[step] = loss;
      player.write(inputs.clock, packClock({ step, slot: step, seed: [1, 0] }));
      player.play(program);
      fired.push((await player.read(spikes)).includes(1));
    }

    // The reward of the third loss is there for the fourth step.
    expect(fired).toEqual([false, false, false, true]);
  });

  it.each([
    ['a clip of 0', { ...emaDelta, clip: 0 }, 'clip is 0: expected a positive number'],
    ['a decay that is not a number', { ...emaDelta, lossDecay: NaN }, 'lossDecay is NaN'],
  ])('refuses %s', async (_, options, message) => {
    await expect(adapt([1], options)).rejects.toThrow(message);
  });
});
