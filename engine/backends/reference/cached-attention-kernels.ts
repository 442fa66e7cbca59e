import { at, type ReferenceKernels } from './views.ts';

export const cachedAttentionKernels = {
  cache_rows: ({ f, u }, { rows, width, stride, offset }) => {
    for (let row = 0; row < rows; row++) {
      const from = row * stride + offset;
      f('cache').set(f('source').subarray(from, from + width), at(u('cells'), row) * width);
    }
  },
  cached_attention: ({ f, u }, { rows, heads, headWidth, sequence, factor }) => {
    const width = heads * headWidth;
    const [qkv, cache] = [f('qkv'), f('cache')];
    const output = f('output').fill(0);
    for (let item = 0; item < rows * heads; item++) {
      const [row, head] = [Math.floor(item / heads), item % heads];
      const cell = at(u('cells'), row);
      const first = cell - (cell % sequence);
      const query = row * 3 * width + head * headWidth;
      const place = (j: number) => (first + j) * 2 * width + head * headWidth;
      const scores = Array.from({ length: cell - first + 1 }, (_, j) => {
        let sum = 0;
        for (let d = 0; d < headWidth; d++) sum += at(qkv, query + d) * at(cache, place(j) + d);
        return factor * sum;
      });
      const largest = Math.max(...scores);
      const powers = scores.map((score) => Math.exp(score - largest));
      const total = powers.reduce((a, b) => a + b, 0);
      for (const [j, power] of powers.entries()) {
        for (let d = 0; d < headWidth; d++) {
          const to = row * width + head * headWidth + d;
          output[to] = at(output, to) + (power / total) * at(cache, place(j) + width + d);
        }
      }
    }
  },
  signed_drive: ({ f }, { rows, width, offset }) => {
    const drive = f('drive');
    for (let i = 0; i < rows * width; i++) {
      const [row, feature] = [Math.floor(i / width), i % width];
      const share = at(f('input'), i) / at(f('range'), feature);
      drive[row * 2 * width + feature] = share + offset;
      drive[row * 2 * width + width + feature] = offset - share;
    }
  },
} satisfies Partial<ReferenceKernels>;
