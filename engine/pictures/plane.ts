import { type Curve, placeOf, type Scales } from './scale.ts';
import type { Context2d, Surface } from './surface.ts';

/** Room for the numbers of the axes, px; the cursors in HTML leave as much. */
export const ROOM = { left: 52, right: 10, top: 6, bottom: 20 };

/** A rectangle of a surface, in px. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A plot within its surface: its frame, and where values lie, in px. */
export interface Plane extends Box {
  readonly surface: Surface;
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

/** A plot that has a surface to itself. */
export function planeOf(surface: Surface, scales: Scales): Plane {
  const width = Math.max(1, surface.width - ROOM.left - ROOM.right);
  const height = Math.max(1, surface.height - ROOM.top - ROOM.bottom);
  return planeIn(surface, { left: ROOM.left, top: ROOM.top, width, height }, scales);
}

/** A plot with the given frame; its numbers stand outside of it. */
export function planeIn(surface: Surface, frame: Box, scales: Scales): Plane {
  const { left, top, width, height } = frame;
  return {
    surface,
    ...frame,
    x: (value) => left + placeOf(scales.x, value) * width,
    y: (value) => top + (1 - placeOf(scales.y, value)) * height,
  };
}

/** The grid with its numbers, and the frame. */
export function drawAxes(
  plane: Plane,
  { x, y }: Scales,
  write: { readonly x: (value: number) => string; readonly y: (value: number) => string },
) {
  const { context, theme } = plane.surface;
  const { left, top, width, height } = plane;
  const bottom = top + height;
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
    context.moveTo(left, at);
    context.lineTo(left + width, at);
    context.fillText(write.y(tick), left - 6, at);
  }
  context.textAlign = 'center';
  context.textBaseline = 'top';
  const shown = ticksWithRoom(x.ticks, width);
  for (const tick of shown) {
    const at = Math.round(plane.x(tick)) + 0.5;
    context.moveTo(at, top);
    context.lineTo(at, bottom);
    context.fillText(write.x(tick), at, bottom + 5);
  }
  context.stroke();
  context.strokeStyle = theme.muted;
  context.strokeRect(left + 0.5, top + 0.5, width - 1, height - 1);
}

/** Every second tick where the numbers would touch. */
function ticksWithRoom(ticks: readonly number[], width: number): readonly number[] {
  const perTick = width / Math.max(1, ticks.length);
  return perTick < 44 ? ticks.filter((_, index) => index % 2 === 0) : ticks;
}

/** Draws what may not leave the frame. */
export function inside(
  { surface: { context }, left, top, width, height }: Plane,
  draw: () => void,
) {
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  draw();
  context.restore();
}

/** A curve in the context's stroke; broken where a value is not finite. */
export function drawLine({ surface: { context }, x, y }: Plane, curve: Curve) {
  strokeLine(context, {
    length: curve.x.length,
    x: (i) => x(curve.x[i] ?? Number.NaN),
    y: (i) => y(curve.y[i] ?? Number.NaN),
  });
}

/** Places of a line's points in px. */
interface LinePlaces {
  readonly length: number;
  readonly x: (point: number) => number;
  readonly y: (point: number) => number;
}

/** Joins points in the context's stroke; broken where a place is not finite. */
export function strokeLine(context: Context2d, { length, x, y }: LinePlaces) {
  context.lineWidth = 1.75;
  context.lineJoin = 'round';
  context.beginPath();
  let isOpen = false;
  for (let i = 0; i < length; i++) {
    const [at, up] = [x(i), y(i)];
    const isKnown = Number.isFinite(at) && Number.isFinite(up);
    if (isKnown && isOpen) context.lineTo(at, up);
    else if (isKnown) context.moveTo(at, up);
    isOpen = isKnown;
  }
  context.stroke();
}
