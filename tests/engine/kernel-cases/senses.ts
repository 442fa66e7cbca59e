import { both, type CaseMakers, clock, f32, numbers } from './operands.ts';

/** Frames that are held, and sums of clipped gradients with noise. */
export const sensesCases = {
  hold_steps_forward: (count, from) =>
    [1, 3].map((hold) => ({
      name: `5 steps of ${count}, each ${hold} times`,
      kernel: 'hold_steps_forward',
      operands: {
        source: numbers([5, 1, count], from),
        target: numbers([5 * hold, 1, count], from),
      },
      attributes: { count, steps: 5, hold },
    })),
  hold_steps_backward: (count, from) =>
    both.map((accumulate) => ({
      name: `5 steps of ${count}, added ${accumulate}`,
      kernel: 'hold_steps_backward',
      operands: {
        gradient: numbers([15, 1, count], from),
        target: numbers([5, 1, count], from),
      },
      attributes: { count, steps: 5, hold: 3, accumulate },
    })),
  clipped_sum: (count, from) =>
    [0.25, -1].map((scale) => ({
      name: `scale ${scale}`,
      kernel: 'clipped_sum',
      operands: {
        addend: numbers([count], from),
        scale: f32([1], Float32Array.of(scale)),
        sum: numbers([count], from),
      },
      attributes: { count },
    })),
  private_gradient: (count, from) =>
    [0, 64].map((offset) => ({
      name: `${count} from ${offset} on`,
      kernel: 'private_gradient',
      operands: {
        clock: clock(9, 0, 5),
        sum: numbers([count + offset + 3], from),
        gradient: numbers([count], from),
      },
      attributes: { count, offset, stream: 77, deviation: 1.5, factor: 0.5 },
    })),
} satisfies Partial<CaseMakers>;
