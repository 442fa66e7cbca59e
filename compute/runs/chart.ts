import { escapeMarkup } from './markup.ts';

/** A curve over steps. */
export interface Curve {
  readonly name: string;
  readonly points: readonly (readonly [step: number, value: number])[];
}

const WIDTH = 640;
const HEIGHT = 260;
const FRAME = { left: 64, right: 150, top: 12, bottom: 30 };
/** Colours that differ in lightness, too. */
const COLOURS = ['#0b6560', '#b5440a', '#297ee7', '#8908a2', '#a17903', '#575d64'];
/** A dash for each colour: colour is never the only difference. */
const DASHES = ['', '7 3', '2 3', '10 3 2 3', '5 2 2 2', '14 4'];
const TICKS = 4;
/** A point for each pixel is enough; the extremes of a pixel are kept. */
const MAX_POINTS = 2 * WIDTH;

/** Draws curves as SVG, with axes and names. Undefined where no curve has a finite value. */
export function lineChart(title: string, curves: readonly Curve[]): string | undefined {
  const drawn = curves
    .map(({ name, points }) => ({ name, points: points.filter(([, y]) => Number.isFinite(y)) }))
    .filter(({ points }) => points.length > 0);
  if (drawn.length === 0) return undefined;
  const x = axisOf(drawn.flatMap(({ points }) => points.map(([step]) => step)));
  const y = axisOf(drawn.flatMap(({ points }) => points.map(([, value]) => value)));
  const across = (step: number) => FRAME.left + place(x, step) * (WIDTH - FRAME.left - FRAME.right);
  const down = (value: number) =>
    HEIGHT - FRAME.bottom - place(y, value) * (HEIGHT - FRAME.top - FRAME.bottom);
  const lines = drawn.map(({ name, points }, i) => {
    const style = `stroke="${colour(i)}" stroke-dasharray="${dash(i)}"`;
    const path = thinned(points).map(([s, v]) => `${across(s).toFixed(1)},${down(v).toFixed(1)}`);
    const legend = FRAME.top + 12 + 18 * i;
    const right = WIDTH - FRAME.right + 8;
    const [only] = points.length === 1 ? points : [];
    const dot =
      only && `<circle cx="${across(only[0])}" cy="${down(only[1])}" r="3" fill="${colour(i)}"/>`;
    return (
      `<polyline points="${path.join(' ')}" fill="none" stroke-width="1.5" ${style}/>${dot ?? ''}` +
      `<path d="M${right} ${legend}h20" stroke-width="2" ${style}/>` +
      `<text x="${right + 26}" y="${legend + 4}">${escapeMarkup(shortened(name))}</text>`
    );
  });
  const grid = [...gridOf(y, (value) => down(value))].join('');
  const steps = [x.min, x.max].map(
    (step, i) =>
      `<text x="${across(step)}" y="${HEIGHT - 10}" text-anchor="${i === 0 ? 'start' : 'end'}">${step}</text>`,
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" ` +
    `height="${HEIGHT}" role="img" font-family="system-ui, sans-serif" font-size="12">` +
    `<title>${escapeMarkup(title)}</title><rect width="${WIDTH}" height="${HEIGHT}" fill="#fcfdfb"/>` +
    `<g fill="#14201d">${grid}${steps.join('')}${lines.join('')}</g></svg>`
  );
}

interface Axis {
  readonly min: number;
  readonly max: number;
}

function axisOf(values: readonly number[]): Axis {
  const min = values.reduce((least, value) => Math.min(least, value), Infinity);
  const max = values.reduce((most, value) => Math.max(most, value), -Infinity);
  return { min, max };
}

/** From 0 to 1; in the middle where all values are one. */
const place = ({ min, max }: Axis, value: number) =>
  max > min ? (value - min) / (max - min) : 0.5;

function* gridOf(axis: Axis, down: (value: number) => number): Generator<string> {
  const ticks = axis.max > axis.min ? TICKS : 0;
  for (let tick = 0; tick <= ticks; tick++) {
    const value = axis.min + ((axis.max - axis.min) * tick) / (ticks || 1);
    const y = down(value).toFixed(1);
    yield `<path d="M${FRAME.left} ${y}H${WIDTH - FRAME.right}" stroke="#d3dad4"/>`;
    yield `<text x="${FRAME.left - 6}" y="${y}" dy="4" text-anchor="end">${shortNumber(value)}</text>`;
  }
}

const colour = (i: number) => COLOURS[i % COLOURS.length];

/** Another one where the colours begin anew. */
const dash = (i: number) => DASHES[(i + Math.floor(i / COLOURS.length)) % DASHES.length];

/** In few columns. */
export const shortNumber = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < 1e6
    ? String(value)
    : String(Number(value.toPrecision(4)));

const shortened = (name: string) => (name.length > 18 ? `${name.slice(0, 17)}…` : name);

/** The first, lowest and highest point of each stretch. */
function thinned(points: Curve['points']): Curve['points'] {
  if (points.length <= MAX_POINTS) return points;
  const stretch = Math.ceil((3 * points.length) / MAX_POINTS);
  const kept: Curve['points'][number][] = [];
  for (let at = 0; at < points.length; at += stretch) {
    const part = points.slice(at, at + stretch);
    const sorted = part.toSorted(([, a], [, b]) => a - b);
    const extremes = [part[0], sorted[0], sorted.at(-1)].filter((one) => one !== undefined);
    kept.push(...[...new Set(extremes)].toSorted(([a], [b]) => a - b));
  }
  return kept;
}
