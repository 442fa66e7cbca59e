import { valueOf, type Window } from '../monitoring/aggregate.ts';
import type { Catalogue, Family } from '../monitoring/catalogue.ts';
import type { Labels } from '../monitoring/sample.ts';
import type { SelectedSeries, WindowFunction } from './source.ts';

/** The component series of a histogram or summary, as Prometheus stores them. */
type PartName = 'bucket' | 'sum' | 'count' | 'quantile';

interface Named {
  readonly family: Family;
  readonly part: PartName | undefined;
}

/** The functions that the components of a distribution support: its latest state, and its increase. */
export const PART_FUNCTIONS: ReadonlySet<WindowFunction> = new Set(['last', 'rate', 'increase']);

/** The metrics a name refers to, of one service or all: one for each type that services use. */
export function partsNamed(
  catalogue: Catalogue,
  name: string,
  service: string | undefined,
): readonly Named[] {
  const whole = catalogue.find({ name, service }).flatMap((family): Named[] => {
    if (family.type === 'histogram') return [];
    return [{ family, part: family.type === 'summary' ? 'quantile' : undefined }];
  });
  const [, base, part] = /^(.+)_(bucket|sum|count)$/.exec(name) ?? [];
  if (base === undefined || part === undefined) return whole;
  const types = part === 'bucket' ? ['histogram'] : ['histogram', 'summary'];
  const parts = catalogue
    .find({ name: base, service })
    .filter(({ type }) => types.includes(type))
    // One of the three that the pattern names.
    .map((family) => ({ family, part: part as PartName }));
  return [...whole, ...parts];
}

interface Read {
  readonly labels: Labels;
  readonly part: PartName | undefined;
  readonly fn: WindowFunction;
  readonly windowS: number;
}

type Windows = readonly (Window | undefined)[];

/** The values of a series, or of the series its part has: one for each bucket or quantile. */
export function valuesOfPart(read: Read, windows: Windows): readonly SelectedSeries[] {
  const { labels, part, fn, windowS } = read;
  if (part === undefined) {
    const values = windows.map((window) => (window && valueOf(window, fn, windowS)) ?? undefined);
    return shown([{ labels, values }]);
  }
  const scale = fn === 'rate' ? 1 / windowS : 1;
  const state = (window: Window | undefined) => (fn === 'last' ? window?.state : window?.observed);
  const valuesBy = (value: (window: Window) => number | undefined) =>
    windows.map((window) => {
      const found = window && value(window);
      return found === undefined || Number.isNaN(found) ? undefined : found * scale;
    });
  if (part === 'sum') return shown([{ labels, values: valuesBy((window) => state(window)?.sum) }]);
  if (part === 'count')
    return shown([{ labels, values: valuesBy((window) => state(window)?.count) }]);
  if (part === 'bucket') {
    const bounds = new Set(windows.flatMap((window) => state(window)?.le ?? []));
    const bound = (le: number) => valuesBy((window) => countUpTo(state(window), le));
    return shown([
      ...[...bounds].map((le) => ({ labels: { ...labels, le: String(le) }, values: bound(le) })),
      { labels: { ...labels, le: '+Inf' }, values: valuesBy((window) => state(window)?.count) },
    ]);
  }
  const quantiles = windows.flatMap((window) => window?.state?.quantiles ?? []);
  return shown(
    [...new Set(quantiles.map(([quantile]) => quantile))].map((quantile) => ({
      labels: { ...labels, quantile: String(quantile) },
      values: valuesBy((window) => window.state?.quantiles?.find(([q]) => q === quantile)?.[1]),
    })),
  );
}

const shown = (series: readonly SelectedSeries[]): readonly SelectedSeries[] =>
  series.filter(({ values }) => values.some((value) => value !== undefined));

/** Undefined where there was no such bucket then. */
function countUpTo(state: Window['observed'], le: number): number | undefined {
  const i = state?.le.indexOf(le) ?? -1;
  return i < 0 ? undefined : state?.counts[i];
}
