import { at, type ReferenceKernels } from './views.ts';

export const distillationKernels = {
  distillation_forward: ({ f, u }, { rows, width, temperature, blend }) => {
    const [losses, scale] = [f('losses'), f('scale')];
    for (let r = 0; r < rows; r++) {
      const logits = f('logits').subarray(r * width, (r + 1) * width);
      const teacher = f('teacher').subarray(r * width, (r + 1) * width);
      const softened = logits.map((z) => z / temperature);
      const [hard, soft] = [logSumExp(logits), logSumExp(softened)];
      const agreement = teacher.reduce((sum, q, c) => sum + q * at(softened, c), 0);
      const hit = at(logits, Math.min(at(u('targets'), r), width - 1));
      losses[r] = (1 - blend) * (hard - hit) + blend * temperature ** 2 * (soft - agreement);
      scale[2 * r] = hard;
      scale[2 * r + 1] = soft;
    }
  },
  distillation_backward: ({ f, u }, { rows, width, temperature, blend }) => {
    const [logits, teacher, scale] = [f('logits'), f('teacher'), f('scale')];
    const target = f('logitsGradient');
    for (let i = 0; i < rows * width; i++) {
      const r = Math.floor(i / width);
      const isHit = i % width === Math.min(at(u('targets'), r), width - 1);
      const hard = Math.exp(at(logits, i) - at(scale, 2 * r)) - (isHit ? 1 : 0);
      const soft = Math.exp(at(logits, i) / temperature - at(scale, 2 * r + 1)) - at(teacher, i);
      target[i] = ((1 - blend) * hard + blend * temperature * soft) / rows;
    }
  },
  softmax_rows: ({ f }, { rows, width, temperature }) => {
    for (let r = 0; r < rows; r++) {
      const softened = f('logits')
        .subarray(r * width, (r + 1) * width)
        .map((z) => z / temperature);
      const scale = logSumExp(softened);
      f('output').set(
        softened.map((z) => Math.exp(z - scale)),
        r * width,
      );
    }
  },
} satisfies Partial<ReferenceKernels>;

function logSumExp(row: Float64Array): number {
  const largest = row.reduce((a, b) => Math.max(a, b), -Infinity);
  return largest + Math.log(row.reduce((sum, z) => sum + Math.exp(z - largest), 0));
}
