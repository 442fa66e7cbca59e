import type { Plane } from './plane.ts';

/** A value of the y axis that means something by itself, such as the loss of a baseline. */
export interface Level {
  readonly name: string;
  readonly value: number;
}

/** Height of a name, px; those of levels nearer than this stand side by side. */
const LINE = 13;

/** Dashed lines across a plot, each with its name at the right above it. */
export function drawLevels(plane: Plane, levels: readonly Level[]): void {
  const { surface, left, top, width } = plane;
  const { context, theme } = surface;
  const placed = levels
    .map(({ name, value }) => ({ name, y: plane.y(value) }))
    .filter(({ y }) => Number.isFinite(y))
    .toSorted((a, b) => a.y - b.y);
  context.font = `11px ${theme.font}`;
  context.textAlign = 'right';
  context.textBaseline = 'bottom';
  context.fillStyle = theme.muted;
  let before = { y: Number.NEGATIVE_INFINITY, right: left + width - 4 };
  for (const { name, y } of placed) {
    drawLevel(plane, y);
    const isNear = y - before.y < LINE;
    const right = isNear ? before.right : left + width - 4;
    context.fillText(name, right, Math.max(top + LINE, y - 1));
    before = { y: isNear ? before.y : y, right: right - LETTER * name.length - 10 };
  }
}

/** Width of a letter of 11 px: no two canvases measure alike. */
const LETTER = 6.2;

/** A dashed line across a plot at a height in px. */
export function drawLevel({ surface: { context, theme }, left, width }: Plane, y: number): void {
  context.strokeStyle = theme.muted;
  context.lineWidth = 1;
  context.setLineDash([4, 4]);
  context.beginPath();
  context.moveTo(left, y);
  context.lineTo(left + width, y);
  context.stroke();
  context.setLineDash([]);
}
