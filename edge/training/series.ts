import type { MetricPoint } from './contract/job-event.ts';

/** The most points that are kept of a seat. */
export const MOST_POINTS = 1000;
/** Points in a row of the table. */
export const CHUNK_POINTS = 100;

/** Which points of a seat are kept: every `stride`-th of those that come. */
export interface SeriesHead {
  readonly stride: number;
  /** Points that came and were not kept since the last one that was. */
  readonly skipped: number;
  readonly kept: number;
}

export const NEW_SERIES: SeriesHead = { stride: 1, skipped: 0, kept: 0 };

export interface Appended {
  readonly head: SeriesHead;
  readonly points: readonly MetricPoint[];
}

/** Chooses which of the points that came are kept. */
export function choosePoints(head: SeriesHead, arrived: readonly MetricPoint[]): Appended {
  const { stride } = head;
  const points = arrived.filter((_, i) => (head.skipped + i + 1) % stride === 0);
  const skipped = (head.skipped + arrived.length) % stride;
  return { head: { stride, skipped, kept: head.kept + points.length }, points };
}

/** Every second point from the first on, and from now on at that distance: the curve stays even. */
export function thinOut({ head, points }: Appended): Appended {
  if (points.length <= MOST_POINTS) return { head, points };
  const kept = points.filter((_, i) => i % 2 === 0);
  const { stride, skipped } = head;
  const sinceKept = skipped + (points.length % 2 === 0 ? stride : 0);
  return thinOut({
    head: { stride: stride * 2, skipped: sinceKept, kept: kept.length },
    points: kept,
  });
}

type Packed = readonly (number | null)[];

/** A point as an array, without the seat it lies under. */
export const packPoint = (point: MetricPoint): Packed => FIELDS.map((field) => point[field]);

export function unpackPoint(packed: Packed, seat: number): MetricPoint {
  const values = Object.fromEntries(FIELDS.map((field, i) => [field, packed[i] ?? null]));
  // The fields that are never null were written by packPoint.
  return { ...values, seat } as MetricPoint;
}

const FIELDS = [
  'step',
  'time',
  'train_loss',
  'valid_loss',
  'tokens_per_s',
  'spike_rate',
  'learning_rate',
  'grad_norm',
] as const satisfies readonly (keyof MetricPoint)[];
