import { bits, both, type CaseMakers, emptyBits, numbers, u32 } from './operands.ts';

/** Products and the bits that feed them. */
export const linearCases = {
  linear_forward: (size, from) =>
    products(size, both).map(({ rows, columns, depth, variant: epilogue }) => ({
      name: `${rows} x ${depth} x ${columns}, epilogue ${epilogue}`,
      kernel: 'linear_forward',
      operands: {
        input: numbers([rows, depth], from),
        weight: numbers([depth, columns], from),
        output: numbers([rows, columns], from),
        ...(epilogue && {
          bias: numbers([columns], from),
          residual: numbers([Math.ceil(rows / 2), columns], from),
        }),
      },
      attributes: { rows, columns, depth, residualRows: Math.ceil(rows / 2) },
    })),
  linear_backward_input: (size, from) =>
    products(size, both).map(({ rows, columns, depth, variant: accumulate }) => ({
      name: `${rows} x ${depth} x ${columns}, accumulate ${accumulate}`,
      kernel: 'linear_backward_input',
      operands: {
        gradient: numbers([rows, depth], from),
        weight: numbers([columns, depth], from),
        inputGradient: numbers([rows, columns], from),
      },
      attributes: { rows, columns, depth, accumulate },
    })),
  // A reach beyond every membrane: what is left out elsewhere is each backend's own choice.
  linear_backward_spikes: (size, from) =>
    products(size, both).map(({ rows, columns, depth, variant: accumulate }) => ({
      name: `2 x ${rows} x ${depth} x ${columns}, accumulate ${accumulate}`,
      kernel: 'linear_backward_spikes',
      operands: {
        gradient: numbers([2 * rows, depth], from),
        weight: numbers([columns, depth], from),
        inputGradient: numbers([2 * rows, columns], from),
        current: numbers([2, rows, columns], from),
      },
      attributes: {
        ...{ rows: 2 * rows, columns, depth, accumulate },
        ...{ steps: 2, currentSteps: 2, beta: 0.9, threshold: 1, reach: 1000 },
      },
    })),
  linear_backward_weight: (size, from) =>
    products(size, both).map(({ rows, columns, depth, variant: accumulate }) => ({
      name: `${rows} x ${depth} x ${columns}, accumulate ${accumulate}`,
      kernel: 'linear_backward_weight',
      operands: {
        input: numbers([depth, rows], from),
        gradient: numbers([depth, columns], from),
        weightGradient: numbers([rows, columns], from),
      },
      attributes: { rows, columns, depth, accumulate },
    })),
  spike_linear_forward: (size, from) =>
    products(size, [0, 0.2, 1]).map(({ rows, columns, depth, variant: density }) => ({
      name: `${rows} x ${depth} x ${columns}, density ${density}`,
      kernel: 'spike_linear_forward',
      operands: {
        spikes: bits([rows, depth], from, density),
        weight: numbers([depth, columns], from),
        output: numbers([rows, columns], from),
        ...(density > 0 && {
          bias: numbers([columns], from),
          residual: numbers([rows, columns], from),
        }),
      },
      attributes: { rows, columns, depth, residualRows: rows, accumulate: density === 0.2 },
    })),
  spike_linear_int8: (size, from) =>
    products(size, [0.2, 1]).map(({ rows, columns, depth, variant: density }) => ({
      name: `${rows} x ${depth} x ${columns}, density ${density}`,
      kernel: 'spike_linear_int8',
      operands: {
        spikes: bits([rows, depth], from, density),
        weight: u32(
          [depth, Math.ceil(columns / 4)],
          from.integers(depth * Math.ceil(columns / 4), 2 ** 32),
        ),
        scale: numbers([columns], from, 0, 1 / 127),
        output: numbers([rows, columns], from),
        ...(density < 1 && {
          bias: numbers([columns], from),
          residual: numbers([Math.ceil(rows / 2), columns], from),
        }),
      },
      attributes: { rows, columns, depth, residualRows: Math.ceil(rows / 2) },
    })),
  transpose_bits: (size, from) =>
    [
      { rows: size, width: 70 },
      { rows: 33, width: size },
    ].map(({ rows, width }) => ({
      name: `${rows} rows of ${width}`,
      kernel: 'transpose_bits',
      operands: { spikes: bits([rows, width], from), transposed: emptyBits([width, rows]) },
      attributes: { rows, width },
    })),
} satisfies Partial<CaseMakers>;

/** Sizes beside and on the edge of a tile. */
const EDGES = [1, 63, 64, 65];

/**
 * Every edge in every axis of the product, over the sizes: all three axes of a case are edges, as each
 * shape is a pipeline of its own and compiling it is what takes the time. For the same reason the
 * variants, which no edge matters to, take the shapes in turn. A longer size takes each axis in turn,
 * beside odd ones and a width of whole quads.
 */
function products<V>(size: number, variants: readonly V[]) {
  const turn = (i: number) => variants[i % variants.length]!;
  const at = EDGES.indexOf(size);
  if (at >= 0) {
    const edge = (i: number) => EDGES[i % EDGES.length]!;
    return variants.slice(1).map((_, i) => ({
      rows: size,
      columns: edge(at + 1 + i),
      depth: edge(at + 2 + 2 * i),
      variant: turn(at + i),
    }));
  }
  return [
    { rows: size, columns: 5, depth: 33, variant: turn(0) },
    { rows: 17, columns: size, depth: 12, variant: turn(1) },
    { rows: 9, columns: 12, depth: size, variant: turn(2) },
  ];
}
