import type { geoEndpoints } from '../contract/geo-endpoints.ts';
import type { Env } from '../env.ts';
import { followRegions } from '../geo/follow-regions.ts';
import { geoOf } from '../geo/geo-stub.ts';
import { lastEventId, wantsEvents } from '../http/event-stream.ts';
import type { CallOf, ReplyOf } from '../http/route.ts';

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
  const stream = followRegions(after, (seq, waitMs) => geo.follow(seq, waitMs));
  return new Response(stream, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  });
}
