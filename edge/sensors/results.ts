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

/** A registration whose encoding is complete. */
export interface Registration extends Bounds {
  readonly owner: string;
  readonly sensor: NewSensor;
  readonly encoding: SensorEncoding;
}

export type RegisterResult =
  | { readonly kind: 'registered' | 'renewed'; readonly record: SensorRecord }
  /** It is there with another type or unit. */
  | { readonly kind: 'other'; readonly type: string; readonly unit: string }
  | { readonly kind: 'full' }
  /** More than its owner or his team may have: what they have. */
  | { readonly kind: 'over-quota'; readonly used: Used };

export interface SensorRange {
  readonly limit: number;
  /** Numbers of sensors below this one. */
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

/** Which readings are asked for: times in epoch milliseconds, `seq` beyond a place. */
export interface ReadingRange {
  readonly from: number;
  readonly to: number;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  /** After this one, or before it where the order is descending; undefined for all. */
  readonly beyond: number | undefined;
}

export interface ReadingPage {
  readonly unit: string;
  readonly encoding: SensorEncoding;
  readonly readings: readonly Reading[];
  readonly next: number | undefined;
}

/** What a series is of, in epoch milliseconds; from the first reading that is kept where `from` is undefined. */
export interface SeriesRange {
  readonly from: number | undefined;
  readonly to: number;
  readonly steps: number;
}

/** Steps of equal length that have readings; `at` is where one begins. */
export interface Series {
  readonly unit: string;
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
  readonly points: readonly (Omit<ReadingSeriesPoint, 'at'> & { readonly at: number })[];
}

/** What came since a place, held back until something did. */
export interface FollowedReadings {
  readonly readings: readonly Reading[];
  /** The last of them, or where there was none the place that was asked for. */
  readonly seq: number;
}
