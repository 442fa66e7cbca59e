import { writeNumber } from './picture.ts';
import { type Box, drawAxes, inside, planeIn } from './plane.ts';
import { fixedScale, roundScale, type Scale } from './scale.ts';
import type { Surface } from './surface.ts';
import { binValues } from './value-bins.ts';

/** Bars from 0 up, over an axis of their own. */
export interface Bars {
  readonly x: Scale;
  readonly writeX: (value: number) => string;
  /** Where a bar begins and ends, on the x axis. */
  readonly edges: (bar: number) => readonly [from: number, to: number];
  /** At least 0; one that is not finite is left out. */
  readonly heights: ArrayLike<number>;
  /** Whether they are counts: the axis has whole numbers alone. */
  readonly isCounted: boolean;
}

/** Part of a bar's room that it fills. */
const FILLED = 0.82;

export function drawBars(surface: Surface, frame: Box, bars: Bars): void {
  let most = 0;
  for (let bar = 0; bar < bars.heights.length; bar++) {
    const height = bars.heights[bar] ?? 0;
    if (Number.isFinite(height)) most = Math.max(most, height);
  }
  const y = roundScale([0, most || 1]);
  const ticks = y.ticks.filter((tick) => !bars.isCounted || Number.isInteger(tick));
  const scales = { x: bars.x, y: { ...y, ticks } };
  const plane = planeIn(surface, frame, scales);
  drawAxes(plane, scales, { x: bars.writeX, y: writeNumber });
  inside(plane, () => {
    const { context, theme } = surface;
    const [fill = theme.ink] = theme.series;
    context.fillStyle = fill;
    for (let bar = 0; bar < bars.heights.length; bar++) {
      const height = bars.heights[bar] ?? 0;
      if (!(Number.isFinite(height) && height > 0)) continue;
      const [left, right] = bars.edges(bar).map(plane.x) as [number, number];
      const [top, bottom] = [plane.y(height), plane.y(0)];
      const margin = ((right - left) * (1 - FILLED)) / 2;
      context.fillRect(left + margin, top, right - left - 2 * margin, bottom - top);
    }
  });
}

/** How many values fall into each of `count` bins between two ends. */
export function histogramBars(
  values: ArrayLike<number>,
  [from, to]: readonly [number, number],
  count: number,
): Bars {
  const { counts } = binValues(values, { from, to, bins: count });
  const width = (to - from) / count;
  return {
    x: fixedScale([from, to]),
    writeX: writeNumber,
    edges: (bar) => [from + bar * width, from + (bar + 1) * width],
    heights: counts,
    isCounted: true,
  };
}
