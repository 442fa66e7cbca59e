import type { jobEndpoints } from '../contract/training/job-endpoints.ts';
import type { Env } from '../env.ts';
import { lastEventId, wantsEvents } from '../http/event-stream.ts';
import type { CallOf, ReplyOf } from '../http/route.ts';
import { followJob } from '../training/follow-job.ts';
import { jobNotFound, trainingOf } from '../training/training-stub.ts';

type Endpoints = typeof jobEndpoints;

/** GET /jobs/{id}/events: a page of events, or a stream of them until the job has ended. */
export async function listEvents(
  call: CallOf<Env, Endpoints['listEvents']>,
): Promise<Response | ReplyOf<Endpoints['listEvents']>> {
  const { env, params, query, request } = call;
  if (wantsEvents(request.headers)) return streamEvents(call);
  const page = await trainingOf(env).events(params.id, query);
  if (!page) throw jobNotFound(params.id);
  const { events, total, hasMore } = page;
  return { status: 200, body: { events: [...events], total, has_more: hasMore } };
}

async function streamEvents(call: CallOf<Env, Endpoints['listEvents']>): Promise<Response> {
  const { env, params, query, request } = call;
  const seq = lastEventId(request.headers) ?? query.after ?? 0;
  const training = trainingOf(env);
  const first = await training.follow(params.id, { seq, mark: null }, 0);
  if (!first) throw jobNotFound(params.id);
  const stream = followJob(first, (place, waitMs) => training.follow(params.id, place, waitMs));
  return new Response(stream, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  });
}

/** GET /jobs/{id}/metrics: what was measured, step by step. */
export async function getSeries(
  call: CallOf<Env, Endpoints['getSeries']>,
): Promise<ReplyOf<Endpoints['getSeries']>> {
  const { id } = call.params;
  const points = await trainingOf(call.env).series(id, call.query);
  if (!points) throw jobNotFound(id);
  return { status: 200, body: { job_id: id, points: [...points] } };
}
