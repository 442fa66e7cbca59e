import type { geoEndpoints } from './endpoints.ts';
import type { Env } from '../env.ts';
import { geoOf } from './geo-stub.ts';
import { lastEventId, wantsEvents } from '../http/event-stream.ts';
import type { CallOf, ReplyOf } from '../http/route.ts';
import { frameOf, streamEvents } from '../events/stream-events.ts';

type Endpoint = (typeof geoEndpoints)['geoEvents'];

/** GET /api/geo/events: a page of events, or a stream of them. */
export async function geoEvents(
  call: CallOf<Env, Endpoint>,
): Promise<Response | ReplyOf<Endpoint>> {
  const { env, query, request } = call;
  const after = lastEventId(request.headers) ?? query.after ?? 0;
  const geo = geoOf(env);
  if (!wantsEvents(request.headers)) {
    const { items, total, hasMore } = await geo.events(after, query.limit);
    return { status: 200, body: { events: [...items], total, has_more: hasMore } };
  }
  return streamEvents(call, { frames: '', place: after }, async (place, waitMs) => {
    const { events, seq } = await geo.follow(place, waitMs);
    return { frames: events.map(frameOf).join(''), place: seq };
  });
}
