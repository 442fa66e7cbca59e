import type { History } from '../layers/fit.ts';
import { drawLevels, type Level } from './levels.ts';
import { paintRows, rowScales } from './paint-series.ts';
import {
  drawPanels,
  onSurface,
  type PictureOptions,
  type PictureTarget,
  refused,
  writeNumber,
} from './picture.ts';
import { type Box, drawAxes, inside, type Plane, planeIn } from './plane.ts';
import { plotRows, type PlotScale } from './plot-rows.ts';
import type { Curve } from './scale.ts';
import { SERIES_DASHES, type Surface } from './surface.ts';

/** Scale and smoothing of curves. */
export interface CurveOptions extends PictureOptions {
  /** Of the y axis; a logarithmic one leaves values of 0 and below out. */
  readonly scale?: PlotScale;
  /** Weight of what was before in a moving average, from 0 (default) to below 1; the curve itself is faint behind it. */
  readonly smoothing?: number;
  /** Values of the y axis to compare curves given by their names with, such as baselines. */
  readonly levels?: readonly Level[];
}

/**
 * Curves by their names, over the steps 1, 2, 3 and so on, or over an x of their own that does not fall; a value that
 * is not finite is a gap.
 */
export type NamedCurves = Readonly<Record<string, ArrayLike<number> | Curve>>;

/** A curve with its places on the x axis. */
interface NamedCurve {
  readonly name: string;
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** Width of a letter of 11 px, for legends: no two canvases measure alike. */
const LETTER = 6.2;
const SAMPLE = 22;

/**
 * Draws how training went: from the history of `fit` the loss of every step with that of the validation after every
 * epoch, and the accuracy below; or curves of one's own by their names. Long curves keep every peak.
 * Throws EngineError `invalid-setting` for nothing to draw, options out of range, and no room.
 */
export function drawCurves(
  target: PictureTarget,
  curves: History | NamedCurves,
  options: CurveOptions = {},
): void {
  const { scale = 'linear', smoothing = 0 } = options;
  if (scale !== 'linear' && scale !== 'log') {
    throw refused('drawCurves', `scale is "${String(scale)}": expected linear or log`);
  }
  if (!(smoothing >= 0 && smoothing < 1)) {
    throw refused('drawCurves', `smoothing is ${smoothing}: expected a number from 0 to below 1`);
  }
  const plots = plotsOf(curves);
  const levels = isHistory(curves) ? [] : (options.levels ?? []);
  onSurface('drawCurves', target, options, (surface) => {
    const panels = plots.map(({ title, isSmoothed, curves: drawn }) => ({
      title,
      draw: (frame: Box) =>
        drawPlot(surface, frame, drawn, { scale, smoothing: isSmoothed ? smoothing : 0, levels }),
    }));
    drawPanels('drawCurves', surface, panels);
  });
}

interface Plot {
  readonly title: string;
  /** Whether a moving average says more than the values, which are few where it does not. */
  readonly isSmoothed: boolean;
  readonly curves: readonly NamedCurve[];
}

function plotsOf(curves: History | NamedCurves): readonly Plot[] {
  if (typeof curves !== 'object' || curves === null) {
    throw refused(
      'drawCurves',
      'it is given no curves: expected what fit returns, or arrays by name',
    );
  }
  const plots = isHistory(curves) ? plotsOfHistory(curves) : [plotOfNamed(curves)];
  const drawn = plots.filter((plot) => plot.curves.some(({ y }) => y.length > 0));
  if (drawn.length > 0) return drawn;
  throw refused('drawCurves', 'there is no value to draw: expected at least one step');
}

const isHistory = (curves: History | NamedCurves): curves is History =>
  Array.isArray(curves['epochs']) && curves['losses'] instanceof Float32Array;

function plotsOfHistory({ losses, epochs, step }: History): readonly Plot[] {
  const byStep = {
    title: 'loss by step',
    isSmoothed: true,
    curves: [curveOf('loss', losses, step - losses.length)],
  };
  // One epoch is no curve, and its loss is the mean of those above.
  if (epochs.length < 2 || !epochs.some(({ validation }) => validation)) return [byStep];
  const before = (epochs[0]?.epoch ?? 1) - 1;
  const ofEpochs = (name: string, values: readonly (number | undefined)[]) =>
    curveOf(
      name,
      values.map((value) => value ?? Number.NaN),
      before,
    );
  const training = ofEpochs(
    'training',
    epochs.map(({ loss }) => loss),
  );
  const validation = ofEpochs(
    'validation',
    epochs.map((epoch) => epoch.validation?.loss),
  );
  const accuracies = epochs.map((epoch) => epoch.validation?.accuracy);
  return [
    byStep,
    { title: 'loss by epoch', isSmoothed: false, curves: [training, validation] },
    ...(accuracies.some((value) => value !== undefined)
      ? [
          {
            title: 'accuracy by epoch',
            isSmoothed: false,
            curves: [ofEpochs('validation', accuracies)],
          },
        ]
      : []),
  ];
}

function plotOfNamed(curves: NamedCurves): Plot {
  const all = Object.entries(curves).map(([name, values]) => {
    if (isArray(values)) return curveOf(name, values, 0);
    if (isArray(values?.x) && isArray(values.y)) return curveOver(name, values);
    throw refused(
      'drawCurves',
      `"${name}" is ${String(values)}: expected an array of numbers, or { x, y } of two`,
    );
  });
  if (all.length > SERIES_DASHES.length) {
    throw refused(
      'drawCurves',
      `there are ${all.length} curves: expected at most ${SERIES_DASHES.length}, as many as have a colour and a dash`,
    );
  }
  const title = all.length === 1 ? (all[0]?.name ?? '') : '';
  return { title, isSmoothed: true, curves: all };
}

const isArray = (value: unknown): value is ArrayLike<number> =>
  typeof value === 'object' && value !== null && 'length' in value;

function curveOver(name: string, curve: Curve): NamedCurve {
  const [x, y] = [Float64Array.from(curve.x), Float64Array.from(curve.y)];
  if (x.length !== y.length) {
    throw refused('drawCurves', `"${name}" has ${x.length} x and ${y.length} y: expected as many`);
  }
  const wrong = x.findIndex(
    (value, i) => !(Number.isFinite(value) && value >= (x[i - 1] ?? value)),
  );
  if (wrong < 0) return { name, x, y };
  throw refused(
    'drawCurves',
    `x of "${name}" is ${x[wrong]} behind ${x[wrong - 1]}: expected finite numbers that do not fall`,
  );
}

/** A curve over `before + 1`, `before + 2` and so on. */
function curveOf(name: string, values: ArrayLike<number>, before: number): NamedCurve {
  return {
    name,
    x: Float64Array.from(values, (_, i) => before + 1 + i),
    y: Float64Array.from(values),
  };
}

function drawPlot(
  surface: Surface,
  frame: Box,
  curves: readonly NamedCurve[],
  { scale, smoothing, levels }: Required<Pick<CurveOptions, 'scale' | 'smoothing' | 'levels'>>,
): void {
  const maxRows = Math.max(2, 2 * Math.round(frame.width * surface.ratio));
  const rows = curves.map(({ x, y }) => plotRows({ x, y: [y] }, { scale, smoothing, maxRows }));
  const scales = rowScales(rows, scale, null, levels);
  const plane = planeIn(surface, frame, scales);
  drawAxes(plane, scales, { x: writeNumber, y: writeNumber });
  inside(plane, () => {
    drawLevels(plane, levels);
    rows.forEach((one, first) => paintRows(plane, one, { count: 1, first, gaps: 'leave' }));
  });
  if (curves.length > 1) drawLegend(plane, curves);
}

/** A line and a name for each curve, above the frame, from the right. */
function drawLegend({ surface, left, top, width }: Plane, curves: readonly NamedCurve[]): void {
  const { context, theme } = surface;
  const y = top - 12;
  let right = left + width;
  context.font = `11px ${theme.font}`;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  context.lineWidth = 1.75;
  const letters = Math.max(1, Math.floor((width / curves.length - SAMPLE - 20) / LETTER));
  for (const [number, { name }] of [...curves.entries()].toReversed()) {
    const text = name.length > letters ? `${name.slice(0, letters - 1)}…` : name;
    context.fillStyle = theme.ink;
    context.fillText(text, right, y);
    const end = right - text.length * LETTER - 6;
    context.strokeStyle = theme.series[number % theme.series.length] ?? theme.ink;
    context.setLineDash([...(SERIES_DASHES[number % SERIES_DASHES.length] ?? [])]);
    context.beginPath();
    context.moveTo(end - SAMPLE, y);
    context.lineTo(end, y);
    context.stroke();
    right = end - SAMPLE - 14;
  }
  context.setLineDash([]);
}
