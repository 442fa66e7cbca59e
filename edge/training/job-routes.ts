import type { jobEndpoints } from './job-endpoints.ts';
import type { Env } from '../env.ts';
import { regionOf } from '../geo/request-region.ts';
import { pageEnd, readCursor } from '../http/cursor.ts';
import { limitsOf, overQuota, teamSeen } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import type { CallOf, ReplyOf } from '../http/route.ts';
import { requireFreeName } from '../registry/model-access.ts';
import { requireCapacity } from './capacity.ts';
import { requireDataset } from '../datasets/dataset.ts';
import { jobOf } from './submission.ts';
import { jobNotFound, requireJobChange, settled, trainingOf } from './training-stub.ts';
import { lastEventId, wantsEvents } from '../http/event-stream.ts';
import { frameOf, streamEvents, type Stretch } from '../events/stream-events.ts';
import type { JobUpdates, WatchPosition } from './results.ts';
import { IMMUTABLE, wholeFile } from '../http/file-response.ts';
import { locateParts, streamOf } from '../datasets/parts.ts';

type Endpoints = typeof jobEndpoints;
type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
type Reply<K extends keyof Endpoints> = Promise<ReplyOf<Endpoints[K]>>;

/** POST /train: a job, once all is checked that needs no trainer. */
export async function train(call: Handled<'train'>): Reply<'train'> {
  const { env, body, caller, prefix, request } = call;
  const job = await jobOf(env, body, caller);
  await requireDataset(env, job.dataset_path, teamSeen(caller));
  await requireFreeName(env, job.model_name, job.team);
  const wanted = { ...job.need, preferredRegionId: regionOf(request) };
  const need = await requireCapacity(env, { ...job, controls: body.controls }, wanted, job.team);
  const quota = { quota: 'jobs', settings: env.QUOTAS } as const;
  const limits = limitsOf(caller, quota.quota, quota.settings);
  const result = await trainingOf(env).submit({ ...job, need }, limits);
  if (result.kind === 'over') throw overQuota(caller, { ...quota, used: result.used });
  if (result.kind === 'full') {
    throw new Problem('storage_full', 'There are 10,000 jobs that have not ended.');
  }
  const location = `${prefix}/jobs/${result.job.job_id}`;
  return { status: 202, body: result.job, headers: { location } };
}

export async function listJobs({
  query: requested,
  env,
  caller,
}: Handled<'listJobs'>): Reply<'listJobs'> {
  const { cursor, ...query } = requested;
  const team = teamSeen(caller);
  const { limit: _, ...filters } = { ...query, seen: team };
  const first = query.order === 'asc' ? 0 : readCursor(undefined, filters);
  const from = cursor === undefined ? first : readCursor(cursor, filters);
  const { jobs, total, next } = await trainingOf(env).list(query, from, team);
  return { status: 200, body: { jobs: [...jobs], total, ...pageEnd(next, filters) } };
}

export async function getJob({ params, env, caller }: Handled<'getJob'>): Reply<'getJob'> {
  const job = await trainingOf(env).job(params.id, teamSeen(caller));
  if (!job) throw jobNotFound(params.id);
  return { status: 200, body: job };
}

export async function cancelJob(call: Handled<'cancelJob'>): Reply<'cancelJob'> {
  const { params, env, caller } = call;
  await requireJobChange(env, caller, params.id);
  const { job } = settled(await trainingOf(env).cancel(params.id), params.id);
  return { status: job.status === 'cancelling' ? 202 : 200, body: job };
}

export async function listCheckpoints(call: Handled<'listCheckpoints'>): Reply<'listCheckpoints'> {
  const { id } = call.params;
  const checkpoints = await trainingOf(call.env).checkpoints(id, teamSeen(call.caller));
  if (!checkpoints) throw jobNotFound(id);
  return { status: 200, body: { checkpoints: [...checkpoints], total: checkpoints.length } };
}

/** GET /jobs/{id}/events: a page of events, or a stream of them until the job has ended. */
export async function listEvents(
  call: CallOf<Env, Endpoints['listEvents']>,
): Promise<Response | ReplyOf<Endpoints['listEvents']>> {
  const { env, params, query, request, caller } = call;
  if (wantsEvents(request.headers)) return eventStream(call);
  const page = await trainingOf(env).events(params.id, query, teamSeen(caller));
  if (!page) throw jobNotFound(params.id);
  const { events, total, hasMore } = page;
  return { status: 200, body: { events: [...events], total, has_more: hasMore } };
}

/** The events of a job, interleaved with its metrics. */
async function eventStream(call: CallOf<Env, Endpoints['listEvents']>): Promise<Response> {
  const { env, params, query, request, caller } = call;
  const team = teamSeen(caller);
  const seq = lastEventId(request.headers) ?? query.after ?? 0;
  const training = trainingOf(env);
  const first = await training.updates(params.id, { seq, mark: null }, { waitMs: 0, team });
  if (!first) throw jobNotFound(params.id);
  return streamEvents(call, stretchOf(first), async (position, waitMs) => {
    const next = await training.updates(params.id, position, { waitMs, team });
    return next && stretchOf(next);
  });
}

const stretchOf = ({ events, points, position, isOver }: JobUpdates): Stretch<WatchPosition> => ({
  frames: [
    ...points.map((point) => `event: metrics\ndata: ${JSON.stringify(point)}\n\n`),
    ...events.map(frameOf),
  ].join(''),
  place: position,
  isOver,
});

/** GET /jobs/{id}/metrics: the series of metrics, by step. */
export async function getSeries(
  call: CallOf<Env, Endpoints['getSeries']>,
): Promise<ReplyOf<Endpoints['getSeries']>> {
  const { id } = call.params;
  const points = await trainingOf(call.env).series(id, call.query, teamSeen(call.caller));
  if (!points) throw jobNotFound(id);
  return { status: 200, body: { job_id: id, points: [...points] } };
}

type Download = CallOf<Env, (typeof jobEndpoints)['downloadCheckpointFile']>;

/** GET and HEAD /jobs/{id}/checkpoints/{checkpoint}/files/{filename}. */
export async function downloadCheckpointFile(call: Download): Promise<Response> {
  const { env, request } = call;
  const file = await find(call);
  // The job was found to be the caller's to see, and with it its parts.
  const parts = await locateParts(env, file.parts, undefined);
  return wholeFile(request, {
    filename: file.filename,
    digest: file.digest,
    sizeBytes: file.size_bytes,
    contentType: 'application/octet-stream',
    cacheControl: IMMUTABLE,
    read: () => streamOf(env.FILES, parts),
  });
}

async function find({ env, caller, params: { id, checkpoint, filename } }: Download) {
  const team = teamSeen(caller);
  const training = trainingOf(env);
  const record = await training.checkpoint(id, checkpoint, team);
  if (!record) {
    if (!(await training.job(id, team))) throw jobNotFound(id);
    const shown = JSON.stringify(checkpoint.slice(0, 128));
    throw new Problem('checkpoint_not_found', `The job ${id} has no checkpoint ${shown}.`);
  }
  const file = record.files.find((one) => one.filename === filename);
  if (file) return file;
  throw new Problem(
    'file_not_found',
    `The checkpoint ${checkpoint} has no file ${JSON.stringify(filename.slice(0, 128))}.`,
  );
}
