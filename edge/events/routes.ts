import { areLive } from '../access/live-credentials.ts';
import { eventEndpoints } from './endpoints.ts';
import type { EventGap, EventType } from './contract/platform-event.ts';
import type { Env } from '../env.ts';
import { frameOf, streamEvents } from './stream-events.ts';
import { visibleEventTypes } from './visible-types.ts';
import { lastEventId, wantsEvents } from '../http/event-stream.ts';
import { teamSeen } from '../http/ownership.ts';
import { type CallOf, type ReplyOf, routesOf } from '../http/route.ts';
import { logsOf } from '../logs/log-stub.ts';
import type { EventRange } from './hub-events.ts';

type Endpoint = (typeof eventEndpoints)['listPlatformEvents'];

/** The number of events sent at once. */
const PART = 100;

/** GET /events: the events of the whole platform. */
export const eventRoutes = routesOf<Env, typeof eventEndpoints>(eventEndpoints, {
  listPlatformEvents,
});

async function listPlatformEvents(
  call: CallOf<Env, Endpoint>,
): Promise<Response | ReplyOf<Endpoint>> {
  const { env, query, request, caller } = call;
  const types = visibleEventTypes(caller, query.type);
  const after = lastEventId(request.headers) ?? query.after;
  if (wantsEvents(request.headers)) return streamOf(call, types, after);
  const { tail, limit } = query;
  const seen = { types, team: teamSeen(caller) };
  const { events, gaps, hasMore } = await logsOf(env).events({ ...seen, after, tail, limit });
  return { status: 200, body: { events: [...events], gaps: [...gaps], has_more: hasMore } };
}

async function streamOf(
  call: CallOf<Env, Endpoint>,
  types: readonly EventType[],
  after: number | undefined,
): Promise<Response> {
  const { env, query, caller } = call;
  const hub = logsOf(env);
  const framesOf = createFrames();
  const seen = { types, team: teamSeen(caller) };
  const first = await hub.events({ ...seen, after, tail: query.tail ?? 0, limit: PART });
  const start = { type: 'start', seq: first.after };
  const stretch = { frames: frameOf(start) + framesOf(first), place: first.upTo };
  return streamEvents(call, stretch, async (place, waitMs) => {
    const next = await hub.followEvents({ ...seen, after: place, limit: PART }, waitMs);
    const [isLive] = await areLive(env, [caller]);
    if (!isLive) return undefined;
    return { frames: framesOf(next), place: next.upTo };
  });
}

/** Formats the frames of one stream. A gap is sent once, even where it spans several pages. */
function createFrames(): (stretch: EventRange) => string {
  const said = new Map<EventType, number>();
  const isNew = ({ event_type: type, to_seq: to }: EventGap) => said.get(type) !== to;
  return ({ events, gaps }) => {
    const fresh = gaps.filter(isNew);
    for (const { event_type: type, to_seq: to } of fresh) said.set(type, to);
    // Without an id: events of other types before its end are yet to come.
    const frames = fresh.map((gap) => `event: gap\ndata: ${JSON.stringify(gap)}\n\n`);
    return [...frames, ...events.map(frameOf)].join('');
  };
}
