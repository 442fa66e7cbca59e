import { drawCurves, svgPicture } from '../../engine/pictures.ts';

/** A curve over steps, which ascend. */
export interface Curve {
  readonly name: string;
  readonly points: readonly (readonly [step: number, value: number])[];
}

export const CHART = { width: 640, height: 280 } as const;

/** Letters of a name above a chart. */
const MAX_NAME = 24;

/** Draws curves of a metric as SVG. Undefined where no curve has a finite value. */
export function chartOf(metric: string, curves: readonly Curve[]): string | undefined {
  const drawn = curves.map(
    ({ name, points }) => [name, points.filter(([, y]) => Number.isFinite(y))] as const,
  );
  if (drawn.every(([, points]) => points.length === 0)) return undefined;
  const placed = drawn.map(([name, points]) => [
    shortened(name),
    { x: points.map(([step]) => step), y: points.map(([, value]) => value) },
  ]);
  return svgPicture((context) => drawCurves(context, Object.fromEntries(placed)), {
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
