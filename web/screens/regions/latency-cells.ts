import type { LatencyMatrix, LatencySource } from '../../../edge/geo/contract/latency.ts';

/** The way from one region to another, one way. */
export interface LatencyCell {
  readonly from: string;
  readonly to: string;
  readonly ms: number;
  readonly source: LatencySource;
}

/** `[row][column]`, both in the order of `ids`; undefined where the matrix has nothing. */
export type LatencyCells = readonly (readonly (LatencyCell | undefined)[])[];

export function cellsOf({ matrix, sources }: LatencyMatrix): LatencyCells {
  const ids = Object.keys(matrix);
  return ids.map((from) =>
    ids.map((to) => {
      const ms = matrix[from]?.[to];
      const source = sources[from]?.[to] ?? 'estimated';
      return ms === undefined ? undefined : { from, to, ms, source };
    }),
  );
}

/** The ways between two different regions. */
export const waysIn = (cells: LatencyCells): readonly LatencyCell[] =>
  cells.flat().flatMap((cell) => (cell && cell.from !== cell.to ? [cell] : []));

const MOVES: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

export interface Spot {
  readonly row: number;
  readonly column: number;
}

/** Where a key moves to in a square of `size`, or undefined where it means nothing here. */
export function moved(key: string, { row, column }: Spot, size: number): Spot | undefined {
  if (key === 'Home') return { row, column: 0 };
  if (key === 'End') return { row, column: size - 1 };
  const move = MOVES[key];
  if (!move) return undefined;
  const within = (at: number) => Math.min(size - 1, Math.max(0, at));
  return { row: within(row + move[0]), column: within(column + move[1]) };
}
