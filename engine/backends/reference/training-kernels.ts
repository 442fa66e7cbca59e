import { at, type ReferenceKernels } from './views.ts';
import { philox } from '../../random/philox.ts';

const CONTINUES = 0x80000000;

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

function logSumExp(row: Float64Array): number {
  const largest = row.reduce((a, b) => Math.max(a, b), -Infinity);
  return largest + Math.log(row.reduce((sum, z) => sum + Math.exp(z - largest), 0));
}

/** One of the four standard normal numbers of a draw (Box & Muller 1958). */
function normalFrom(words: Uint32Array, place: number): number {
  const pair = place - (place % 2);
  const radius = Math.sqrt(-2 * Math.log((at(words, pair) + 0.5) * 2 ** -32));
  const angle = (2 * Math.PI * (at(words, pair + 1) >>> 8)) / 2 ** 24;
  return radius * (place % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
}

export const trainingKernels = {
  embedding_forward: ({ f, u }, { rows, width, vocabulary }) => {
    const ids = u('ids');
    const table = f('table');
    const output = f('output');
    for (let r = 0; r < rows; r++) {
      const token = Math.min(at(ids, r), vocabulary - 1);
      for (let c = 0; c < width; c++) output[r * width + c] = at(table, token * width + c);
    }
  },
  token_chain: ({ u }, { rows }) => {
    const ids = u('ids');
    const chain = u('chain');
    const following = new Map<number, number>();
    for (let r = rows - 1; r >= 0; r--) {
      const token = at(ids, r);
      const isFirst = ids.indexOf(token) === r;
      chain[r] = ((following.get(token) ?? rows) | (isFirst ? 0 : CONTINUES)) >>> 0;
      following.set(token, r);
    }
  },
  embedding_backward: ({ f, u }, { rows, width, vocabulary }) => {
    const ids = u('ids');
    const gradient = f('gradient');
    const table = f('tableGradient');
    for (let r = 0; r < rows; r++) {
      const token = at(ids, r);
      if (token >= vocabulary) continue;
      for (let c = 0; c < width; c++) {
        const to = token * width + c;
        table[to] = at(table, to) + at(gradient, r * width + c);
      }
    }
  },
  position_forward: ({ f }, { rows, width, sequence }) => {
    const output = f('output');
    for (let i = 0; i < rows * width; i++) {
      output[i] = at(f('input'), i) + at(f('table'), i % (sequence * width));
    }
  },
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
