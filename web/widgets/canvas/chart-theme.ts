/** The colours a canvas draws with, as CSS writes them. Read from the tokens, so both themes hold. */
export interface ChartTheme {
  readonly ink: string;
  readonly muted: string;
  readonly line: string;
  readonly surface: string;
  readonly accent: string;
  readonly spike: string;
  readonly series: readonly string[];
  readonly font: string;
}

const SERIES = ['--series-1', '--series-2', '--series-3', '--series-4', '--series-5', '--series-6'];

/** The dash of each series' line in px: colour is never the only difference. */
export const SERIES_DASHES: readonly (readonly number[])[] = [
  [],
  [7, 3],
  [2, 3],
  [10, 3, 2, 3],
  [5, 2, 2, 2, 2, 2],
  [14, 4],
];

export function readChartTheme(element: Element): ChartTheme {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return {
    ink: token('--ink'),
    muted: token('--ink-muted'),
    line: token('--line'),
    surface: token('--surface'),
    accent: token('--accent'),
    spike: token('--spike'),
    series: SERIES.map(token),
    font: style.fontFamily,
  };
}

/** Calls `listener` when the page changes between light and dark. */
export function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}

/** A token's `#rrggbb` as one pixel of an ImageData seen as u32: little-endian, so ABGR, and opaque. */
export function pixelOf(hex: string): number {
  const digits = /^#([0-9a-f]{6})$/i.exec(hex)?.[1];
  if (digits === undefined) throw new Error(`expected a colour as #rrggbb, not "${hex}"`);
  const rgb = Number.parseInt(digits, 16);
  const swapped = ((rgb & 0xff) << 16) | (rgb & 0xff00) | (rgb >>> 16);
  return (0xff000000 | swapped) >>> 0;
}
