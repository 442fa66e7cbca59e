import { drawCurves, type Level, SERIES_DASHES, svgPicture } from '../../engine/pictures.ts';

/** A curve over steps, which ascend. */
export interface Curve {
  readonly name: string;
  readonly points: readonly (readonly [step: number, value: number])[];
}

export const CHART = { width: 640, height: 280 } as const;

/** Curves of one chart at most: as many as have a colour and a dash, and fewer where their names are long. */
const curvesOfChart = (curves: readonly Curve[]): number =>
  curves.some(({ name }) => name.length > SHORT_NAME) ? LONG_NAMED_CURVES : SERIES_DASHES.length;
const SHORT_NAME = 8;
const LONG_NAMED_CURVES = 4;

/** Letters of a name above a chart. */
const MAX_NAME = 24;

/**
 * Draws curves of a metric as SVG, with levels to compare them with: a deep network or many runs in several pictures.
 * Left out are those where no curve has a finite value.
 */
export const chartsOf = (
  metric: string,
  curves: readonly Curve[],
  levels: readonly Level[] = [],
): readonly string[] => {
  const size = curvesOfChart(curves);
  return Array.from({ length: Math.ceil(curves.length / size) }, (_, part) =>
    chartOf(metric, curves.slice(part * size, (part + 1) * size), levels),
  ).filter((chart) => chart !== undefined);
};

function chartOf(
  metric: string,
  curves: readonly Curve[],
  levels: readonly Level[],
): string | undefined {
  const drawn = curves.map(
    ({ name, points }) => [name, points.filter(([, y]) => Number.isFinite(y))] as const,
  );
  if (drawn.every(([, points]) => points.length === 0)) return undefined;
  const placed = drawn.map(([name, points]) => [
    shortened(name),
    { x: points.map(([step]) => step), y: points.map(([, value]) => value) },
  ]);
  return svgPicture((context) => drawCurves(context, Object.fromEntries(placed), { levels }), {
    ...CHART,
    title: metric,
  });
}

/** In few columns. */
export const shortNumber = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < 1e6
    ? String(value)
    : String(Number(value.toPrecision(4)));

/** Ends tell names apart more often than beginnings. */
const shortened = (name: string): string =>
  name.length > MAX_NAME ? `…${name.slice(1 - MAX_NAME)}` : name;
