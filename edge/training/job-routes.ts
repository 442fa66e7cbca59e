import type { jobEndpoints } from './job-endpoints.ts';
import type { Env } from '../env.ts';
import { regionOf } from '../geo/request-region.ts';
import { pageEnd, readCursor } from '../http/cursor.ts';
import { limitsOf, overQuota, teamSeen } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import type { CallOf, ReplyOf } from '../http/route.ts';
import { requireFreeName } from '../registry/model-access.ts';
import { requireCapacity } from './capacity-check.ts';
import { requireDataset } from '../datasets/find.ts';
import { jobOf } from './submission.ts';
import { jobNotFound, requireJobChange, settled, trainingOf } from './training-stub.ts';

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
  query: asked,
  env,
  caller,
}: Handled<'listJobs'>): Reply<'listJobs'> {
  const { cursor, ...query } = asked;
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
