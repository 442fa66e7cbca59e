import type { Labels } from '../monitoring/sample.ts';

/** The values of one series at the times of a query; undefined where it has none. */
export interface Series {
  /** The name of the metric; null for a computed series. */
  readonly name: string | null;
  readonly labels: Labels;
  readonly values: readonly (number | undefined)[];
}

export type Value =
  | { readonly type: 'scalar'; readonly values: readonly number[] }
  | { readonly type: 'vector'; readonly series: readonly Series[] };

export const vectorOf = (series: readonly Series[]): Value => ({ type: 'vector', series });

/** The labels that a choice of names leaves, in the order of their names. */
export function keep(labels: Labels, wanted: (name: string) => boolean): Labels {
  const kept = Object.entries(labels).filter(([name]) => wanted(name));
  return Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export const keyOf = (labels: Labels): string => JSON.stringify(Object.entries(labels).toSorted());

/** The same series with other values and without the name of its metric. */
export const mapped = (series: Series, compute: (value: number, i: number) => number): Series => ({
  name: null,
  labels: series.labels,
  values: series.values.map((value, i) => (value === undefined ? undefined : compute(value, i))),
});

/** Series that have a value at some time. */
export const present = (all: readonly Series[]): readonly Series[] =>
  all.filter(({ values }) => values.some((value) => value !== undefined));
