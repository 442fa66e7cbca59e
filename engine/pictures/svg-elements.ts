import type { Context2d } from './surface.ts';

/** How a context draws. */
export interface Pen {
  fillStyle: string | object;
  strokeStyle: string | object;
  lineWidth: number;
  lineJoin: Context2d['lineJoin'];
  globalAlpha: number;
  font: string;
  textAlign: Context2d['textAlign'];
  textBaseline: Context2d['textBaseline'];
  dash: readonly number[];
}

/** Height of letters below the place that a text is given, in parts of the size of its font. */
const DROP: Readonly<Record<Context2d['textBaseline'], number>> = {
  top: 0.8,
  hanging: 0.8,
  middle: 0.35,
  alphabetic: 0,
  ideographic: 0,
  bottom: -0.2,
};

const ANCHORS = { left: 'start', start: 'start', center: 'middle', right: 'end', end: 'end' };

const FONT = /^(?:(bold) )?([\d.]+)px (.+)$/;

export function textElement(pen: Pen, text: string, x: number, y: number): string {
  const [, weight, size = '10', family = 'sans-serif'] = FONT.exec(pen.font) ?? [];
  const attributes = {
    x: short(x),
    y: short(y + DROP[pen.textBaseline] * Number(size)),
    'font-size': size,
    'font-family': family,
    'text-anchor': ANCHORS[pen.textAlign],
    ...(weight && { 'font-weight': weight }),
    ...fillOf(pen),
  };
  return `<text${written(attributes)}>${escapeXml(text)}</text>`;
}

export function fillOf({ fillStyle, globalAlpha }: Pen): Record<string, string> {
  return { fill: String(fillStyle), ...opacityOf(globalAlpha) };
}

export function strokeOf(pen: Pen): Record<string, string> {
  return {
    fill: 'none',
    stroke: String(pen.strokeStyle),
    'stroke-width': short(pen.lineWidth),
    ...(pen.lineJoin !== 'miter' && { 'stroke-linejoin': pen.lineJoin }),
    ...(pen.dash.length > 0 && { 'stroke-dasharray': pen.dash.map(short).join(' ') }),
    ...opacityOf(pen.globalAlpha),
  };
}

const opacityOf = (alpha: number): Record<string, string> =>
  alpha === 1 ? {} : { opacity: short(alpha) };

/** Attributes with a space in front of each. */
export function written(attributes: Readonly<Record<string, string>>): string {
  const all = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeXml(value)}"`);
  return all.join('');
}

export const rectPath = (x: number, y: number, width: number, height: number): string =>
  `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`;

/** A whole circle, of two halves. */
export const circlePath = (x: number, y: number, radius: number): string => {
  const half = (across: number) => `a${short(radius)} ${short(radius)} 0 0 1 ${short(across)} 0`;
  return `M${short(x + radius)} ${short(y)}${half(-2 * radius)}${half(2 * radius)}z`;
};

/** A hundredth of a px is as fine as a picture gets. */
export const short = (value: number): string => String(Math.round(value * 100) / 100);

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as XML has it: what XML cannot hold at all becomes the mark for an unknown character. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu, '\uFFFD')
    .replaceAll(/[&<>"']/g, (one) => ESCAPES[one] ?? '');
}
