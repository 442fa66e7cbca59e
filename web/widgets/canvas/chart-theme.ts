import type { PictureTheme } from '../../../engine/pictures.ts';

const SERIES = ['--series-1', '--series-2', '--series-3', '--series-4', '--series-5', '--series-6'];

/** The colours a canvas draws with. Read from the tokens, so both themes hold. */
export function readChartTheme(element: Element): PictureTheme {
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
