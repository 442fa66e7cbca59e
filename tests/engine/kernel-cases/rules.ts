import type { RewardMode } from '../../../engine/kernels/rules.ts';
import { bits, both, type CaseMakers, clock, emptyBits, f32, numbers } from './operands.ts';

const MODES: readonly RewardMode[] = ['ema_delta', 'raw', 'clipped_raw'];

/** The rules that steer neurons beside the gradient. */
export const ruleCases = {
  // Costs and supplies are whole numbers, so that no backend rounds.
  energy_gate: (size, from) =>
    [
      { steps: 3, rows: 8, width: size, sequence: 4 },
      { steps: 5, rows: size, width: 33, sequence: 1 },
    ].flatMap((shape) =>
      both.map((carried) => {
        const { steps, rows, width, sequence } = shape;
        const importance = Float32Array.from(from.integers(width, 20));
        const energy = Float32Array.from(from.integers((rows / sequence) * width, 40));
        return {
          name: `${JSON.stringify(shape)}, carried ${carried}`,
          kernel: 'energy_gate',
          operands: {
            spikes: bits([steps, rows, width], from, 0.7),
            importance: f32([width], importance),
            supply: f32([1], Float32Array.of(2)),
            energy: f32([rows / sequence, width], energy),
            gated: emptyBits([steps, rows, width]),
            open: emptyBits([steps, rows, width]),
          },
          attributes: {
            ...shape,
            ...{ capacity: 60, consumption: 2, rate: 3, threshold: 10, carried },
          },
        };
      }),
    ),
  mask_gradient: (size, from) =>
    [
      { steps: 2, rows: 3, width: size },
      { steps: 1, rows: size, width: 33 },
    ].map((attributes) => {
      const shape = [attributes.steps, attributes.rows, attributes.width];
      return {
        name: JSON.stringify(attributes),
        kernel: 'mask_gradient',
        operands: { mask: bits(shape, from), gradient: numbers(shape, from) },
        attributes,
      };
    }),
  reward_signal: (slots, from) =>
    MODES.flatMap((mode) =>
      both.map((isFirst) => ({
        name: `${mode}, first ${isFirst}`,
        kernel: 'reward_signal',
        operands: {
          history: numbers([slots], from, 1, 3),
          clock: clock(700, slots + Math.floor(slots / 2), 3),
          state: f32([3], Float32Array.of(4, 0.5, isFirst ? 0 : 1)),
          reward: numbers([1], from),
          move: numbers([1], from),
          supply: numbers([1], from),
        },
        attributes: {
          ...{ mode, slots, lossDecay: 0.9, baselineDecay: 0.8 },
          ...{ clip: 1.25, step: 0.01, horizon: 1000, minSupply: 0.25 },
        },
      })),
    ),
  reward_decay: (count, from) => [
    {
      name: 'beta',
      kernel: 'reward_decay',
      operands: { move: numbers([1], from, -0.1, 0.1), beta: numbers([count], from, 0.3, 0.99) },
      attributes: { count, lowest: 0.5, highest: 0.95 },
    },
  ],
} satisfies Partial<CaseMakers>;
