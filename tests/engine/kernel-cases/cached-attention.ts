import { type CaseMakers, numbers, rowShapes, u32 } from './operands.ts';

/** Tokens that read and write the cells of a cache in no order. */
export const cachedAttentionCases = {
  cache_rows: (size, from) =>
    rowShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'cache_rows',
      operands: {
        source: numbers([rows, width + 9], from),
        // All of them in turn, the last first.
        cells: u32(
          [rows],
          Uint32Array.from({ length: rows }, (_, r) => rows - r),
        ),
        cache: numbers([rows + 2, width], from),
      },
      attributes: { rows, width, stride: width + 9, offset: 7 },
    })),
  // A first token, a last one, and more places than a workgroup has lanes.
  cached_attention: (size, from) =>
    [
      { rows: Math.min(size, 65), sequence: 9, heads: 3, headWidth: 5 },
      { rows: 4, sequence: Math.min(size, 150), heads: 2, headWidth: 8 },
      { rows: 2, sequence: 7, heads: 1, headWidth: Math.min(size, 150) },
    ].map((axes) => {
      const { rows, sequence, heads, headWidth } = axes;
      const [slots, width] = [3, heads * headWidth];
      const cells = from.integers(rows, slots * sequence);
      cells[0] = sequence;
      cells[1] = 2 * sequence - 1;
      return {
        name: JSON.stringify(axes),
        kernel: 'cached_attention' as const,
        operands: {
          qkv: numbers([rows, 3 * width], from, -3, 3),
          cells: u32([rows], cells.slice(0, rows)),
          cache: numbers([slots * sequence, 2 * width], from, -3, 3),
          output: numbers([rows, width], from),
        },
        attributes: { ...axes, factor: headWidth ** -0.5 },
      };
    }),
  signed_drive: (size, from) =>
    rowShapes(size).map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'signed_drive',
      operands: {
        input: numbers([rows, width], from, -2, 2),
        range: numbers([width], from, 0.5, 3),
        drive: numbers([rows, 2 * width], from),
      },
      attributes: { rows, width, offset: 0.125 },
    })),
} satisfies Partial<CaseMakers>;
