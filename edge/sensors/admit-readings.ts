import type { NewReading, ReadingFault } from './contract/reading.ts';
import { SENSOR_LIMITS } from './contract/sensor.ts';

/** A reading with its time, in epoch milliseconds. */
export interface TimedReading {
  readonly at: number;
  readonly value: number;
}

export interface Admitted {
  /** In ascending order of time. */
  readonly readings: readonly TimedReading[];
  readonly rejected: number;
  /** The first faults, by index. */
  readonly faults: readonly ReadingFault[];
}

/** The context for judging a sensor's readings. */
interface Admission {
  readonly now: number;
  /** The time of the previous reading; undefined before the first. */
  readonly lastAt: number | undefined;
  readonly rateHz: number | undefined;
  readonly retentionMs: number;
}

const MAX_FAULTS = 100;
/** The spacing for a sensor without a stated rate. */
const UNKNOWN_SPACING_MS = 1;
/** The maximum spacing assumed for readings that arrive faster than the sensor's rate. */
const NEAR_MS = 100;

/**
 * Judges each reading of a request. A reading must be later than the previous one, so that
 * repeating a request stores nothing twice.
 */
export function admitReadings(given: readonly NewReading[], admission: Admission): Admitted {
  const times = timesOf(given, admission);
  const readings: TimedReading[] = [];
  const faults: ReadingFault[] = [];
  let last = admission.lastAt ?? -Infinity;
  let rejected = 0;
  for (const [index, { value }] of given.entries()) {
    const at = times[index] ?? admission.now;
    const fault = faultOf(at, last, admission);
    if (!fault) {
      readings.push({ at, value });
      last = at;
      continue;
    }
    rejected += 1;
    if (faults.length < MAX_FAULTS) faults.push({ index, ...fault });
  }
  return { readings, rejected, faults };
}

function faultOf(
  at: number,
  last: number,
  { now, retentionMs }: Admission,
): Omit<ReadingFault, 'index'> | undefined {
  const time = new Date(at).toISOString();
  if (at > now + SENSOR_LIMITS.aheadMs) {
    return { code: 'in_the_future', detail: `${time} lies more than 5 minutes ahead` };
  }
  if (at <= now - retentionMs) {
    return { code: 'too_old', detail: `${time} is older than readings are kept` };
  }
  if (at <= last) {
    const before = new Date(last).toISOString();
    return { code: 'not_later', detail: `${time} is not later than the reading before, ${before}` };
  }
  return undefined;
}

/** Readings without a time end now, or follow the previous one, spaced by the sensor's rate. */
function timesOf(given: readonly NewReading[], { now, lastAt, rateHz }: Admission): number[] {
  const rate = rateHz && Math.max(rateHz, SENSOR_LIMITS.leastRateHz);
  const spacing = rate === undefined ? UNKNOWN_SPACING_MS : Math.max(1, 1000 / rate);
  const gaps = given.length - 1;
  const begin = Math.max(now - gaps * spacing, (lastAt ?? -Infinity) + Math.min(spacing, NEAR_MS));
  const step = gaps > 0 ? Math.min(spacing, Math.max(NEAR_MS, (now - begin) / gaps)) : 0;
  return given.map(({ at }, index) =>
    at === undefined ? Math.round(begin + index * step) : Date.parse(at),
  );
}
