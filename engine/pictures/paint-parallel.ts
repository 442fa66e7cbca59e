import { writeNumber } from './picture.ts';
import type { Box } from './plane.ts';
import { endsOf, fixedScale, logScale, placeOf, type Scale } from './scale.ts';
import type { Surface } from './surface.ts';

/** A value on an axis: numbers lie on a scale, anything else has a place of its own. */
export type ParallelValue = number | string | boolean | null;

/** An axis of parallel coordinates, with a value for each line; a line breaks where it has none. */
export interface ParallelAxis {
  readonly name: string;
  readonly values: readonly ParallelValue[];
}

/** Parallel coordinates, ready to be painted. */
interface ParallelPlot {
  readonly axes: readonly PlacedAxis[];
  readonly lines: number;
}

interface PlacedAxis {
  readonly name: string;
  readonly ticks: readonly { readonly place: number; readonly text: string }[];
  /** [line]: from 0 at the lower end to 1 at the upper; NaN where a line has no value. */
  readonly places: readonly number[];
}

interface ParallelLook {
  /** Which end of the last axis is good; lines are the stronger the nearer they are to it. */
  readonly goal: 'lowest' | 'highest';
  readonly best?: number | undefined;
  readonly highlighted?: number | undefined;
}

/** Numbers that differ by this ratio and are above 0 lie on a logarithmic scale. */
const LOG_FROM = 10;
/** So few numbers are all written. */
const FEW = 6;
const TICK_DIGITS = 3;

const AROUND = { left: 28, right: 60, top: 30, bottom: 16 };
/** Width of a letter of 11 px: no two canvases measure alike. */
const LETTER = 6.2;
const LINE_HEIGHT = 13;

export function parallelPlot(axes: readonly ParallelAxis[]): ParallelPlot {
  return { axes: axes.map(placed), lines: axes[0]?.values.length ?? 0 };
}

function placed({ name, values }: ParallelAxis): PlacedAxis {
  const known = values.filter((value) => value !== null);
  return known.every((value) => typeof value === 'number')
    ? onScale(name, values as readonly (number | null)[])
    : byName(name, values);
}

function onScale(name: string, values: readonly (number | null)[]): PlacedAxis {
  const numbers = values.filter((value) => value !== null && Number.isFinite(value)) as number[];
  const scale = scaleOf(numbers);
  const distinct = [...new Set(numbers)];
  const ticks = distinct.length > 0 && distinct.length <= FEW ? distinct : scale.ticks;
  return {
    name,
    ticks: ticks.map((tick) => ({
      place: placeOf(scale, tick),
      text: writeNumber(Number(tick.toPrecision(TICK_DIGITS))),
    })),
    places: values.map((value) => placeOf(scale, value ?? Number.NaN)),
  };
}

/** From the least to the greatest value, so that lines use the whole of an axis. */
function scaleOf(numbers: readonly number[]): Scale {
  const [low, high] = endsOf([numbers]);
  const least = Math.min(...numbers);
  if (!(least > 0 && Math.max(...numbers) / least >= LOG_FROM)) return fixedScale([low, high]);
  const ticks = logScale([low, high]).ticks.filter((tick) => tick >= low && tick <= high);
  return { low, high, ticks, form: 'log' };
}

function byName(name: string, values: ParallelAxis['values']): PlacedAxis {
  const names = [...new Set(values.filter((value) => value !== null).map(String))].toSorted();
  const place = (index: number) => (names.length > 1 ? index / (names.length - 1) : 0.5);
  return {
    name,
    ticks: names.map((text, index) => ({ place: place(index), text })),
    places: values.map((value) =>
      value === null ? Number.NaN : place(names.indexOf(String(value))),
    ),
  };
}

/** Paints the lines over their axes, the best and the highlighted one on top. */
export function paintParallel(surface: Surface, plot: ParallelPlot, look: ParallelLook): void {
  const frame = frameOf(surface);
  paintAxes(surface, plot, frame);
  const { context, theme } = surface;
  for (let line = 0; line < plot.lines; line++) {
    if (line === look.best || line === look.highlighted) continue;
    const pen = penOf(surface, plot.axes.at(-1)?.places[line] ?? Number.NaN, look.goal);
    context.strokeStyle = pen.colour;
    context.globalAlpha = pen.alpha;
    context.setLineDash(pen.dash);
    strokeLine(surface, plot, frame, { line, width: 1.25 });
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
  for (const [line, colour] of [
    [look.best, theme.spike],
    [look.highlighted, theme.ink],
  ] as const) {
    if (line === undefined) continue;
    context.strokeStyle = colour;
    strokeLine(surface, plot, frame, { line, width: 2.75 });
  }
}

/** A line is the stronger the better; one without a last value is dashed. */
function penOf({ theme }: Surface, place: number, goal: ParallelLook['goal']) {
  if (!Number.isFinite(place)) return { colour: theme.muted, alpha: 0.35, dash: [3, 3] };
  const good = goal === 'lowest' ? 1 - place : place;
  return { colour: theme.accent, alpha: 0.15 + 0.6 * good, dash: [] };
}

function frameOf({ width, height }: Pick<Surface, 'width' | 'height'>): Box {
  return {
    left: AROUND.left,
    top: AROUND.top,
    width: Math.max(1, width - AROUND.left - AROUND.right),
    height: Math.max(1, height - AROUND.top - AROUND.bottom),
  };
}

const axisX = ({ left, width }: Box, axis: number, count: number): number =>
  count > 1 ? left + (width * axis) / (count - 1) : left + width / 2;

const placeY = ({ top, height }: Box, place: number): number => top + (1 - place) * height;

function paintAxes({ context, theme }: Surface, { axes }: ParallelPlot, frame: Box): void {
  const room = Math.floor(frame.width / Math.max(1, axes.length - 1) / LETTER);
  context.lineWidth = 1;
  context.setLineDash([]);
  context.textBaseline = 'middle';
  for (const [index, { name, ticks }] of axes.entries()) {
    const x = Math.round(axisX(frame, index, axes.length)) + 0.5;
    context.strokeStyle = theme.muted;
    context.beginPath();
    context.moveTo(x, frame.top);
    context.lineTo(x, frame.top + frame.height);
    for (const { place } of ticks) {
      const y = Math.round(placeY(frame, place)) + 0.5;
      context.moveTo(x, y);
      context.lineTo(x + 4, y);
    }
    context.stroke();
    context.fillStyle = theme.ink;
    context.font = `bold 11px ${theme.font}`;
    context.textAlign = index === 0 ? 'left' : 'center';
    context.fillText(shortened(name, room), index === 0 ? 4 : x, AROUND.top / 2);
    context.fillStyle = theme.muted;
    context.font = `11px ${theme.font}`;
    context.textAlign = 'left';
    for (const { place, text } of apart(ticks, frame.height)) {
      context.fillText(shortened(text, room), x + 7, placeY(frame, place));
    }
  }
}

/** Ticks whose texts do not touch those before them, from the lowest up. */
function apart(ticks: PlacedAxis['ticks'], height: number): PlacedAxis['ticks'] {
  let last = Number.NEGATIVE_INFINITY;
  return ticks
    .toSorted((a, b) => a.place - b.place)
    .filter(({ place }) => {
      const hasRoom = (place - last) * height >= LINE_HEIGHT;
      if (hasRoom) last = place;
      return hasRoom;
    });
}

const shortened = (text: string, room: number): string =>
  text.length > room ? `${text.slice(0, Math.max(1, room - 1))}…` : text;

function strokeLine(
  { context }: Surface,
  { axes }: ParallelPlot,
  frame: Box,
  { line, width }: { readonly line: number; readonly width: number },
): void {
  context.lineWidth = width;
  context.lineJoin = 'round';
  context.beginPath();
  let isOpen = false;
  for (const [index, { places }] of axes.entries()) {
    const place = places[line] ?? Number.NaN;
    const isKnown = Number.isFinite(place);
    const [x, y] = [axisX(frame, index, axes.length), placeY(frame, place)];
    if (isKnown && isOpen) context.lineTo(x, y);
    else if (isKnown) context.moveTo(x, y);
    isOpen = isKnown;
  }
  context.stroke();
}

/** Px around a line in which it is pointed at. */
const NEAR = 14;

/** The line nearest to a point of a surface, both in px; undefined where none is near. */
export function nearestLine(
  { axes, lines }: ParallelPlot,
  size: Pick<Surface, 'width' | 'height'>,
  { x, y }: { readonly x: number; readonly y: number },
): number | undefined {
  const frame = frameOf(size);
  const along = ((x - frame.left) / frame.width) * (axes.length - 1);
  const left = Math.max(0, Math.min(axes.length - 2, Math.floor(along)));
  const part = Math.max(0, Math.min(1, along - left));
  let nearest: { readonly line: number; readonly distance: number } | undefined;
  for (let line = 0; line < lines; line++) {
    const from = axes[left]?.places[line] ?? Number.NaN;
    const to = axes[left + 1]?.places[line] ?? from;
    const distance = Math.abs(placeY(frame, from + (to - from) * part) - y);
    if (distance <= (nearest?.distance ?? NEAR)) nearest = { line, distance };
  }
  return nearest?.line;
}
