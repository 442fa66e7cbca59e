import type { Aggregation } from './contract/metrics-query.ts';
import type { Labels } from './sample.ts';

/** Which series are looked at, over which window, and how their samples become one number. */
export interface MetricQuery {
  readonly metric: string;
  /** Only series with all of these labels, such as `{ service: 'gateway', status: '5xx' }`. */
  readonly labels?: Labels;
  readonly agg: Aggregation;
  readonly window_s: number;
  /**
   * Aggregates the series that agree in these labels: `['service']` gives the p99 of a service over all
   * its routes. Rates, counts and latest values are summed. By default series are not aggregated.
   */
  readonly by?: readonly string[];
}

export interface EvaluateQuery extends MetricQuery {
  /** The end of the window, in milliseconds since 1970. */
  readonly at: number;
}

/** One series' value; a series without samples in the window, or without a value, is not listed. */
export interface Evaluated {
  readonly labels: Labels;
  readonly value: number;
}

export interface HistoryQuery extends MetricQuery {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** A value is computed every so many seconds, each over `window_s` before it. */
  readonly step_s: number;
}

export interface HistorySeries {
  readonly labels: Labels;
  /** Milliseconds since 1970, and the value of `evaluate` at that time. */
  readonly points: readonly (readonly [at: number, value: number])[];
}

/** A source of metric values, implemented by the Monitoring object. */
export interface MetricSource {
  evaluate(query: EvaluateQuery): Promise<readonly Evaluated[]>;
  history(query: HistoryQuery): Promise<readonly HistorySeries[]>;
  /** The number of series that a query reads. */
  count(query: MetricQuery): Promise<number>;
}
