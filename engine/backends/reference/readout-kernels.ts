import { at, type ReferenceKernels } from './views.ts';

export const readoutKernels = {
  mean_steps_forward: ({ f }, { count, steps }) => {
    const target = f('target');
    for (let i = 0; i < count; i++) {
      let total = 0;
      for (let t = 0; t < steps; t++) total += at(f('source'), t * count + i);
      target[i] = total / steps;
    }
  },
  mean_steps_backward: ({ f }, { count, steps, accumulate }) => {
    const target = f('target');
    for (let i = 0; i < count * steps; i++) {
      const value = at(f('gradient'), i % count) / steps;
      target[i] = value + (accumulate ? at(target, i) : 0);
    }
  },
  readout_mix_forward: ({ f }, { count }) => {
    const s = sigmoid(at(f('mix'), 0));
    const output = f('output');
    for (let i = 0; i < count; i++) output[i] = s * at(f('direct'), i) + (1 - s) * at(f('deep'), i);
  },
  readout_mix_backward: ({ f }, { count, accumulateDirect, accumulateDeep }) => {
    const s = sigmoid(at(f('mix'), 0));
    const direct = f('directGradient');
    const deep = f('deepGradient');
    for (let i = 0; i < count; i++) {
      const gradient = at(f('gradient'), i);
      direct[i] = s * gradient + (accumulateDirect ? at(direct, i) : 0);
      deep[i] = (1 - s) * gradient + (accumulateDeep ? at(deep, i) : 0);
    }
  },
  readout_mix_backward_mix: ({ f }, { count, chunk }) => {
    const s = sigmoid(at(f('mix'), 0));
    const partial = f('partial').fill(0);
    for (let i = 0; i < count; i++) {
      const to = Math.floor(i / chunk);
      const term = at(f('gradient'), i) * (at(f('direct'), i) - at(f('deep'), i));
      partial[to] = at(partial, to) + s * (1 - s) * term;
    }
  },
} satisfies Partial<ReferenceKernels>;

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
