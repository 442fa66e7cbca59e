import * as z from 'zod/mini';
import { MemoryNamespace, MemoryOwner } from '../../memory/contract/memory.ts';
import { Cursor, PageSize, pageMembers } from '../../contract/paging.ts';
import { Timestamp } from '../../contract/timestamp.ts';
import { SensorEncoding, SensorEncodingInput } from './encoding.ts';

export const SENSOR_LIMITS = {
  /** The maximum number of sensors per owner. */
  sensors: 1_000,
  /** The maximum number of stored readings per sensor; the oldest are deleted. */
  readings: 100_000,
  /** The maximum number of readings per request. */
  batch: 1_000,
  /** The maximum size of its metadata as JSON. */
  metadataBytes: 16 * 1024,
  rateHz: 1_000,
  /** One reading in 366 days. */
  leastRateHz: 1 / (366 * 86_400),
  /** The tolerated clock skew of readings. */
  aheadMs: 5 * 60_000,
} as const;

/** The default namespace for summaries. */
const SENSOR_NAMESPACE = 'sensors';

export const SensorId = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/,
      'expected a letter or digit, then up to 62 of A-Z a-z 0-9 . _ -',
    ),
  );

/** The measured quantity; any name, with a default encoding for those of `SENSOR_TYPES`. */
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
  /** The unit as written after a number, such as `°C`; readings in another one are refused. */
  unit: Words(32),
  /** The node it is attached to. */
  node_id: z.optional(Words(128)),
  /** Readings per second. The sustained limit is twice as many, and at least 200. */
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
  /** The encoding as spikes; by default that of its type. */
  encoding: z.optional(SensorEncodingInput),
  /** The namespace for its summaries. */
  namespace: z.prefault(MemoryNamespace, SENSOR_NAMESPACE),
  /** The length of a summary's window, in seconds. */
  window_s: z.prefault(seconds(1, 86_400), 60),
  /** The retention of readings, in seconds. */
  retention_s: z.prefault(seconds(60, 366 * 86_400), 7 * 86_400),
});
export type NewSensor = z.output<typeof NewSensor>;
export type NewSensorInput = z.input<typeof NewSensor>;

/** A registered sensor. */
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
  /** The number of stored readings. */
  readings: z.int(),
  last_reading: z.nullable(z.object({ seq: z.int(), at: Timestamp, value: z.number() })),
});
export type SensorRecord = z.infer<typeof SensorRecord>;

/**
 * The owner of the sensors; `owner` is for administrators, and for those of a team (team:admin)
 * with the keys of it.
 */
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

/** The response of `GET /v1/sensor/sensors`, the latest registered first. */
export const SensorList = z.object({
  sensors: z.array(SensorRecord),
  total: z.int(),
  ...pageMembers,
});
export type SensorList = z.infer<typeof SensorList>;

export const SensorDeleted = z.object({
  status: z.literal('deleted'),
  sensor_id: SensorId,
  /** The number of readings deleted with it. */
  readings: z.int(),
});
export type SensorDeleted = z.infer<typeof SensorDeleted>;
