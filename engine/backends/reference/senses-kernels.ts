import { philox } from '../../random/philox.ts';
import { at, type ReferenceKernels } from './views.ts';

export const sensesKernels = {
  hold_steps_forward: ({ f }, { count, steps, hold }) => {
    const target = f('target');
    for (let i = 0; i < count * steps * hold; i++)
      target[i] = at(f('source'), heldFrom(i, count, hold));
  },
  hold_steps_backward: ({ f }, { count, steps, hold, accumulate }) => {
    const target = f('target');
    if (!accumulate) target.fill(0, 0, count * steps);
    for (let i = 0; i < count * steps * hold; i++) {
      const from = heldFrom(i, count, hold);
      target[from] = at(target, from) + at(f('gradient'), i);
    }
  },
  clipped_sum: ({ f }, { count }) => {
    const scale = at(f('scale'), 0);
    if (scale < 0) return;
    const sum = f('sum');
    for (let i = 0; i < count; i++) sum[i] = at(sum, i) + scale * at(f('addend'), i);
  },
  private_gradient: ({ f, u }, { count, offset, stream, deviation, factor }) => {
    const sum = f('sum');
    const gradient = f('gradient');
    const [step = 0, , low = 0, high = 0] = u('clock');
    for (let i = 0; i < count; i++) {
      const draw = (offset + i) >> 2;
      const noise = normalFrom(philox([draw, stream, step, 0], [low, high]), i % 4);
      gradient[i] = factor * (at(sum, offset + i) + deviation * noise);
      sum[offset + i] = 0;
    }
  },
} satisfies Partial<ReferenceKernels>;

/** The word that word `i` of the held steps is a copy of. */
function heldFrom(i: number, count: number, hold: number): number {
  return Math.floor(i / (count * hold)) * count + (i % count);
}

/** One of the four standard normal numbers of a draw (Box & Muller 1958). */
function normalFrom(words: Uint32Array, place: number): number {
  const pair = place - (place % 2);
  const radius = Math.sqrt(-2 * Math.log((at(words, pair) + 0.5) * 2 ** -32));
  const angle = (2 * Math.PI * (at(words, pair + 1) >>> 8)) / 2 ** 24;
  return radius * (place % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
}
