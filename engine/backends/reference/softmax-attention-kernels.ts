import { at, type ReferenceKernels } from './views.ts';

interface Axes {
  readonly batch: number;
  readonly sequence: number;
  readonly heads: number;
}

interface Pair {
  /** First row of the sequence. */
  readonly start: number;
  readonly head: number;
  /** Positions of the query and of a key that is not after it. */
  readonly i: number;
  readonly j: number;
  /** Where their score lies. */
  readonly score: number;
}

function eachPair({ batch, sequence, heads }: Axes, visit: (pair: Pair) => void): void {
  for (let s = 0; s < batch; s++) {
    for (let head = 0; head < heads; head++) {
      for (let i = 0; i < sequence; i++) {
        const row = ((s * heads + head) * sequence + i) * sequence;
        for (let j = 0; j <= i; j++) visit({ start: s * sequence, head, i, j, score: row + j });
      }
    }
  }
}

export const softmaxAttentionKernels = {
  attention_scores: ({ f, optional }, attributes) => {
    const { headWidth, factor, queryStride, queryOffset, keyStride, keyOffset } = attributes;
    const queries = f('queries');
    const keys = optional('keys') ?? queries;
    const scores = f('scores').fill(0);
    eachPair(attributes, ({ start, head, i, j, score }) => {
      const query = (start + i) * queryStride + queryOffset + head * headWidth;
      const key = (start + j) * keyStride + keyOffset + head * headWidth;
      let sum = 0;
      for (let d = 0; d < headWidth; d++) sum += at(queries, query + d) * at(keys, key + d);
      scores[score] = factor * sum;
    });
  },
  causal_softmax_forward: ({ f }, { rows, width }) => {
    for (let r = 0; r < rows; r++) {
      const row = f('weights').subarray(r * width, (r + 1) * width);
      const seen = row.subarray(0, (r % width) + 1);
      const largest = seen.reduce((a, b) => Math.max(a, b), -Infinity);
      const powers = seen.map((score) => Math.exp(score - largest));
      const total = powers.reduce((a, b) => a + b, 0);
      row.fill(0).set(powers.map((power) => power / total));
    }
  },
  causal_softmax_backward: ({ f }, { rows, width }) => {
    for (let r = 0; r < rows; r++) {
      const weights = f('weights').subarray(r * width, (r + 1) * width);
      const gradient = f('scoreGradient').subarray(r * width, (r + 1) * width);
      const seen = (r % width) + 1;
      let mean = 0;
      for (let j = 0; j < seen; j++) mean += at(weights, j) * at(gradient, j);
      for (let j = 0; j < width; j++) {
        gradient[j] = j < seen ? at(weights, j) * (at(gradient, j) - mean) : 0;
      }
    }
  },
  attention_values: ({ f }, attributes) => {
    const { batch, sequence, heads, headWidth, factor, transpose } = attributes;
    const { valueStride, valueOffset, outputStride, outputOffset } = attributes;
    const output = f('output');
    const placeOf = (row: number, head: number) =>
      row * outputStride + outputOffset + head * headWidth;
    for (let row = 0; row < batch * sequence; row++) {
      const first = placeOf(row, 0);
      output.fill(0, first, first + heads * headWidth);
    }
    eachPair(attributes, ({ start, head, i, j, score }) => {
      const [to, from] = transpose ? [j, i] : [i, j];
      const value = (start + from) * valueStride + valueOffset + head * headWidth;
      const place = placeOf(start + to, head);
      const weight = factor * at(f('weights'), score);
      for (let d = 0; d < headWidth; d++) {
        output[place + d] = at(output, place + d) + weight * at(f('values'), value + d);
      }
    });
  },
} satisfies Partial<ReferenceKernels>;
