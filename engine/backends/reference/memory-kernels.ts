import { at, type ReferenceKernels } from './views.ts';

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
} satisfies Partial<ReferenceKernels>;
