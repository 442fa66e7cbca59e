import type { Distribution } from './distribution.ts';
import type { Rollup, TimedValue } from './rollup.ts';
import type { Value } from './sample.ts';

/** A raw sample of a series. */
export interface Point extends TimedValue {
  readonly series: number;
}

/** The rollups of one metric's series in one stretch of time. */
type SeriesRollups = ReadonlyMap<number, Rollup>;

// The text of a block is { le, rows }: JSON, with each list of bucket bounds written once. JSON has no
// NaN and no Infinity, so they are texts, which Number reads back.

type Cell = number | string;
type Packed = Cell | readonly [le: number, ...rest: readonly unknown[]];

/** No block grows past this: SQLite takes values of up to 2 MB here. */
const PART_CHARS = 400_000;

/** Raw samples as the texts of as many blocks as they need. */
export const encodePoints = (points: readonly Point[]): readonly string[] =>
  encode(points, (packed) => ({ series, at, value }: Point) => [series, at, packed(value)]);

export function decodePoints(text: string): readonly Point[] {
  return decode(text, ([series, at, value], valueOf) => ({
    series: Number(series),
    at: Number(at),
    value: valueOf(value),
  }));
}

export const encodeRollups = (rollups: SeriesRollups): readonly string[] =>
  encode([...rollups], (packed) => ([series, rollup]: readonly [number, Rollup]) => {
    const { n, firstAt, lastAt } = rollup;
    const head = [series, n, firstAt, lastAt, packed(rollup.first), packed(rollup.last)];
    if (rollup.kind === 'distribution') return [...head, packed(rollup.increase)];
    const { increase, min, max, sum } = rollup;
    return [...head, packed(increase), packed(min), packed(max), packed(sum)];
  });

export function decodeRollups(text: string): SeriesRollups {
  return new Map(
    decode(text, ([series, n, firstAt, lastAt, ...values], valueOf) => {
      const stretch = { n: Number(n), firstAt: Number(firstAt), lastAt: Number(lastAt) };
      const [first = 0, last = 0, increase = 0, min, max, sum] = values.map(valueOf);
      const isDistribution =
        typeof first === 'object' && typeof last === 'object' && typeof increase === 'object';
      const rollup: Rollup = isDistribution
        ? { kind: 'distribution', ...stretch, first, last, increase }
        : {
            kind: 'number',
            ...stretch,
            first: Number(first),
            last: Number(last),
            increase: Number(increase),
            min: Number(min),
            max: Number(max),
            sum: Number(sum),
          };
      return [Number(series), rollup] as const;
    }),
  );
}

type Pack = (value: Value) => Packed;

function encode<T>(
  items: readonly T[],
  rowOf: (pack: Pack) => (item: T) => readonly unknown[],
): readonly string[] {
  const bounds = new Map<string, number>();
  const boundsIndex = (le: readonly number[]): number => {
    const key = JSON.stringify(le);
    const known = bounds.get(key);
    if (known !== undefined) return known;
    bounds.set(key, bounds.size);
    return bounds.size - 1;
  };
  const row = rowOf((value) =>
    typeof value === 'number' ? cellOf(value) : pack(value, boundsIndex),
  );
  const parts: string[][] = [[]];
  let chars = 0;
  for (const item of items) {
    const text = JSON.stringify(row(item));
    chars += text.length;
    if (chars > PART_CHARS) {
      parts.push([]);
      chars = text.length;
    }
    parts.at(-1)?.push(text);
  }
  const le = [...bounds.keys()].join(',');
  return parts
    .filter((rows) => rows.length > 0)
    .map((rows) => `{"le":[${le}],"rows":[${rows.join(',')}]}`);
}

function pack(
  { le, counts, count, sum, quantiles }: Distribution,
  boundsIndex: (le: readonly number[]) => number,
): Packed {
  const packedQuantiles = quantiles?.map(([quantile, value]) => [quantile, cellOf(value)]);
  return [
    boundsIndex(le),
    counts,
    count,
    cellOf(sum),
    ...(packedQuantiles ? [packedQuantiles] : []),
  ];
}

function decode<T>(
  text: string,
  itemOf: (row: readonly Packed[], valueOf: (packed: Packed | undefined) => Value) => T,
): readonly T[] {
  const { le, rows } = JSON.parse(text) as { le: number[][]; rows: Packed[][] };
  return rows.map((row) => itemOf(row, (packed) => unpack(packed, le)));
}

function unpack(packed: Packed | undefined, bounds: readonly (readonly number[])[]): Value {
  if (typeof packed !== 'object') return Number(packed);
  const [index, counts, count, sum, packedQuantiles] = packed;
  return {
    le: bounds[index] ?? [],
    counts: counts as readonly number[],
    count: Number(count),
    sum: Number(sum),
    ...(Array.isArray(packedQuantiles) && { quantiles: packedQuantiles.map(quantileOf) }),
  };
}

const quantileOf = ([quantile, value]: readonly [number, Cell]) =>
  [quantile, Number(value)] as const;

const cellOf = (value: number): Cell => (Number.isFinite(value) ? value : String(value));
