import { at, type ReferenceKernels } from './views.ts';

const CONTINUES = 0x80000000;

export const embeddingKernels = {
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
} satisfies Partial<ReferenceKernels>;
