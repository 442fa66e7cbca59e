import type { Used } from '../http/ownership.ts';
import type { Bounds } from '../memory/usage.ts';
import type { SensorEncoding } from './contract/encoding.ts';
import type {
  NewReading,
  Reading,
  ReadingSeriesPoint,
  StoredReadings,
} from './contract/reading.ts';
import type { NewSensor, SensorRecord } from './contract/sensor.ts';

/** A registration with its complete encoding. */
export interface Registration extends Bounds {
  readonly owner: string;
  readonly sensor: NewSensor;
  readonly encoding: SensorEncoding;
}

export type RegisterResult =
  | { readonly kind: 'registered' | 'renewed'; readonly record: SensorRecord }
  /** It exists with another type or unit. */
  | { readonly kind: 'other'; readonly type: string; readonly unit: string }
  | { readonly kind: 'full' }
  /** The usage, where the quota is exceeded. */
  | { readonly kind: 'over-quota'; readonly used: Used };

export interface SensorRange {
  readonly limit: number;
  /** Only sensors numbered below this one. */
  readonly before: number;
  readonly type: string | undefined;
  readonly nodeId: string | undefined;
}

export interface SensorPage {
  readonly sensors: readonly SensorRecord[];
  readonly total: number;
  readonly next: number | undefined;
}

export interface NewReadingsOf {
  readonly sensorId: string;
  readonly unit: string | undefined;
  readonly readings: readonly NewReading[];
}

export type StoreReadingsResult =
  | { readonly kind: 'stored'; readonly stored: StoredReadings }
  | { readonly kind: 'no-sensor' }
  | { readonly kind: 'other-unit'; readonly unit: string }
  | { readonly kind: 'too-many'; readonly waitMs: number };

/** A range of readings: times in epoch milliseconds, `seq` beyond a position. */
export interface ReadingRange {
  readonly from: number;
  readonly to: number;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  /** Beyond this one in the given order; undefined for all. */
  readonly beyond: number | undefined;
}

export interface ReadingPage {
  readonly unit: string;
  readonly encoding: SensorEncoding;
  readonly readings: readonly Reading[];
  readonly next: number | undefined;
}

/**
 * The range of a series, in epoch milliseconds; from the first stored reading where `from` is
 * undefined.
 */
export interface SeriesRange {
  readonly from: number | undefined;
  readonly to: number;
  readonly steps: number;
}

/** Steps of equal length that have readings; `at` is the start of one. */
export interface Series {
  readonly unit: string;
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
  readonly points: readonly (Omit<ReadingSeriesPoint, 'at'> & { readonly at: number })[];
}

/** The readings since a position. */
export interface ReadingsSince {
  readonly readings: readonly Reading[];
  /** The last of them, or the requested position where there is none. */
  readonly seq: number;
}
