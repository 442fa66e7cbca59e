import { at, type ReferenceKernels } from './views.ts';
import { philox } from '../../random/philox.ts';

const CONTINUES = 0x80000000;

/** One of the four standard normal numbers of a draw (Box & Muller 1958). */
function normalFrom(words: Uint32Array, place: number): number {
  const pair = place - (place % 2);
  const radius = Math.sqrt(-2 * Math.log((at(words, pair) + 0.5) * 2 ** -32));
  const angle = (2 * Math.PI * (at(words, pair + 1) >>> 8)) / 2 ** 24;
  return radius * (place % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
}

export const trainingKernels = {
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
