import { at, type ReferenceKernels } from './views.ts';

export const lossKernels = {
  cross_entropy_forward: ({ f, u, optional }, { rows, width }) => {
    const weights = optional('weights');
    const logits = f('logits');
    const losses = f('losses');
    const scale = f('scale');
    for (let r = 0; r < rows; r++) {
      const row = logits.subarray(r * width, (r + 1) * width);
      const largest = row.reduce((a, b) => Math.max(a, b), -Infinity);
      const sum = row.reduce((total, logit) => total + Math.exp(logit - largest), 0);
      scale[r] = largest + Math.log(sum);
      const loss = at(scale, r) - at(row, Math.min(at(u('targets'), r), width - 1));
      losses[r] = (weights ? at(weights, r) : 1) * loss;
    }
  },
  cross_entropy_backward: ({ f, u, optional }, { rows, width }) => {
    const weights = optional('weights');
    const target = f('logitsGradient');
    for (let i = 0; i < rows * width; i++) {
      const r = Math.floor(i / width);
      const isHit = i % width === Math.min(at(u('targets'), r), width - 1);
      const probability = Math.exp(at(f('logits'), i) - at(f('scale'), r));
      target[i] = ((weights ? at(weights, r) : 1) * (probability - (isHit ? 1 : 0))) / rows;
    }
  },
  mean_loss: ({ f, u }, { rows, slots }) => {
    const total = f('losses').reduce((sum, loss) => sum + loss, 0);
    f('history')[at(u('clock'), 1) % slots] = total / rows;
  },
} satisfies Partial<ReferenceKernels>;
