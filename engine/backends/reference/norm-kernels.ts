import { at, type ReferenceKernels } from './views.ts';

export const normKernels = {
  layer_norm_forward: ({ f }, { rows, width, epsilon }) => {
    const input = f('input');
    const output = f('output');
    const statistics = f('statistics');
    for (let r = 0; r < rows; r++) {
      const x = (c: number) => at(input, r * width + c);
      const mean = meanOf(width, x);
      const rstd = 1 / Math.sqrt(meanOf(width, (c) => (x(c) - mean) ** 2) + epsilon);
      for (let c = 0; c < width; c++) {
        output[r * width + c] = (x(c) - mean) * rstd * at(f('gain'), c) + at(f('offset'), c);
      }
      statistics[2 * r] = mean;
      statistics[2 * r + 1] = rstd;
    }
  },
  layer_norm_backward_input: ({ f }, { rows, width, accumulate }) => {
    const target = f('inputGradient');
    for (let r = 0; r < rows; r++) {
      const mean = at(f('statistics'), 2 * r);
      const rstd = at(f('statistics'), 2 * r + 1);
      const h = (c: number) => at(f('gain'), c) * at(f('gradient'), r * width + c);
      const normalised = (c: number) => (at(f('input'), r * width + c) - mean) * rstd;
      const meanH = meanOf(width, h);
      const meanProduct = meanOf(width, (c) => h(c) * normalised(c));
      for (let c = 0; c < width; c++) {
        const value = rstd * (h(c) - meanH - normalised(c) * meanProduct);
        const to = r * width + c;
        target[to] = value + (accumulate ? at(target, to) : 0);
      }
    }
  },
  layer_norm_backward_parameters: ({ f }, { rows, width, chunk }) => {
    const gain = f('gainPartial').fill(0);
    const offset = f('offsetPartial').fill(0);
    for (let r = 0; r < rows; r++) {
      const mean = at(f('statistics'), 2 * r);
      const rstd = at(f('statistics'), 2 * r + 1);
      for (let c = 0; c < width; c++) {
        const to = Math.floor(r / chunk) * width + c;
        const gradient = at(f('gradient'), r * width + c);
        gain[to] = at(gain, to) + gradient * (at(f('input'), r * width + c) - mean) * rstd;
        offset[to] = at(offset, to) + gradient;
      }
    }
  },
  rms_norm_forward: ({ f }, { rows, width, epsilon }) => {
    const input = f('input');
    const output = f('output');
    const statistics = f('statistics');
    for (let r = 0; r < rows; r++) {
      const x = (c: number) => at(input, r * width + c);
      const scale = 1 / Math.sqrt(meanOf(width, (c) => x(c) ** 2) + epsilon);
      for (let c = 0; c < width; c++) output[r * width + c] = x(c) * scale * at(f('gain'), c);
      statistics[r] = scale;
    }
  },
  rms_norm_backward_input: ({ f }, { rows, width, accumulate }) => {
    const target = f('inputGradient');
    for (let r = 0; r < rows; r++) {
      const scale = at(f('statistics'), r);
      const x = (c: number) => at(f('input'), r * width + c);
      const h = (c: number) => at(f('gain'), c) * at(f('gradient'), r * width + c);
      const shrink = scale ** 2 * meanOf(width, (c) => h(c) * x(c));
      for (let c = 0; c < width; c++) {
        const to = r * width + c;
        target[to] = scale * (h(c) - x(c) * shrink) + (accumulate ? at(target, to) : 0);
      }
    }
  },
  rms_norm_backward_parameters: ({ f }, { rows, width, chunk }) => {
    const gain = f('gainPartial').fill(0);
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < width; c++) {
        const to = Math.floor(r / chunk) * width + c;
        const from = r * width + c;
        const term = at(f('gradient'), from) * at(f('input'), from) * at(f('statistics'), r);
        gain[to] = at(gain, to) + term;
      }
    }
  },
} satisfies Partial<ReferenceKernels>;

function meanOf(width: number, term: (column: number) => number): number {
  let sum = 0;
  for (let c = 0; c < width; c++) sum += term(c);
  return sum / width;
}
