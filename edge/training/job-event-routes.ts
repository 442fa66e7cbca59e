import type { jobEndpoints } from './job-endpoints.ts';
import type { Env } from '../env.ts';
import { lastEventId, wantsEvents } from '../http/event-stream.ts';
import { teamSeen } from '../http/ownership.ts';
import type { CallOf, ReplyOf } from '../http/route.ts';
import { frameOf, type Stretch, streamEvents } from '../events/stream-events.ts';
import type { Followed, Place } from './results.ts';
import { jobNotFound, trainingOf } from './training-stub.ts';

type Endpoints = typeof jobEndpoints;

/** GET /jobs/{id}/events: a page of events, or a stream of them until the job has ended. */
export async function listEvents(
  call: CallOf<Env, Endpoints['listEvents']>,
): Promise<Response | ReplyOf<Endpoints['listEvents']>> {
  const { env, params, query, request, caller } = call;
  if (wantsEvents(request.headers)) return streamOf(call);
  const page = await trainingOf(env).events(params.id, query, teamSeen(caller));
  if (!page) throw jobNotFound(params.id);
  const { events, total, hasMore } = page;
  return { status: 200, body: { events: [...events], total, has_more: hasMore } };
}

/** The events of a job, and between them what is measured. */
async function streamOf(call: CallOf<Env, Endpoints['listEvents']>): Promise<Response> {
  const { env, params, query, request, caller } = call;
  const team = teamSeen(caller);
  const seq = lastEventId(request.headers) ?? query.after ?? 0;
  const training = trainingOf(env);
  const first = await training.follow(params.id, { seq, mark: null }, { waitMs: 0, team });
  if (!first) throw jobNotFound(params.id);
  return streamEvents(call, stretchOf(first), async (place, waitMs) => {
    const next = await training.follow(params.id, place, { waitMs, team });
    return next && stretchOf(next);
  });
}

const stretchOf = ({ events, points, place, isOver }: Followed): Stretch<Place> => ({
  frames: [
    ...points.map((point) => `event: metrics\ndata: ${JSON.stringify(point)}\n\n`),
    ...events.map(frameOf),
  ].join(''),
  place,
  isOver,
});

/** GET /jobs/{id}/metrics: what was measured, step by step. */
export async function getSeries(
  call: CallOf<Env, Endpoints['getSeries']>,
): Promise<ReplyOf<Endpoints['getSeries']>> {
  const { id } = call.params;
  const points = await trainingOf(call.env).series(id, call.query, teamSeen(call.caller));
  if (!points) throw jobNotFound(id);
  return { status: 200, body: { job_id: id, points: [...points] } };
}
