import * as z from 'zod/mini';
import { Timestamp } from '../timestamp.ts';

/** Something that happened to regions, in the shape of a CloudEvent. `seq` counts from 1. */
export const GeoEvent = z.object({
  id: z.string(),
  seq: z.int(),
  type: z.enum(['region.status', 'failover.executed']),
  /** The region it is about; of a failover, the one that was left. */
  subject: z.string(),
  time: Timestamp,
  data: z.record(z.string(), z.unknown()),
});
export type GeoEvent = z.infer<typeof GeoEvent>;

const Seq = z.pipe(
  z.string().check(z.regex(/^\d{1,15}$/, 'expected a whole number')),
  z.transform(Number),
);

/**
 * The query of `GET /api/geo/events`. As `text/event-stream` (by Accept) it goes on for as long as
 * somebody listens: `id` is `seq`, `event` is the type; `Last-Event-ID` resumes.
 */
export const GeoEventQuery = z.strictObject({
  after: z.optional(Seq),
  limit: z.prefault(
    z.pipe(
      z
        .string()
        .check(z.regex(/^(?:[1-9]\d{0,2}|1000)$/, 'expected a whole number from 1 to 1000')),
      z.transform(Number),
    ),
    '100',
  ),
});
export type GeoEventQuery = z.output<typeof GeoEventQuery>;

/** What `GET /api/geo/events` answers: in the order in which they happened. */
export const GeoEventList = z.object({
  events: z.array(GeoEvent),
  total: z.int(),
  has_more: z.boolean(),
});
export type GeoEventList = z.infer<typeof GeoEventList>;
