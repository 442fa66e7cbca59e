import type { Labels } from '../../../../edge/alerts/contract/alert-matcher.ts';
import type { Preview } from '../../../../edge/alerts/contract/alert-preview.ts';

/** A series by its labels, or a dash where it has none. */
export function seriesName(labels: Labels): string {
  const words = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  return words.length === 0 ? '–' : words.join(' ');
}

/** Every stretch of pending or firing, the latest first. */
export function spanRows({ series }: Preview) {
  return series
    .flatMap(({ labels, spans }) => {
      const name = seriesName(labels);
      return spans.map((span) => ({ ...span, name, key: `${name} ${span.state} ${span.from}` }));
    })
    .toSorted((a, b) => (a.from < b.from ? 1 : -1));
}
