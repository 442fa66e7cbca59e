import { at, type ReferenceKernels } from './views.ts';

export const optimiserKernels = {
  squared_norm: ({ f }, { count, chunk }) => {
    const partial = f('partial').fill(0);
    for (let i = 0; i < count; i++) {
      const to = Math.floor(i / chunk);
      partial[to] = at(partial, to) + at(f('gradients'), i) ** 2;
    }
  },
  gradient_norm: ({ f, u }, { slots }) => {
    const squares = f('partial').reduce((sum, part) => sum + part, 0);
    const norm = Math.sqrt(squares);
    f('norms')[at(u('clock'), 1) % slots] = norm;
    const clipped = Math.min(1, at(f('rates'), 2) / (norm + 1e-6));
    f('scale')[0] = Number.isFinite(squares) ? clipped : -1;
  },
  adamw: ({ f }, { count, decayed, beta1, beta2, epsilon }) => {
    const scale = at(f('scale'), 0);
    if (scale < 0) return;
    const [rate = 0, decay = 0, , correction1 = 1, correction2 = 1] = f('rates');
    const parameters = f('parameters');
    const momentum = f('momentum');
    const variance = f('variance');
    for (let i = 0; i < count; i++) {
      const gradient = at(f('gradients'), i) * scale;
      const m = beta1 * at(momentum, i) + (1 - beta1) * gradient;
      const v = beta2 * at(variance, i) + (1 - beta2) * gradient ** 2;
      const shrunk = at(parameters, i) * (1 - (i < decayed ? rate * decay : 0));
      momentum[i] = m;
      variance[i] = v;
      parameters[i] = shrunk - (rate * (m / correction1)) / (Math.sqrt(v / correction2) + epsilon);
    }
  },
} satisfies Partial<ReferenceKernels>;
