import type { Source } from '../random.ts';
import { type Case, type CaseMakers, numbers, u32 } from './operands.ts';

/** Tokens that repeat, and one outside the table. */
export const embeddingCases = {
  embedding_forward: (size, from) => [embeddingCase('embedding_forward', size, from)],
  embedding_backward: (size, from) => {
    const { attributes, operands } = embeddingCase('embedding_forward', size, from);
    const { rows, width } = attributes;
    return [
      {
        name: 'backward',
        kernel: 'embedding_backward',
        operands: {
          ids: operands.ids,
          chain: u32([rows], chainOf(operands.ids.data as Uint32Array)),
          gradient: numbers([rows, width], from),
          tableGradient: numbers(operands.table.shape as number[], from),
        },
        attributes,
      },
    ];
  },
  token_chain: (rows, from) => [
    {
      name: 'chain',
      kernel: 'token_chain',
      operands: {
        ids: u32([rows], from.integers(rows, 9)),
        chain: u32([rows], new Uint32Array(rows)),
      },
      attributes: { rows },
    },
  ],
} satisfies Partial<CaseMakers>;

function embeddingCase(
  kernel: 'embedding_forward',
  size: number,
  from: Source,
): Case<'embedding_forward'> {
  const [rows, width, vocabulary] = [size, 5, 11];
  return {
    name: 'embedding, one id outside',
    kernel,
    operands: {
      ids: u32([rows], from.integers(rows, vocabulary + 1)),
      table: numbers([vocabulary, width], from),
      output: numbers([rows, width], from),
    },
    attributes: { rows, width, vocabulary },
  };
}

/** The chain as its kernel's head describes it, written down independently of both backends. */
function chainOf(ids: Uint32Array): Uint32Array {
  return ids.map((token, row) => {
    const later = ids.indexOf(token, row + 1);
    const isFirst = ids.indexOf(token) === row;
    return ((later < 0 ? ids.length : later) | (isFirst ? 0 : 0x80000000)) >>> 0;
  });
}
