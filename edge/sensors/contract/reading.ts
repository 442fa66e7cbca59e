import * as z from 'zod/mini';
import { Seq } from '../../contract/event-query.ts';
import { Cursor } from '../../contract/paging.ts';
import { Timestamp, TimestampInput } from '../../contract/timestamp.ts';
import { SensorEncoding } from './encoding.ts';
import { SENSOR_LIMITS, SensorId, SensorOwner } from './sensor.ts';

/** A measured value; JSON has no non-finite numbers. */
export const NewReading = z.strictObject({
  value: z.number(),
  /** The time; by default, the readings of a request end now, spaced by the sensor's rate. */
  at: z.optional(TimestampInput),
});
export type NewReading = z.output<typeof NewReading>;

/** The body of `POST /v1/sensor/sensors/{sensor_id}/readings`, the oldest first. */
export const NewReadings = z.strictObject({
  readings: z.array(NewReading).check(z.minLength(1), z.maxLength(SENSOR_LIMITS.batch)),
  /** Must match the sensor's unit where it is given. */
  unit: z.optional(z.string().check(z.maxLength(32))),
});
export type NewReadings = z.output<typeof NewReadings>;

const Steps = z.array(z.int());

/** The time steps in which a reading's neurons fired; `off` is used by the delta code only. */
export const ReadingSpikes = z.object({ on: Steps, off: Steps });
export type ReadingSpikes = z.infer<typeof ReadingSpikes>;

export const Reading = z.object({
  /** Counts a sensor's readings from 1 without gaps, in ascending order of time. */
  seq: z.int(),
  at: Timestamp,
  value: z.number(),
  spikes: ReadingSpikes,
});
export type Reading = z.infer<typeof Reading>;

/** Why a reading was rejected: not later than the previous one, or in the future. */
export const ReadingFault = z.object({
  index: z.int(),
  code: z.enum(['not_later', 'in_the_future', 'too_old']),
  detail: z.string(),
});
export type ReadingFault = z.infer<typeof ReadingFault>;

/** The response to storing readings, which are durable then. */
export const StoredReadings = z.object({
  accepted: z.int(),
  rejected: z.int(),
  /** The first hundred rejected readings. */
  errors: z.array(ReadingFault),
  /** Of the last stored reading; 0 where there is none. */
  last_seq: z.int(),
  /** Spikes of the accepted readings. */
  spikes: z.int(),
});
export type StoredReadings = z.infer<typeof StoredReadings>;

/** The maximum number of readings or steps in a response. */
const AnswerCount = z.pipe(
  z.string().check(z.regex(/^(?:[1-9]\d{0,2}|1000)$/, 'expected a whole number from 1 to 1000')),
  z.transform(Number),
);

/** `from` is inclusive and `to` exclusive. */
export const ReadingQuery = z.strictObject({
  ...SensorOwner.shape,
  from: z.optional(TimestampInput),
  to: z.optional(TimestampInput),
  order: z.prefault(z.enum(['asc', 'desc']), 'asc'),
  limit: z.prefault(AnswerCount, '100'),
  cursor: z.optional(Cursor),
});
export type ReadingQuery = z.output<typeof ReadingQuery>;

/** `from` is inclusive and `to` exclusive; by default from the first stored reading up to now. */
export const ReadingSeriesQuery = z
  .strictObject({
    ...SensorOwner.shape,
    from: z.optional(TimestampInput),
    to: z.optional(TimestampInput),
    steps: z.prefault(AnswerCount, '200'),
  })
  .check(
    z.refine(
      ({ from, to }) => !from || !to || Date.parse(from) < Date.parse(to),
      'expected from before to',
    ),
  );
export type ReadingSeriesQuery = z.output<typeof ReadingSeriesQuery>;

/** The aggregated readings of one time step, and the number of their spikes. */
export const ReadingSeriesPoint = z.object({
  /** The start of the step. */
  at: Timestamp,
  readings: z.int(),
  min: z.number(),
  mean: z.number(),
  max: z.number(),
  on: z.int(),
  off: z.int(),
});
export type ReadingSeriesPoint = z.infer<typeof ReadingSeriesPoint>;

/**
 * The response of `GET /v1/sensor/sensors/{sensor_id}/series`; a step without readings has no
 * point.
 */
export const ReadingSeries = z.object({
  sensor_id: SensorId,
  unit: z.string(),
  from: Timestamp,
  to: Timestamp,
  step_ms: z.int(),
  /** The total number of readings. */
  readings: z.int(),
  points: z.array(ReadingSeriesPoint),
});
export type ReadingSeries = z.infer<typeof ReadingSeries>;

/** The response of `GET /v1/sensor/sensors/{sensor_id}/readings`. */
export const ReadingList = z.object({
  sensor_id: SensorId,
  unit: z.string(),
  encoding: SensorEncoding,
  readings: z.array(Reading),
  has_more: z.boolean(),
  next_cursor: z.nullable(z.string()),
});
export type ReadingList = z.infer<typeof ReadingList>;

/** `after` is the `seq` to resume after; by default the last hundred readings come first. */
export const ReadingStreamQuery = z.strictObject({
  ...SensorOwner.shape,
  after: z.optional(Seq),
});
export type ReadingStreamQuery = z.output<typeof ReadingStreamQuery>;

/** `data` of an `event: readings`; its id is the `seq` of the last of them. */
export const ReadingEvent = z.object({ readings: z.array(Reading) });
export type ReadingEvent = z.infer<typeof ReadingEvent>;
