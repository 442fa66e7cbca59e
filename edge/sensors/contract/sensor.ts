import * as z from 'zod/mini';
import { MemoryNamespace, MemoryOwner } from '../../memory/contract/memory.ts';
import { Cursor, PageSize, pageMembers } from '../../contract/paging.ts';
import { Timestamp } from '../../contract/timestamp.ts';
import { SensorEncoding, SensorEncodingInput } from './encoding.ts';

export const SENSOR_LIMITS = {
  /** Sensors of one owner. */
  sensors: 1_000,
  /** Readings that are kept of a sensor; the oldest go first. */
  readings: 100_000,
  /** Readings of one request. */
  batch: 1_000,
  /** What its metadata may hold as JSON. */
  metadataBytes: 16 * 1024,
  rateHz: 1_000,
  /** One reading in 366 days. */
  leastRateHz: 1 / (366 * 86_400),
  /** A reading may lie so far ahead, for clocks that differ. */
  aheadMs: 5 * 60_000,
} as const;

/** Where what sensors measured is remembered, where they name no namespace. */
export const SENSOR_NAMESPACE = 'sensors';

export const SensorId = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/,
      'expected a letter or digit, then up to 62 of A-Z a-z 0-9 . _ -',
    ),
  );

/** What it measures; any name, and for those of `SENSOR_TYPES` the encoding is known. */
export const SensorType = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9_-]{0,31}$/, 'expected a name such as temperature'));

const Words = (most: number) =>
  z.string().check(
    z.trim(),
    z.minLength(1),
    z.maxLength(most),
    z.refine((text) => text.isWellFormed(), 'holds half a character'),
  );

const seconds = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most));

/** The body of `POST /v1/sensor/register`. */
export const NewSensor = z.strictObject({
  sensor_id: SensorId,
  type: SensorType,
  /** As it is written behind a number, such as `°C`; readings in another one are refused. */
  unit: Words(32),
  /** The node it hangs on. */
  node_id: z.optional(Words(128)),
  /** How often it measures. Twice as many readings a second are taken for long, and 200 at least. */
  rate_hz: z.optional(
    z
      .number()
      .check(
        z.gte(SENSOR_LIMITS.leastRateHz, 'expected a reading in 366 days at least (3.2e-8)'),
        z.lte(SENSOR_LIMITS.rateHz),
      ),
  ),
  metadata: z.prefault(
    z
      .record(z.string(), z.unknown())
      .check(
        z.refine(
          (value) =>
            new TextEncoder().encode(JSON.stringify(value)).byteLength <=
            SENSOR_LIMITS.metadataBytes,
          'expected at most 16 KiB of metadata',
        ),
      ),
    {},
  ),
  /** How readings become spikes; by its type where it is left out. */
  encoding: z.optional(SensorEncodingInput),
  /** Where its summaries are remembered. */
  namespace: z.prefault(MemoryNamespace, SENSOR_NAMESPACE),
  /** A summary is remembered for each window of so many seconds. */
  window_s: z.prefault(seconds(1, 86_400), 60),
  /** Readings are kept for so many seconds. */
  retention_s: z.prefault(seconds(60, 366 * 86_400), 7 * 86_400),
});
export type NewSensor = z.output<typeof NewSensor>;
export type NewSensorInput = z.input<typeof NewSensor>;

/** A sensor as it is known. */
export const SensorRecord = z.object({
  sensor_id: SensorId,
  type: SensorType,
  unit: z.string(),
  node_id: z.nullable(z.string()),
  rate_hz: z.nullable(z.number()),
  metadata: z.record(z.string(), z.unknown()),
  encoding: SensorEncoding,
  namespace: MemoryNamespace,
  window_s: z.int(),
  retention_s: z.int(),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Readings that are kept. */
  readings: z.int(),
  last_reading: z.nullable(z.object({ seq: z.int(), at: Timestamp, value: z.number() })),
});
export type SensorRecord = z.infer<typeof SensorRecord>;

/** Whose sensors are meant; `owner` is for who administers a team (team:admin), for keys of it, and for administrators. */
export const SensorOwner = z.strictObject({ owner: z.optional(MemoryOwner) });
export type SensorOwner = z.output<typeof SensorOwner>;

export const SensorQuery = z.strictObject({
  ...SensorOwner.shape,
  type: z.optional(SensorType),
  node_id: z.optional(z.string().check(z.maxLength(128))),
  limit: z.prefault(PageSize, '20'),
  cursor: z.optional(Cursor),
});
export type SensorQuery = z.output<typeof SensorQuery>;

/** What `GET /v1/sensor/sensors` answers, the latest registered first. */
export const SensorList = z.object({
  sensors: z.array(SensorRecord),
  total: z.int(),
  ...pageMembers,
});
export type SensorList = z.infer<typeof SensorList>;

export const SensorDeleted = z.object({
  status: z.literal('deleted'),
  sensor_id: SensorId,
  /** Readings that are gone with it. */
  readings: z.int(),
});
export type SensorDeleted = z.infer<typeof SensorDeleted>;
