import type { Curve } from '../buffers/curves-buffer.ts';
import type { Surface } from '../canvas/paint-loop.ts';
import { placeOf, type Scales } from './xy-scale.ts';

/** Room for the numbers of the axes, px; the cursors in HTML leave as much. */
export const ROOM = { left: 52, right: 10, top: 6, bottom: 20 };
/** A plot within its surface: where values lie, in px. */
export interface Plane {
  readonly surface: Surface;
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly width: number;
  readonly height: number;
}

export function planeOf(surface: Surface, scales: Scales): Plane {
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

/** The grid with its numbers, and the frame. */
export function drawAxes(
  plane: Plane,
  { x, y }: Scales,
  write: { readonly x: (value: number) => string; readonly y: (value: number) => string },
) {
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
    context.fillText(write.y(tick), ROOM.left - 6, at);
  }
  context.textAlign = 'center';
  context.textBaseline = 'top';
  const shown = ticksWithRoom(x.ticks, plane.width);
  for (const tick of shown) {
    const at = Math.round(plane.x(tick)) + 0.5;
    context.moveTo(at, ROOM.top);
    context.lineTo(at, bottom);
    context.fillText(write.x(tick), at, bottom + 5);
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

/** Draws what may not leave the frame. */
export function inside({ surface: { context }, width, height }: Plane, draw: () => void) {
  context.save();
  context.beginPath();
  context.rect(ROOM.left, ROOM.top, width, height);
  context.clip();
  draw();
  context.restore();
}

/** A line in the context's stroke; broken where y is NaN. */
export function drawLine({ surface: { context }, x, y }: Plane, curve: Curve) {
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
