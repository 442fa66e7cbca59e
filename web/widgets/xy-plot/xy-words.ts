import type { Curve } from '../../../engine/pictures.ts';
import type { TableData } from '../chart/table-data.ts';
import type { ChartText } from '../chart/chart-text.ts';

/** Name of an axis. */
export interface AxisWords {
  /** Name and unit, as it stands at the axis. */
  readonly label: string;
  /** A value with its unit. */
  readonly write: (value: number) => string;
}

interface XyWords {
  readonly names: readonly string[];
  readonly x: AxisWords;
  readonly y: AxisWords;
}

/** One sentence a curve that has points: its last value, and the lowest and the highest. */
export function describeCurves(
  { t }: ChartText,
  curves: readonly Curve[],
  words: XyWords,
): string[] {
  return curves.flatMap(({ y }, index) => {
    const known = Array.from(y).filter((value) => !Number.isNaN(value));
    const last = known.at(-1);
    const name = words.names[index];
    if (last === undefined || name === undefined) return [];
    const low = words.y.write(known.reduce((a, b) => Math.min(a, b)));
    const high = words.y.write(known.reduce((a, b) => Math.max(a, b)));
    return t('time.sentence', { name, value: words.y.write(last), low, high });
  });
}

/** Values at one point of a curve, and of the others that share its x. */
export function describePoint(
  { t, format }: ChartText,
  curves: readonly Curve[],
  words: XyWords,
  at: { readonly curve: number; readonly point: number },
): string {
  const read = curves[at.curve];
  if (!read) return '';
  const values = curves.flatMap((curve, index) => {
    const value = curve.y[at.point] ?? Number.NaN;
    const name = words.names[index];
    if (curve.x !== read.x || Number.isNaN(value) || name === undefined) return [];
    return t('series.value', { name, value: words.y.write(value) });
  });
  return t('time.reading', {
    at: words.x.write(read.x[at.point] ?? Number.NaN),
    values: values.length === 0 ? t('time.nothing') : format.list(values),
  });
}

/**
 * The points as rows: a column a curve where all share their x, else one row a point with its curve.
 * @param most rows at most; more are thinned out evenly
 */
export function curvesTable(
  curves: readonly Curve[],
  words: XyWords,
  most = Number.POSITIVE_INFINITY,
): TableData {
  const shared = curves[0]?.x;
  if (shared && curves.every(({ x }) => x === shared)) {
    return {
      columns: [words.x.label, ...words.names.slice(0, curves.length)],
      rows: thinned(shared.length, most).map((point) => [
        cell(shared[point]),
        ...curves.map(({ y }) => cell(y[point])),
      ]),
    };
  }
  const points = curves.flatMap(({ x, y }, index) =>
    thinned(x.length, most / curves.length).map((point) => [
      words.names[index] ?? '',
      cell(x[point]),
      cell(y[point]),
    ]),
  );
  return { columns: ['', words.x.label, words.y.label], rows: points };
}

/** At most `most` of the indices below `length`, evenly. */
function thinned(length: number, most: number): number[] {
  const every = Math.max(1, Math.ceil(length / most));
  return Array.from({ length: Math.ceil(length / every) }, (_, row) => row * every);
}

const cell = (value = Number.NaN) =>
  Number.isNaN(value) ? '' : String(Number(value.toPrecision(6)));
