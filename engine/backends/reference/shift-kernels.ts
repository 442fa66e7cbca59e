import { parseSlot } from '../../kernels/slots.ts';
import { at, type ReferenceKernels } from './views.ts';

export const shiftKernels = {
  token_shift_forward: ({ f }, { rows, width, sequence }) => {
    const output = f('output');
    for (let i = 0; i < rows * width; i++) {
      const mix = at(f('mix'), i % width);
      output[i] = mix * at(f('input'), i) + (1 - mix) * before(f('input'), i, width, sequence);
    }
  },
  token_shift_backward_input: ({ f }, { rows, width, sequence, accumulate }) => {
    const target = f('inputGradient');
    for (let i = 0; i < rows * width; i++) {
      const mix = at(f('mix'), i % width);
      const isLast = (Math.floor(i / width) % sequence) + 1 === sequence;
      const following = isLast ? 0 : at(f('gradient'), i + width);
      const value = mix * at(f('gradient'), i) + (1 - mix) * following;
      target[i] = value + (accumulate ? at(target, i) : 0);
    }
  },
  token_shift_backward_mix: ({ f }, { rows, width, sequence, chunk }) => {
    const partial = f('partial').fill(0);
    for (let i = 0; i < rows * width; i++) {
      const to = Math.floor(Math.floor(i / width) / chunk) * width + (i % width);
      const change = at(f('input'), i) - before(f('input'), i, width, sequence);
      partial[to] = at(partial, to) + at(f('gradient'), i) * change;
    }
  },
  token_shift_step: ({ f, u }, { steps, rows, width, slots }) => {
    const previous = f('previous');
    const output = f('output');
    for (let i = 0; i < steps * rows * width; i++) {
      const row = Math.floor(i / width);
      const { slot, isFresh } = parseSlot(at(u('slots'), row % rows));
      const kept = (Math.floor(row / rows) * slots + slot) * width + (i % width);
      const mix = at(f('mix'), i % width);
      output[i] = mix * at(f('input'), i) + (1 - mix) * (isFresh ? 0 : at(previous, kept));
      previous[kept] = at(f('input'), i);
    }
  },
} satisfies Partial<ReferenceKernels>;

/** The same feature of the token before; zero at the start of a sequence. */
function before(input: Float64Array, i: number, width: number, sequence: number): number {
  return Math.floor(i / width) % sequence === 0 ? 0 : at(input, i - width);
}
