import * as z from 'zod/mini';
import { PlatformEvent } from '../../events/contract/platform-event.ts';

/**
 * Something that happened to regions; of a failover, the subject is the region that was left. `seq`
 * counts these events alone, from 1; `GET /events` has them under the same id.
 */
export const GeoEvent = z.extend(z.omit(PlatformEvent, { team: true }), {
  type: z.enum(['region.status', 'failover.executed']),
});
export type GeoEvent = z.infer<typeof GeoEvent>;

/** What `GET /api/geo/events` answers: in the order in which they happened. */
export const GeoEventList = z.object({
  events: z.array(GeoEvent),
  total: z.int(),
  has_more: z.boolean(),
});
export type GeoEventList = z.infer<typeof GeoEventList>;
