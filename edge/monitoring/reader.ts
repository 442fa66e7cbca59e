import {
  type Aggregation,
  type MetricPoint,
  type MetricSeries,
  QUERY_LIMITS,
} from './contract/metrics-query.ts';
import {
  addWindows,
  AGGREGATIONS,
  DEFAULT_AGGREGATION,
  valueOf,
  type Window,
  type Windows,
  windowsOf,
} from './aggregate.ts';
import type { Catalogue, Family, Series } from './catalogue.ts';
import type { Labels } from './sample.ts';
import type {
  Evaluated,
  EvaluateQuery,
  HistoryQuery,
  HistorySeries,
  MetricQuery,
} from './query.ts';
import { gridMs, type Resolution, resolutionFor, startOf } from './tiers.ts';
import { PROMQL_LIMITS } from '../promql/limits.ts';
import { PART_FUNCTIONS, partsNamed, valuesOfPart } from '../promql/parts.ts';
import type { SelectedSeries, SelectQuery, SelectResult } from '../promql/source.ts';
import type { MetricLog } from './metric-log.ts';

/** A total is followed from this far before a window on, where samples are that rare. */
const LOOKBACK_MS = 300_000;

/** A question about one service; times in milliseconds. */
export interface ServiceQuery {
  readonly service: string;
  readonly name: string | undefined;
  readonly labels: readonly (readonly [string, string])[];
  readonly agg: Aggregation | undefined;
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
  readonly now: number;
}

export interface ServiceAnswer {
  readonly stepMs: number;
  readonly series: readonly MetricSeries[];
  readonly total: number;
}

interface Labelled {
  readonly labels: Labels;
  readonly windows: ReadonlyMap<number, Window>;
}

/** Answers questions from what a catalogue and a log hold. */
export class MetricReader {
  readonly #catalogue: Catalogue;
  readonly #log: MetricLog;

  constructor(catalogue: Catalogue, log: MetricLog) {
    this.#catalogue = catalogue;
    this.#log = log;
  }

  ofService(query: ServiceQuery): ServiceAnswer {
    const { service, name, agg, from, to, now } = query;
    const resolution = resolutionFor({ from, stepMs: query.stepMs, now });
    const stepMs = Math.ceil(query.stepMs / gridMs(resolution)) * gridMs(resolution);
    const starts = [...range(startOf(from, stepMs), to, stepMs)];
    const windows = { starts, widthMs: stepMs, lookbackMs: lookbackOf(stepMs) };
    const wanted = this.#catalogue
      .find({ service, name })
      .filter(({ type }) => agg === undefined || AGGREGATIONS[type].includes(agg))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((family) => [family, matching(family, query.labels)] as const);
    let room = Math.min(QUERY_LIMITS.series, Math.floor(QUERY_LIMITS.allPoints / starts.length));
    const series: MetricSeries[] = [];
    for (const [family, all] of wanted) {
      const shown = all.slice(0, room);
      room -= shown.length;
      if (shown.length === 0) continue;
      const found = this.#windows(family, shown, { resolution, windows });
      const suits = agg ?? DEFAULT_AGGREGATION[family.type];
      for (const one of shown) {
        const points = pointsOf(found.get(one) ?? new Map(), { agg: suits, stepMs, now });
        series.push(seriesOf(family, one, { agg: suits, points }));
      }
    }
    return { stepMs, series, total: wanted.reduce((sum, [, all]) => sum + all.length, 0) };
  }

  evaluate(query: EvaluateQuery, now: number): readonly Evaluated[] {
    return this.#labelled(query, [query.at], now).flatMap(({ labels, windows }) => {
      const window = windows.get(query.at);
      const value = window ? valueOf(window, query.agg, query.window_s) : null;
      return value === null ? [] : [{ labels, value }];
    });
  }

  history(query: HistoryQuery, now: number): readonly HistorySeries[] {
    const ends = [...range(query.from, query.to + 1, query.step_s * 1000)];
    return this.#labelled(query, ends, now).map(({ labels, windows }) => ({
      labels,
      points: [...windows].flatMap(([end, window]) => {
        const value = valueOf(window, query.agg, query.window_s);
        return value === null ? [] : [[end, value] as const];
      }),
    }));
  }

  /** The number of series that a query reads. */
  count({ metric, labels = {} }: MetricQuery): number {
    const families = this.#catalogue.find({ name: metric, service: labels['service'] });
    const wanted = Object.entries(labels);
    return families.reduce((sum, family) => sum + matching(family, wanted).length, 0);
  }

  /** The series of a metric, or of a part of a histogram or summary, at the times of a query. */
  select(query: SelectQuery, now: number): SelectResult {
    const { metric, labels, fn, windowS, from, steps, stepMs, maxPoints } = query;
    const most = Math.min(PROMQL_LIMITS.series, Math.floor(maxPoints / steps));
    const ends = Array.from({ length: steps }, (_, i) => from + i * stepMs);
    const cut = cutting(ends, windowS, now);
    const found: SelectedSeries[] = [];
    for (const { family, part } of partsNamed(this.#catalogue, metric, labels['service'])) {
      if (part && !PART_FUNCTIONS.has(fn)) return { kind: 'no-part', type: family.type };
      const shown = matching(family, Object.entries(labels));
      if (found.length + shown.length > most) {
        return { kind: 'too-many', series: found.length + shown.length, most };
      }
      for (const [series, windows] of this.#windows(family, shown, cut)) {
        const own = ends.map((end) => windows.get(cut.startFor(end)));
        found.push(...valuesOfPart({ labels: series.labels, part, fn, windowS }, own));
        if (found.length > most) return { kind: 'too-many', series: found.length, most };
      }
    }
    return { kind: 'selected', series: found };
  }

  /** The windows, by their end, of the series a question is about, joined by the labels it names. */
  #labelled(query: MetricQuery, ends: readonly number[], now: number): readonly Labelled[] {
    const { metric, labels = {}, agg, by, window_s } = query;
    const cut = cutting(ends, window_s, now);
    const { startFor } = cut;
    const { starts } = cut.windows;
    const groups = new Map<string, Labelled>();
    for (const family of this.#catalogue.find({ name: metric, service: labels['service'] })) {
      if (!AGGREGATIONS[family.type].includes(agg)) continue;
      const shown = matching(family, Object.entries(labels));
      for (const [series, own] of this.#windows(family, shown, cut)) {
        const group = by ? pick(series.labels, by) : series.labels;
        const key = JSON.stringify(group);
        const known = groups.get(key);
        groups.set(key, {
          labels: group,
          windows: known ? addAll(known.windows, own, starts) : own,
        });
      }
    }
    return [...groups.values()].map((group) => ({
      labels: group.labels,
      windows: new Map(
        ends.flatMap((end) => {
          const window = group.windows.get(startFor(end));
          return window ? [[end, window] as const] : [];
        }),
      ),
    }));
  }

  #windows(
    family: Family,
    shown: readonly Series[],
    { resolution, windows }: Pick<Cutting, 'resolution' | 'windows'>,
  ): ReadonlyMap<Series, ReadonlyMap<number, Window>> {
    const [first = 0] = windows.starts;
    const last = windows.starts.at(-1) ?? 0;
    const from = first - windows.lookbackMs;
    const cells = this.#log.cells(family.id, resolution, { from, to: last + windows.widthMs });
    return new Map(
      shown.flatMap((series) => {
        const own = cells.get(series.id);
        return own ? [[series, windowsOf(own, windows)] as const] : [];
      }),
    );
  }
}

/** The resolution and windows for a list of end times, and the start of each. */
interface Cutting {
  readonly resolution: Resolution;
  readonly windows: Windows;
  readonly startFor: (end: number) => number;
}

function cutting(ends: readonly number[], windowS: number, now: number): Cutting {
  const [first = now] = ends;
  const resolution = resolutionFor({ from: first - windowS * 1000, stepMs: 1, now });
  // Rollups answer for whole stretches: the window is as wide as one, and starts where one does.
  const widthMs = Math.max(windowS * 1000, gridMs(resolution));
  const startFor = (end: number) => startOf(end + 1 - widthMs, gridMs(resolution));
  const starts = [...new Set(ends.map(startFor))];
  return { resolution, windows: { starts, widthMs, lookbackMs: lookbackOf(widthMs) }, startFor };
}

const lookbackOf = (widthMs: number): number => Math.max(LOOKBACK_MS, widthMs);

function* range(from: number, to: number, step: number): Generator<number> {
  for (let at = from; at < to; at += step) yield at;
}

function matching(
  { series }: Family,
  labels: readonly (readonly [string, string])[],
): readonly Series[] {
  return [...series.values()].filter((one) =>
    labels.every(([name, value]) => (one.labels[name] ?? '') === value),
  );
}

const pick = (labels: Labels, names: readonly string[]): Labels =>
  Object.fromEntries(Object.entries(labels).filter(([name]) => names.includes(name)));

function addAll(
  a: ReadonlyMap<number, Window>,
  b: ReadonlyMap<number, Window>,
  starts: readonly number[],
): ReadonlyMap<number, Window> {
  const joined = new Map<number, Window>();
  for (const start of starts) {
    const left = a.get(start);
    const right = b.get(start);
    const both = left && right ? addWindows(left, right) : (left ?? right);
    if (both) joined.set(start, both);
  }
  return joined;
}

interface Shape {
  readonly agg: Aggregation;
  readonly stepMs: number;
  readonly now: number;
}

/** A rate over a step that has just begun says little: it is shown once half of the step is over. */
function pointsOf(
  windows: ReadonlyMap<number, Window>,
  { agg, stepMs, now }: Shape,
): MetricPoint[] {
  const points: MetricPoint[] = [];
  for (const [start, window] of windows) {
    const passedMs = Math.max(1, Math.min(stepMs, now - start));
    if (agg === 'rate' && passedMs < stepMs / 2) continue;
    points.push([start / 1000, valueOf(window, agg, passedMs / 1000)]);
  }
  return points;
}

function seriesOf(
  { name, type, unit, help }: Family,
  { labels, latest }: Series,
  { agg, points }: Pick<MetricSeries, 'agg' | 'points'>,
): MetricSeries {
  const value = typeof latest?.value === 'object' ? latest.value.count : latest?.value;
  return {
    name,
    type,
    unit,
    help,
    labels: { ...labels },
    agg,
    points,
    last: value !== undefined && Number.isFinite(value) ? value : null,
    last_at: latest ? new Date(latest.at).toISOString() : null,
  };
}
