import * as z from 'zod/mini';
import type { GeoEvent } from '../../../edge/geo/contract/event.ts';
import { RegionStatus } from '../../../edge/geo/contract/region.ts';

/** What an event of the type `region.status` says. */
const Change = z.object({ from: RegionStatus, to: RegionStatus, reason: z.string() });
export type RegionChange = z.infer<typeof Change> & Pick<GeoEvent, 'seq' | 'subject' | 'time'>;

/** The changes of states among events, in the same order. */
export const changesIn = (events: readonly GeoEvent[]): readonly RegionChange[] =>
  events.flatMap(({ type, seq, subject, time, data }) => {
    const parsed = z.safeParse(Change, data);
    return type === 'region.status' && parsed.success
      ? [{ ...parsed.data, seq, subject, time }]
      : [];
  });
