import type { Labels } from '../monitoring/sample.ts';

/** Functions of the samples of a series in a window; `last` is the latest value. */
export type WindowFunction = 'last' | 'avg' | 'min' | 'max' | 'sum' | 'count' | 'rate' | 'increase';

/** A question to the store about one metric, or a part of a histogram such as `x_bucket`. */
export interface SelectQuery {
  readonly metric: string;
  /** Only series with all of these labels. */
  readonly labels: Labels;
  readonly fn: WindowFunction;
  readonly windowS: number;
  /** Ends of the windows: the first, how many, and the milliseconds between them. */
  readonly from: number;
  readonly steps: number;
  readonly stepMs: number;
  /** The maximum number of values in the result. */
  readonly maxPoints: number;
}

export interface SelectedSeries {
  readonly labels: Labels;
  readonly values: readonly (number | undefined)[];
}

export type SelectResult =
  | { readonly kind: 'selected'; readonly series: readonly SelectedSeries[] }
  | { readonly kind: 'too-many'; readonly series: number; readonly most: number }
  /** The samples of a histogram are not stored per component. */
  | { readonly kind: 'no-part'; readonly type: string };

/** Answers such questions: the Monitoring object does, through `MONITORING`. */
export interface SeriesSource {
  select(query: SelectQuery): Promise<SelectResult>;
}
