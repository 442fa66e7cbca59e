import * as z from 'zod/mini';
import { PlatformEvent } from '../../events/contract/platform-event.ts';

/**
 * An event about regions; the subject of a failover is the region it leaves. `seq` counts these
 * events alone, from 1; `GET /events` has them under the same id.
 */
export const GeoEvent = z.extend(z.omit(PlatformEvent, { team: true }), {
  type: z.enum(['region.status', 'failover.executed']),
});
export type GeoEvent = z.infer<typeof GeoEvent>;

/** The response of `GET /api/geo/events`, in order of occurrence. */
export const GeoEventList = z.object({
  events: z.array(GeoEvent),
  total: z.int(),
  has_more: z.boolean(),
});
export type GeoEventList = z.infer<typeof GeoEventList>;
