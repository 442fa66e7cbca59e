import type { Curve, RewardMode } from '../../graph/layer-kernels.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import { grainOf, real, single, type WasmBinders } from './commands.ts';
import { perElement, perRow } from './items.ts';

/** The numbers of engine/backends/wasm/assembly/{curves,reward}.ts. */
const CURVES: Readonly<Record<Curve, number>> = { sigmoid: 0, softplus: 1, log: 2, relu: 3 };
const MODES: Readonly<Record<RewardMode, number>> = { ema_delta: 0, raw: 1, clipped_raw: 2 };

/** Trained ranges, and the rules that steer neurons beside the gradient. */
export const ruleBinders: WasmBinders<
  | 'curve_forward'
  | 'curve_backward'
  | 'energy_gate'
  | 'mask_gradient'
  | 'reward_signal'
  | 'reward_decay'
> = {
  curve_forward: ({ operands: { input, output }, attributes: { count, curve } }, site) =>
    perElement(
      'curve_forward',
      count,
      [site.at(input), site.at(output), count, CURVES[curve]],
      site,
    ),
  curve_backward: ({ operands, attributes: { count, curve, accumulate } }, site) => {
    const { input, gradient, inputGradient } = operands;
    const ends = [site.at(input), site.at(gradient), site.at(inputGradient)];
    const args = [...ends, count, CURVES[curve], Number(accumulate)];
    return perElement('curve_backward', count, args, site);
  },
  energy_gate: ({ operands, attributes }, { at, threads }) => {
    const { spikes, importance, supply, energy, gated, open } = operands;
    const { steps, rows, width, sequence, carried } = attributes;
    const { capacity, consumption, rate, threshold } = attributes;
    const items = (rows / sequence) * wordsPerRow(width);
    return single({
      kernel: 'energy_gate',
      items,
      grain: grainOf(items, threads),
      args: [
        ...[spikes, importance, supply, energy, gated, open].map(at),
        ...[steps, rows, width, sequence],
        ...[capacity, consumption, rate, threshold].map(real),
        Number(carried),
      ],
    });
  },
  mask_gradient: ({ operands: { mask, gradient }, attributes }, site) => {
    const { steps, rows, width } = attributes;
    const args = [site.at(mask), site.at(gradient), width];
    return perRow('mask_gradient', steps * rows, args, site);
  },
  reward_signal: ({ operands, attributes }, { at }) => {
    const { history, clock, state, reward, move, supply } = operands;
    const { mode, slots, lossDecay, baselineDecay, clip, step, horizon, leastSupply } = attributes;
    const args = [
      ...[history, clock, state, reward, move, supply].map(at),
      ...[MODES[mode], slots],
      ...[lossDecay, baselineDecay, clip, step, horizon, leastSupply].map(real),
    ];
    return single({ kernel: 'reward_signal', items: 1, grain: 1, args });
  },
  reward_decay: ({ operands: { move, beta }, attributes }, site) => {
    const { count, lowest, highest } = attributes;
    const args = [site.at(move), site.at(beta), count, real(lowest), real(highest)];
    return perElement('reward_decay', count, args, site);
  },
};
