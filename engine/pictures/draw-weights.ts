import type { Model } from '../layers/model.ts';
import { drawBars, histogramBars } from './draw-bars.ts';
import { placesOf } from './draw-raster.ts';
import {
  drawPanels,
  onSurface,
  type PictureOptions,
  type PictureTarget,
  refused,
  writeNumber,
} from './picture.ts';
import { type Box, drawAxes, planeIn } from './plane.ts';
import { endsOf } from './scale.ts';
import type { Surface } from './surface.ts';

/** The parameter whose weights are drawn, as a map or by their values. */
export interface WeightOptions extends PictureOptions {
  /** The name of one parameter, such as `hidden.weight`; all that have rows and columns by default. */
  readonly parameter?: string;
  /** A square for each weight (default), or how many weights have which value. */
  readonly as?: 'map' | 'histogram';
}

/** A parameter as rows and columns. */
interface Matrix {
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
  readonly values: Float32Array;
}

/** Smallest square of a map, px: where there is no room for all weights, the largest of several is shown. */
const MIN_SQUARE = 3;
const BINS = 40;

/**
 * Draws the weights of a model: as a map, the first axis downwards and all others from left to right, positive ones
 * in the colour of spikes, negative ones in that of the first series, the stronger the larger; one that is not
 * finite is a gap. Throws EngineError `invalid-setting` for a parameter that there is not, and for no room.
 */
export function drawWeights(
  target: PictureTarget,
  model: Pick<Model, 'layout' | 'parameter'>,
  options: WeightOptions = {},
): void {
  const { as = 'map' } = options;
  if (as !== 'map' && as !== 'histogram') {
    throw refused('drawWeights', `as is "${String(as)}": expected map or histogram`);
  }
  const matrices = matricesOf(model, options.parameter);
  onSurface('drawWeights', target, options, (surface) => {
    const panels = matrices.map((matrix) => ({
      title: titleOf(matrix),
      draw: (frame: Box) =>
        as === 'map' ? drawMap(surface, frame, matrix) : drawSpread(surface, frame, matrix),
    }));
    drawPanels('drawWeights', surface, panels);
  });
}

function matricesOf(
  model: Pick<Model, 'layout' | 'parameter'>,
  wanted: string | undefined,
): readonly Matrix[] {
  if (typeof model?.parameter !== 'function') {
    throw refused('drawWeights', 'it is given no model: expected what init, load or fit have');
  }
  const parameters = model.layout.parameters.map(({ spec }) => spec);
  const found = parameters.filter(({ name, shape }) =>
    wanted === undefined ? shape.length > 1 : name === wanted,
  );
  if (found.length === 0) {
    const names = parameters.map(({ name }) => name).join(', ');
    const named =
      wanted === undefined ? 'parameter with rows and columns' : `parameter "${wanted}"`;
    throw refused('drawWeights', `there is no ${named}: expected one of ${names}`);
  }
  return found.map(({ name, shape }) => {
    const values = model.parameter(name);
    const rows = shape.length > 1 ? (shape[0] ?? 1) : 1;
    return { name, rows, columns: values.length / rows, values };
  });
}

function titleOf({ name, rows, columns, values }: Matrix): string {
  const [low, high] = endsOf([values]);
  return `${name}: ${rows} x ${columns}, from ${rounded(low)} to ${rounded(high)}`;
}

const rounded = (value: number): string => String(Number(value.toPrecision(3)));

function drawSpread(surface: Surface, frame: Box, { values }: Matrix): void {
  drawBars(surface, frame, histogramBars(values, endsOf([values]), BINS));
}

/** Draws the strongest weight of each square, in one colour for all of a sign. */
function drawMap(surface: Surface, frame: Box, matrix: Matrix): void {
  const { context, theme } = surface;
  const rows = Math.min(matrix.rows, Math.max(1, Math.floor(frame.height / MIN_SQUARE)));
  const columns = Math.min(matrix.columns, Math.max(1, Math.floor(frame.width / MIN_SQUARE)));
  const x = placesOf(matrix.columns);
  const down = placesOf(matrix.rows);
  const scales = { x, y: { ...down, low: down.high, high: down.low } };
  drawAxes(planeIn(surface, frame, scales), scales, { x: writeNumber, y: writeNumber });
  const strongest = strongestOf(matrix, rows, columns);
  const most = strongest.reduce((high, value) => Math.max(high, Math.abs(value) || 0), 0) || 1;
  const [negative = theme.ink] = theme.series;
  for (const colour of [theme.spike, negative]) {
    const sign = colour === theme.spike ? 1 : -1;
    context.fillStyle = colour;
    strongest.forEach((value, at) => {
      if (!(sign * value > 0)) return;
      const [width, height] = [frame.width / columns, frame.height / rows];
      // The area is the strength.
      const part = Math.sqrt(Math.abs(value) / most);
      const left = frame.left + ((at % columns) + (1 - part) / 2) * width;
      const top = frame.top + (Math.floor(at / columns) + (1 - part) / 2) * height;
      context.fillRect(left, top, part * width, part * height);
    });
  }
}

/** `[rows, columns]`: the value of largest magnitude within each square; NaN where none is finite. */
function strongestOf(matrix: Matrix, rows: number, columns: number): Float32Array {
  const out = new Float32Array(rows * columns).fill(Number.NaN);
  matrix.values.forEach((value, at) => {
    if (!Number.isFinite(value)) return;
    const row = Math.floor((Math.floor(at / matrix.columns) * rows) / matrix.rows);
    const column = Math.floor(((at % matrix.columns) * columns) / matrix.columns);
    const place = row * columns + column;
    if (!(Math.abs(value) <= Math.abs(out[place] ?? 0))) out[place] = value;
  });
  return out;
}
