import * as z from 'zod/mini';
import { Seq } from '../../contract/event-query.ts';
import { Cursor } from '../../contract/paging.ts';
import { Timestamp, TimestampInput } from '../../contract/timestamp.ts';
import { SensorEncoding } from './encoding.ts';
import { SENSOR_LIMITS, SensorId, SensorOwner } from './sensor.ts';

/** A number that a sensor measured; one that is not finite is none in JSON. */
export const NewReading = z.strictObject({
  value: z.number(),
  /** When; where it is left out, readings of a request end now and lie as far apart as the sensor's rate says. */
  at: z.optional(TimestampInput),
});
export type NewReading = z.output<typeof NewReading>;

/** The body of `POST /v1/sensor/sensors/{sensor_id}/readings`, the oldest first. */
export const NewReadings = z.strictObject({
  readings: z.array(NewReading).check(z.minLength(1), z.maxLength(SENSOR_LIMITS.batch)),
  /** Where it is given, it has to be the sensor's. */
  unit: z.optional(z.string().check(z.maxLength(32))),
});
export type NewReadings = z.output<typeof NewReadings>;
export type NewReadingsInput = z.input<typeof NewReadings>;

const Steps = z.array(z.int());

/** The steps of a reading in which its neurons fired; `off` has some in the delta code only. */
export const ReadingSpikes = z.object({ on: Steps, off: Steps });
export type ReadingSpikes = z.infer<typeof ReadingSpikes>;

export const Reading = z.object({
  /** Counts a sensor's readings from 1 without gaps; their times rise with it. */
  seq: z.int(),
  at: Timestamp,
  value: z.number(),
  spikes: ReadingSpikes,
});
export type Reading = z.infer<typeof Reading>;

/** Why a reading of a request was not taken: it is not later than the one before it, or in the future. */
export const ReadingFault = z.object({
  index: z.int(),
  code: z.enum(['not_later', 'in_the_future', 'too_old']),
  detail: z.string(),
});
export type ReadingFault = z.infer<typeof ReadingFault>;

/** What storing readings answers; they are kept for good then. */
export const StoredReadings = z.object({
  accepted: z.int(),
  rejected: z.int(),
  /** The first hundred of those that were rejected. */
  errors: z.array(ReadingFault),
  /** Of the last reading that is kept; 0 where there is none. */
  last_seq: z.int(),
  /** Spikes of those that were accepted. */
  spikes: z.int(),
});
export type StoredReadings = z.infer<typeof StoredReadings>;

/** How many readings or steps an answer may hold. */
const AnswerCount = z.pipe(
  z.string().check(z.regex(/^(?:[1-9]\d{0,2}|1000)$/, 'expected a whole number from 1 to 1000')),
  z.transform(Number),
);

/** `from` is in and `to` is not. */
export const ReadingQuery = z.strictObject({
  ...SensorOwner.shape,
  from: z.optional(TimestampInput),
  to: z.optional(TimestampInput),
  order: z.prefault(z.enum(['asc', 'desc']), 'asc'),
  limit: z.prefault(AnswerCount, '100'),
  cursor: z.optional(Cursor),
});
export type ReadingQuery = z.output<typeof ReadingQuery>;

/** `from` is in and `to` is not; from the first reading that is kept, and up to now where they are left out. */
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

/** The readings of one step of time, and how many spikes they became. */
export const ReadingSeriesPoint = z.object({
  /** When the step begins. */
  at: Timestamp,
  readings: z.int(),
  min: z.number(),
  mean: z.number(),
  max: z.number(),
  on: z.int(),
  off: z.int(),
});
export type ReadingSeriesPoint = z.infer<typeof ReadingSeriesPoint>;

/** What `GET /v1/sensor/sensors/{sensor_id}/series` answers; a step without readings has no point. */
export const ReadingSeries = z.object({
  sensor_id: SensorId,
  unit: z.string(),
  from: Timestamp,
  to: Timestamp,
  step_ms: z.int(),
  /** How many readings there are in all. */
  readings: z.int(),
  points: z.array(ReadingSeriesPoint),
});
export type ReadingSeries = z.infer<typeof ReadingSeries>;

/** What `GET /v1/sensor/sensors/{sensor_id}/readings` answers. */
export const ReadingList = z.object({
  sensor_id: SensorId,
  unit: z.string(),
  encoding: SensorEncoding,
  readings: z.array(Reading),
  has_more: z.boolean(),
  next_cursor: z.nullable(z.string()),
});
export type ReadingList = z.infer<typeof ReadingList>;

/** `after` is the `seq` to go on from; the last hundred readings begin where it is left out. */
export const ReadingStreamQuery = z.strictObject({
  ...SensorOwner.shape,
  after: z.optional(Seq),
});
export type ReadingStreamQuery = z.output<typeof ReadingStreamQuery>;

/** `data` of an `event: readings`; its id is the `seq` of the last of them. */
export const ReadingEvent = z.object({ readings: z.array(Reading) });
export type ReadingEvent = z.infer<typeof ReadingEvent>;
