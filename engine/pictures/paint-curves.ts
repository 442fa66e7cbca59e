import { drawLevel } from './levels.ts';
import { drawAxes, drawLine, inside, type Plane, planeOf } from './plane.ts';
import { type Curve, type FixedRange, scalesOf } from './scale.ts';
import { SERIES_DASHES, type Surface } from './surface.ts';

/** How a curve is drawn: joined points, points alone, both, or a stroke at the top for each of its x. */
export type CurveMark = 'line' | 'dots' | 'linked-dots' | 'strokes';

interface CurvesLook {
  readonly marks: readonly CurveMark[];
  /** The place of each curve among the colours and dashes; its own place where it is not said. */
  readonly series?: readonly number[] | undefined;
  readonly x?: FixedRange | undefined;
  readonly y?: FixedRange | undefined;
  /** Levels that mean something, such as a threshold, dashed across the plot. */
  readonly levels: readonly number[];
  readonly write: (value: number) => string;
}

const DOT = 2.75;
/** Part of the plot's height that a stroke takes. */
const STROKE = 0.07;

/** Draws curves over axes with round numbers. */
export function paintCurves(surface: Surface, curves: readonly Curve[], look: CurvesLook): void {
  const scales = scalesOf(scaledCurves(curves, look.marks), look);
  const plane = planeOf(surface, scales);
  drawAxes(plane, scales, { x: look.write, y: look.write });
  inside(plane, () => {
    for (const level of look.levels) drawLevel(plane, plane.y(level));
    curves.forEach((curve, index) => drawCurve(plane, curve, look, index));
  });
}

/** Strokes have no y of their own: they do not stretch its axis. */
export function scaledCurves(
  curves: readonly Curve[],
  marks: readonly CurveMark[],
): readonly Curve[] {
  return curves.filter((_, index) => marks[index] !== 'strokes');
}

function drawCurve(plane: Plane, curve: Curve, { marks, series = [] }: CurvesLook, index: number) {
  const { context, theme } = plane.surface;
  const place = series[index] ?? index;
  const mark = marks[index] ?? 'line';
  if (mark === 'strokes') {
    drawStrokes(plane, curve);
    return;
  }
  const colour = theme.series[place % theme.series.length] ?? theme.ink;
  context.strokeStyle = colour;
  context.fillStyle = colour;
  if (mark !== 'dots') {
    context.setLineDash([...(SERIES_DASHES[place % SERIES_DASHES.length] ?? [])]);
    drawLine(plane, curve);
    context.setLineDash([]);
  }
  if (mark !== 'line') drawDots(plane, curve);
}

function drawDots({ surface: { context }, x, y }: Plane, curve: Curve) {
  context.beginPath();
  for (let i = 0; i < curve.x.length; i++) {
    const [at, up] = [x(curve.x[i] ?? Number.NaN), y(curve.y[i] ?? Number.NaN)];
    context.moveTo(at + DOT, up);
    context.arc(at, up, DOT, 0, 2 * Math.PI);
  }
  context.fill();
}

function drawStrokes({ surface: { context, theme }, top, x, height }: Plane, curve: Curve) {
  context.fillStyle = theme.spike;
  for (let i = 0; i < curve.x.length; i++) {
    context.fillRect(x(curve.x[i] ?? Number.NaN) - 0.75, top, 1.5, height * STROKE);
  }
}
