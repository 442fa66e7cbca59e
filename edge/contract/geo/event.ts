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

/** What `GET /api/geo/events` answers: in the order in which they happened. */
export const GeoEventList = z.object({
  events: z.array(GeoEvent),
  total: z.int(),
  has_more: z.boolean(),
});
export type GeoEventList = z.infer<typeof GeoEventList>;
