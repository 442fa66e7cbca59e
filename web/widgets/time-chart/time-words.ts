import type { Language } from '../../i18n/language.ts';
import type { TableData } from '../chart/table-data.ts';
import { timeOf, type TimeGrid } from './time-scale.ts';
import type { ChartText } from '../chart/chart-text.ts';

/** A curve with its values on the grid. */
export interface GridSeries {
  readonly name: string;
  readonly values: Float64Array;
}

export type WriteValue = (value: number) => string;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Writes the moments of an axis: times of day, with seconds where it spans minutes, dates where it spans days. */
export function tickFormat(language: Language, spanMs: number): (at: number) => string {
  const format = new Intl.DateTimeFormat(language, tickParts(spanMs));
  return (at) => format.format(at);
}

function tickParts(spanMs: number): Intl.DateTimeFormatOptions {
  if (spanMs > 2 * DAY_MS) return { month: 'numeric', day: 'numeric' };
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return spanMs > 5 * MINUTE_MS ? time : { ...time, second: '2-digit' };
}

/** Writes a moment with its date and seconds. */
export function momentFormat(language: Language): (at: number) => string {
  const format = new Intl.DateTimeFormat(language, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  return (at) => format.format(at);
}

/** One sentence a curve: its newest value, and its lowest and highest. */
export function sentencesOf({ t }: ChartText, series: readonly GridSeries[], write: WriteValue) {
  return series.flatMap(({ name, values }) => {
    const known = values.filter((value) => !Number.isNaN(value));
    const last = known.at(-1);
    if (last === undefined) return [];
    const low = write(known.reduce((a, b) => Math.min(a, b)));
    const high = write(known.reduce((a, b) => Math.max(a, b)));
    return t('time.sentence', { name, value: write(last), low, high });
  });
}

/** Values at a step: its time, and the value of each curve that has one. */
export function readingOf(
  text: ChartText,
  series: readonly GridSeries[],
  {
    grid,
    step,
    write,
  }: { readonly grid: TimeGrid; readonly step: number; readonly write: WriteValue },
): string {
  const values = series.flatMap(({ name, values: all }) => {
    const value = all[step] ?? Number.NaN;
    return Number.isNaN(value) ? [] : text.t('series.value', { name, value: write(value) });
  });
  const at = momentFormat(text.language)(timeOf(grid, step));
  return text.t('time.reading', {
    at,
    values: values.length === 0 ? text.t('time.nothing') : text.format.list(values),
  });
}

/** A row for each step at which something was measured. */
export function tableOf(
  { t }: ChartText,
  series: readonly GridSeries[],
  grid: TimeGrid,
): TableData {
  const steps = Array.from({ length: grid.count }, (_, step) => step);
  return {
    columns: [t('time.column'), ...series.map(({ name }) => name)],
    rows: steps
      .filter((step) => series.some(({ values }) => !Number.isNaN(values[step] ?? Number.NaN)))
      .toReversed()
      .map((step) => [
        new Date(timeOf(grid, step)).toISOString(),
        ...series.map(({ values }) => cell(values[step] ?? Number.NaN)),
      ]),
  };
}

const cell = (value: number) => (Number.isNaN(value) ? '' : String(Number(value.toPrecision(6))));
