import type { Curve, CurvesBuffer } from '../buffers/curves-buffer.ts';
import { SERIES_DASHES } from '../canvas/chart-theme.ts';
import type { Painter, Surface } from '../canvas/paint-loop.ts';
import { placeOf, scalesOf, type FixedRange, type Scales } from './xy-scale.ts';

/** How a curve is drawn: joined points, points alone, both, or a stroke at the top for each of its x. */
export type CurveMark = 'line' | 'dots' | 'linked-dots' | 'strokes';

export interface XyLook {
  readonly marks: readonly CurveMark[];
  readonly x?: FixedRange | undefined;
  readonly y?: FixedRange | undefined;
  /** Levels that mean something, such as a threshold, dashed across the plot. */
  readonly levels: readonly number[];
  readonly write: (value: number) => string;
}

/** Room for the numbers of the axes, px; XyPlot.module.css leaves as much around its cursor. */
const ROOM = { left: 52, right: 10, top: 6, bottom: 20 };
const DOT = 2.75;
/** Part of the plot's height that a stroke takes. */
const STROKE = 0.07;

interface Plane {
  readonly surface: Surface;
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly width: number;
  readonly height: number;
}

/** Draws the curves of a buffer over axes with round numbers. */
export function createXyPainter(buffer: CurvesBuffer, look: XyLook): Painter {
  return (surface) => {
    const scales = scalesOf(scaledCurves(buffer.curves, look.marks), look);
    const plane = planeOf(surface, scales);
    surface.context.clearRect(0, 0, surface.width, surface.height);
    drawAxes(plane, scales, look.write);
    const { context } = surface;
    context.save();
    context.beginPath();
    context.rect(ROOM.left, ROOM.top, plane.width, plane.height);
    context.clip();
    for (const level of look.levels) drawLevel(plane, level);
    buffer.curves.forEach((curve, index) => drawCurve(plane, curve, look.marks, index));
    context.restore();
  };
}

/** Strokes have no y of their own: they do not stretch its axis. */
export function scaledCurves(
  curves: readonly Curve[],
  marks: readonly CurveMark[],
): readonly Curve[] {
  return curves.filter((_, index) => marks[index] !== 'strokes');
}

function planeOf(surface: Surface, scales: Scales): Plane {
  const width = Math.max(1, surface.width - ROOM.left - ROOM.right);
  const height = Math.max(1, surface.height - ROOM.top - ROOM.bottom);
  return {
    surface,
    width,
    height,
    x: (value) => ROOM.left + placeOf(scales.x, value) * width,
    y: (value) => ROOM.top + (1 - placeOf(scales.y, value)) * height,
  };
}

function drawAxes(plane: Plane, { x, y }: Scales, write: XyLook['write']) {
  const { context, theme } = plane.surface;
  const bottom = ROOM.top + plane.height;
  context.font = `11px ${theme.font}`;
  context.strokeStyle = theme.line;
  context.fillStyle = theme.muted;
  context.lineWidth = 1;
  context.setLineDash([]);
  context.beginPath();
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const tick of y.ticks) {
    const at = Math.round(plane.y(tick)) + 0.5;
    context.moveTo(ROOM.left, at);
    context.lineTo(ROOM.left + plane.width, at);
    context.fillText(write(tick), ROOM.left - 6, at);
  }
  context.textAlign = 'center';
  context.textBaseline = 'top';
  const shown = ticksWithRoom(x.ticks, plane.width);
  for (const tick of shown) {
    const at = Math.round(plane.x(tick)) + 0.5;
    context.moveTo(at, ROOM.top);
    context.lineTo(at, bottom);
    context.fillText(write(tick), at, bottom + 5);
  }
  context.stroke();
  context.strokeStyle = theme.muted;
  context.strokeRect(ROOM.left + 0.5, ROOM.top + 0.5, plane.width - 1, plane.height - 1);
}

/** Every second tick where the numbers would touch. */
function ticksWithRoom(ticks: readonly number[], width: number): readonly number[] {
  const perTick = width / Math.max(1, ticks.length);
  return perTick < 44 ? ticks.filter((_, index) => index % 2 === 0) : ticks;
}

function drawLevel(plane: Plane, level: number) {
  const { context, theme } = plane.surface;
  context.strokeStyle = theme.muted;
  context.lineWidth = 1;
  context.setLineDash([4, 4]);
  context.beginPath();
  context.moveTo(ROOM.left, plane.y(level));
  context.lineTo(ROOM.left + plane.width, plane.y(level));
  context.stroke();
  context.setLineDash([]);
}

function drawCurve(plane: Plane, curve: Curve, marks: readonly CurveMark[], index: number) {
  const { context, theme } = plane.surface;
  const mark = marks[index] ?? 'line';
  if (mark === 'strokes') {
    drawStrokes(plane, curve);
    return;
  }
  const colour = theme.series[index % theme.series.length] ?? theme.ink;
  context.strokeStyle = colour;
  context.fillStyle = colour;
  if (mark !== 'dots') {
    context.setLineDash([...(SERIES_DASHES[index % SERIES_DASHES.length] ?? [])]);
    drawLine(plane, curve);
    context.setLineDash([]);
  }
  if (mark !== 'line') drawDots(plane, curve);
}

function drawLine({ surface: { context }, x, y }: Plane, curve: Curve) {
  context.lineWidth = 1.75;
  context.lineJoin = 'round';
  context.beginPath();
  let isOpen = false;
  for (let i = 0; i < curve.x.length; i++) {
    const value = curve.y[i] ?? Number.NaN;
    if (Number.isNaN(value)) isOpen = false;
    else {
      const at = x(curve.x[i] ?? Number.NaN);
      if (isOpen) context.lineTo(at, y(value));
      else context.moveTo(at, y(value));
      isOpen = true;
    }
  }
  context.stroke();
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

function drawStrokes({ surface: { context, theme }, x, height }: Plane, curve: Curve) {
  context.fillStyle = theme.spike;
  for (let i = 0; i < curve.x.length; i++) {
    context.fillRect(x(curve.x[i] ?? Number.NaN) - 0.75, ROOM.top, 1.5, height * STROKE);
  }
}
