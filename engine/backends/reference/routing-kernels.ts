import { byteWords } from '../../graph/tensor.ts';
import { parseSlot } from '../../kernels/slots.ts';
import { bytesOf } from './sparse-kernels.ts';
import { at, type ReferenceKernels } from './views.ts';

/** The score of a candidate that is the target itself: its share is 0. */
const EXCLUDED = -1e30;

/** One expert is gated by the sigmoid of its score, several share by softmax. */
function gatesOf(scores: readonly number[]): number[] {
  if (scores.length === 1) return scores.map((score) => 1 / (1 + Math.exp(-score)));
  return softmax(scores);
}

function softmax(scores: readonly number[]): number[] {
  const weights = scores.map((score) => Math.exp(score - Math.max(...scores)));
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / sum);
}

/** Counts a token in the state of a router; its rate, 0 where it is masked. */
function countToken(
  state: Float64Array,
  { isThere, memory }: { readonly isThere: boolean; readonly memory: number },
): number {
  if (!isThere) return 0;
  const count = Math.min(memory, at(state, state.length - 1) + 1);
  state[state.length - 1] = count;
  return 1 / count;
}

/** Gradient of the means of a token by `factor sum_e load_e softmax_e`. */
function balanceGradient(means: readonly number[], load: Float64Array, factor: number): number[] {
  const shares = softmax(means);
  const mixed = shares.reduce((sum, share, e) => sum + share * at(load, e), 0);
  return shares.map((share, e) => factor * share * (at(load, e) - mixed));
}

/** Gradient of the scores of the chosen experts from that of their gates. */
function gateSlopes(scores: readonly number[], backs: readonly number[]): number[] {
  const gates = gatesOf(scores);
  const inner = gates.reduce((sum, gate, k) => sum + gate * (backs[k] ?? 0), 0);
  return gates.map((gate, k) => {
    const back = backs[k] ?? 0;
    return gates.length === 1 ? gate * (1 - gate) * back : gate * (back - inner);
  });
}

export const routingKernels = {
  route_forward: ({ f, u, optionalWords }, { rows, active, experts, sequence, memory }) => {
    const [scores, means, mask] = [f('scores'), f('means'), optionalWords('mask')];
    for (let row = 0; row < rows; row++) {
      const { slot, isFresh } = parseSlot(at(u('slots'), Math.floor(row / sequence)));
      const state = f('state').subarray(slot * (experts + 1), (slot + 1) * (experts + 1));
      if (isFresh && row % sequence === 0) state.fill(0);
      const isThere = mask === undefined || at(mask, row) !== 0;
      const rate = countToken(state, { isThere, memory });
      const own = means.subarray(row * (experts + 1), (row + 1) * (experts + 1));
      own[experts] = rate;
      const ranked = Array.from({ length: experts }, (_, e) => {
        const mean = at(state, e) + rate * (at(scores, row * experts + e) - at(state, e));
        state[e] = mean;
        own[e] = mean;
        return { e, mean };
      }).toSorted((a, b) => b.mean - a.mean || a.e - b.e);
      const chosen = ranked.slice(0, active);
      const gates = gatesOf(chosen.map(({ mean }) => mean));
      for (const [k, { e }] of chosen.entries()) {
        u('experts')[k * rows + row] = isThere ? e : experts;
        f('gates')[k * rows + row] = isThere ? (gates[k] ?? Number.NaN) : 0;
      }
    }
  },
  running_mean_forward: ({ f, u }, { rows, width, sequence }) => {
    const [input, output, rates] = [f('input'), f('output'), f('rates')];
    for (let row = 0; row < rows; row++) {
      const { slot, isFresh } = parseSlot(at(u('slots'), Math.floor(row / sequence)));
      const state = f('state').subarray(slot * (width + 1), (slot + 1) * (width + 1));
      if (isFresh && row % sequence === 0) state.fill(0);
      const isThere = at(u('mask'), row) !== 0;
      if (isThere) state[width] = at(state, width) + 1;
      const rate = isThere ? 1 / at(state, width) : 0;
      rates[row] = rate;
      for (let n = 0; n < width; n++) {
        const mean = at(state, n) + rate * (at(input, row * width + n) - at(state, n));
        state[n] = mean;
        output[row * width + n] = mean;
      }
    }
  },
  expert_load: ({ f, u }, { rows, active }) => {
    const load = f('load').fill(0);
    for (const expert of u('experts')) {
      if (expert < load.length) load[expert] = at(load, expert) + 1 / (active * rows);
    }
  },
  route_backward: ({ f, u }, { rows, active, experts, sequence, balance }) => {
    const [means, load, scoreGradient] = [f('means'), f('load'), f('scoreGradient')];
    const later = new Float64Array(experts);
    for (let row = rows - 1; row >= 0; row--) {
      const own = means.subarray(row * (experts + 1), row * (experts + 1) + experts);
      const events = Array.from({ length: active }, (_, k) => k * rows + row);
      const chosen = events.map((event) => at(u('experts'), event));
      const backs = events.map((event) => at(f('gateGradient'), event));
      const gradient = balanceGradient([...own], load, (balance * experts) / rows);
      for (const [k, slope] of gateSlopes(
        chosen.map((e) => at(own, e)),
        backs,
      ).entries()) {
        const e = chosen[k] ?? 0;
        gradient[e] = (gradient[e] ?? 0) + slope;
      }
      const rate = at(means, row * (experts + 1) + experts);
      const isLast = row % sequence === sequence - 1;
      const kept = isLast ? 0 : 1 - at(means, (row + 1) * (experts + 1) + experts);
      for (let e = 0; e < experts; e++) {
        const direct = rate > 0 ? (gradient[e] ?? 0) : 0;
        const whole = direct + (isLast ? 0 : kept * at(later, e));
        later[e] = whole;
        scoreGradient[row * experts + e] = rate * whole;
      }
    }
  },
  expert_mask_forward: ({ f, u }, { rows, active, experts, rank }) => {
    const [input, output, width] = [f('input'), f('output'), experts * rank];
    for (let i = 0; i < active * rows * width; i++) {
      const [event, place] = [Math.floor(i / width), i % width];
      const isOwn = Math.floor(place / rank) === at(u('experts'), event);
      output[i] = isOwn ? at(input, (event % rows) * width + place) : 0;
    }
  },
  expert_mask_backward: ({ f, u }, { rows, active, experts, rank, accumulate }) => {
    const [gradient, target, width] = [f('gradient'), f('inputGradient'), experts * rank];
    if (!accumulate) target.fill(0);
    for (let i = 0; i < active * rows * width; i++) {
      const [event, place] = [Math.floor(i / width), i % width];
      if (Math.floor(place / rank) !== at(u('experts'), event)) continue;
      const to = (event % rows) * width + place;
      target[to] = at(target, to) + at(gradient, i);
    }
  },
  codebook_rows: ({ f, u }, { rows, vocabulary, rank, scale }) => {
    const [output, bytes, stride] = [f('output'), bytesOf(u('codebook')), 4 * byteWords(rank)];
    for (let i = 0; i < rows * rank; i++) {
      const id = Math.min(vocabulary - 1, at(u('ids'), Math.floor(i / rank)));
      output[i] = scale * (bytes[id * stride + (i % rank)] ?? Number.NaN);
    }
  },
  candidate_join_forward: ({ f, u }, { rows, drawn, rank, correction }) => {
    const logits = f('logits');
    for (let row = 0; row < rows; row++) {
      let own = 0;
      for (let r = 0; r < rank; r++) {
        own += at(f('query'), row * rank + r) * at(f('codes'), row * rank + r);
      }
      logits[row * (drawn + 1)] = own;
      for (let n = 0; n < drawn; n++) {
        const isTarget = at(u('candidates'), n) === at(u('targets'), row);
        const score = at(f('scores'), row * drawn + n) + correction;
        logits[row * (drawn + 1) + n + 1] = isTarget ? EXCLUDED : score;
      }
    }
  },
  candidate_join_backward: ({ f }, { rows, drawn, rank, accumulate }) => {
    const [gradient, scores, query] = [f('gradient'), f('scoreGradient'), f('queryGradient')];
    for (let row = 0; row < rows; row++) {
      const from = row * (drawn + 1);
      for (let n = 0; n < drawn; n++) scores[row * drawn + n] = at(gradient, from + n + 1);
      for (let i = row * rank; i < (row + 1) * rank; i++) {
        query[i] = (accumulate ? at(query, i) : 0) + at(gradient, from) * at(f('codes'), i);
      }
    }
  },
} satisfies Partial<ReferenceKernels>;
