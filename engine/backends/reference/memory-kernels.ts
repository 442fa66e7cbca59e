import { at, type ReferenceKernels, setBit } from './views.ts';
import { philox, uniformFrom } from '../../random/philox.ts';
import { wordsPerRow } from '../../graph/tensor.ts';

/** The word that word `i` of the held steps is a copy of. */
function heldFrom(i: number, count: number, hold: number): number {
  return Math.floor(i / (count * hold)) * count + (i % count);
}

export const memoryKernels = {
  fill: ({ f }, { value }) => {
    f('target').fill(value);
  },
  add: ({ f }, { count }) => {
    const target = f('target');
    for (let i = 0; i < count; i++) target[i] = at(target, i) + at(f('addend'), i);
  },
  copy: ({ f, u }) => {
    f('target').set(f('source'));
    u('target').set(u('source'));
  },
  sum_steps: ({ f }, { count, steps, accumulate }) => {
    const target = f('target');
    const source = f('source');
    for (let i = 0; i < count; i++) {
      let total = accumulate ? at(target, i) : 0;
      for (let t = 0; t < steps; t++) total += at(source, t * count + i);
      target[i] = total;
    }
  },
  reduce_rows: ({ f }, { rows, width, accumulate }) => {
    const total = f('total');
    const partial = f('partial');
    for (let c = 0; c < width; c++) {
      let sum = accumulate ? at(total, c) : 0;
      for (let r = 0; r < rows; r++) sum += at(partial, r * width + c);
      total[c] = sum;
    }
  },
  column_sum: ({ f }, { rows, width, chunk }) => {
    const partial = f('partial').fill(0);
    const source = f('source');
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < width; c++) {
        const to = Math.floor(r / chunk) * width + c;
        partial[to] = at(partial, to) + at(source, r * width + c);
      }
    }
  },
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
  copy_rows: ({ f }, attributes) => {
    const { steps, sourceSteps, batch, copiedRows, width, accumulate } = attributes;
    const { sourceRows, sourceFirst, targetRows, targetFirst } = attributes;
    const [source, target] = [f('source'), f('target')];
    for (let sequence = 0; sequence < steps * batch; sequence++) {
      const from = (sequence % (sourceSteps * batch)) * sourceRows + sourceFirst;
      const to = sequence * targetRows + targetFirst;
      for (let i = 0; i < copiedRows * width; i++) {
        const before = accumulate ? at(target, to * width + i) : 0;
        target[to * width + i] = before + at(source, from * width + i);
      }
    }
  },
  dropout: ({ f, u }, { count, share, stream, accumulate }) => {
    const [source, target] = [f('source'), f('target')];
    const [step = 0, , low = 0, high = 0] = u('clock');
    for (let i = 0; i < count; i++) {
      const words = philox([Math.floor(i / 4), stream, step, 0], [low, high]);
      const isKept = uniformFrom(at(words, i % 4)) >= share;
      const kept = isKept ? at(source, i) / (1 - share) : 0;
      target[i] = (accumulate ? at(target, i) : 0) + kept;
    }
  },
  random_uniform: ({ f, u }, { count, stream }) => {
    const output = f('output');
    const [step = 0, , low = 0, high = 0] = u('clock');
    for (let i = 0; i < count; i++) {
      const words = philox([Math.floor(i / 4), stream, step, 0], [low, high]);
      output[i] = uniformFrom(at(words, i % 4));
    }
  },
  random_spikes: ({ f, u }, { rows, width, stream, probabilityRows }) => {
    const spikes = u('spikes').fill(0);
    const [step = 0, , low = 0, high = 0] = u('clock');
    const quads = Math.ceil(width / 4);
    for (let r = 0; r < rows; r++) {
      for (let n = 0; n < width; n++) {
        const words = philox([r * quads + Math.floor(n / 4), stream, step, 0], [low, high]);
        const probability = at(f('probabilities'), (r % probabilityRows) * width + n);
        if (uniformFrom(at(words, n % 4)) < probability) setBit(spikes, wordsPerRow(width), r, n);
      }
    }
  },
} satisfies Partial<ReferenceKernels>;
