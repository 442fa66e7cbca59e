import { drawCurves, type Level, SERIES_DASHES, svgPicture } from '../../engine/pictures.ts';

/** A curve over steps, which ascend. */
export interface Curve {
  readonly name: string;
  readonly points: readonly (readonly [step: number, value: number])[];
}

export const CHART = { width: 640, height: 280 } as const;

/** As many as have a colour and a dash; of more layers, those spread over the network. */
const MAX_CURVES = 6;
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
  const shown = spread(drawn, MAX_CURVES);
  const placed = shown.map(([name, points]) => [
    shortened(name),
    { x: points.map(([step]) => step), y: points.map(([, value]) => value) },
  ]);
  return svgPicture((context) => drawCurves(context, Object.fromEntries(placed), { levels }), {
    ...CHART,
    title: metric,
  });
}

/** So many of the values at most, the first and the last among them. */
const spread = <Value>(values: readonly Value[], most: number): Value[] =>
  values.filter(
    (_, at) =>
      values.length <= most ||
      Math.floor((at * (most - 1)) / (values.length - 1)) >
        Math.floor(((at - 1) * (most - 1)) / (values.length - 1)),
  );

/** In few columns. */
export const shortNumber = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < 1e6
    ? String(value)
    : String(Number(value.toPrecision(4)));

/** Ends tell names apart more often than beginnings. */
const shortened = (name: string): string =>
  name.length > MAX_NAME ? `…${name.slice(1 - MAX_NAME)}` : name;
