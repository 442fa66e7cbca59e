/**
 * The part of `CanvasRenderingContext2D` that painters use. Contexts of a page, of an OffscreenCanvas and of canvas
 * packages for Node have it; `createSvgCanvas` writes SVG through it.
 */
export interface Context2d {
  readonly canvas: { readonly width: number; readonly height: number };
  fillStyle: string | object;
  strokeStyle: string | object;
  lineWidth: number;
  lineJoin: 'bevel' | 'miter' | 'round';
  globalAlpha: number;
  font: string;
  textAlign: 'center' | 'end' | 'left' | 'right' | 'start';
  textBaseline: 'alphabetic' | 'bottom' | 'hanging' | 'ideographic' | 'middle' | 'top';
  save(): void;
  restore(): void;
  scale(x: number, y: number): void;
  setLineDash(segments: number[]): void;
  beginPath(): void;
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  rect(x: number, y: number, width: number, height: number): void;
  /** Whole circles alone. */
  arc(x: number, y: number, radius: number, from: number, to: number): void;
  clip(): void;
  fill(): void;
  stroke(): void;
  fillRect(x: number, y: number, width: number, height: number): void;
  strokeRect(x: number, y: number, width: number, height: number): void;
  fillText(text: string, x: number, y: number): void;
}

/** Where a painter draws: coordinates are px of the picture, its pixels are `ratio` times finer. */
export interface Surface<C = Context2d> {
  readonly context: C;
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
  readonly theme: PictureTheme;
}

/** The colours and the typeface of a picture, as CSS writes them. */
export interface PictureTheme {
  readonly ink: string;
  /** Of numbers at axes. */
  readonly muted: string;
  /** Of the grid. */
  readonly line: string;
  /** Behind everything. */
  readonly surface: string;
  readonly accent: string;
  readonly spike: string;
  /** Of curves, in order. */
  readonly series: readonly string[];
  readonly font: string;
}

/** The dash of each series' line in px: colour is never the only difference. */
export const SERIES_DASHES: readonly (readonly number[])[] = [
  [],
  [7, 3],
  [2, 3],
  [10, 3, 2, 3],
  [5, 2, 2, 2, 2, 2],
  [14, 4],
];

const FONT = 'system-ui, sans-serif';

/** Those of the dashboard, in both of its themes. */
export const THEMES = {
  light: {
    ink: '#14201d',
    muted: '#4d5a55',
    line: '#d3dad4',
    surface: '#fcfdfb',
    accent: '#0b6560',
    spike: '#b5440a',
    series: ['#297ee7', '#a22e01', '#30957f', '#8908a2', '#a17903', '#575d64'],
    font: FONT,
  },
  dark: {
    ink: '#e7eeeb',
    muted: '#a5b3af',
    line: '#283235',
    surface: '#141b1d',
    accent: '#58c9b6',
    spike: '#ffa15c',
    series: ['#11a3fe', '#f37137', '#9cffdb', '#e063b8', '#f3be31', '#bcbebd'],
    font: FONT,
  },
} as const satisfies Readonly<Record<string, PictureTheme>>;
