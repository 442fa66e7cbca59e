import { middleware } from '../access/middleware.ts';
import { lmTrainingEndpoints } from './job-endpoints.ts';
import type { Env } from '../env.ts';
import { regionOf } from '../geo/request-region.ts';
import { teamSeen } from '../http/ownership.ts';
import { type CallOf, type ReplyOf, routesOf } from '../http/route.ts';
import { createService } from '../http/service.ts';
import { checkCapacity } from './capacity.ts';
import { jobOf } from './submission.ts';
import { jobNotFound, trainingOf } from './training-stub.ts';
import { type Check, healthRoutes, ownMetricsRoutes } from '../health/routes.ts';
import { cancelJob, getJob, listJobs, train } from './job-routes.ts';
import { openApiRoutes } from '../gateway/description-routes.ts';

type Endpoints = typeof lmTrainingEndpoints;
type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
type Reply<K extends keyof Endpoints> = Promise<ReplyOf<Endpoints[K]>>;

const checks: Record<string, Check<Env>> = {
  trainers: async ({ env }) => {
    const { trainers } = await trainingOf(env).size();
    return { status: 'ok', detail: `${trainers} trainers are here.` };
  },
};

const lmRoutes = routesOf<Env, Endpoints>(lmTrainingEndpoints, {
  trainLm: train,
  trainingCapacity,
  listJobs: (call) => listJobs({ ...call, query: { ...call.query, kind: 'lm' } }),
  getJob: async (call) => {
    await requireLm(call);
    return getJob(call);
  },
  cancelJob: async (call) => {
    await requireLm(call);
    return cancelJob(call);
  },
});

/** The load balancer in front of the training servers of language models. */
export const serve = createService<Env>({
  ...middleware,
  name: 'lm-training',
  routes: [
    ...healthRoutes('lm-training', checks),
    ...ownMetricsRoutes('lm-training'),
    ...lmRoutes,
    ...openApiRoutes('lm-training'),
  ],
});

/** POST /training-capacity: what `POST /train` would find, without a job. */
async function trainingCapacity(call: Handled<'trainingCapacity'>): Reply<'trainingCapacity'> {
  const { env, body, caller, request } = call;
  const job = await jobOf(env, body, caller);
  const wanted = { ...job.need, preferredRegionId: regionOf(request) };
  const { answer } = await checkCapacity(
    env,
    { ...job, controls: body.controls },
    wanted,
    job.team,
  );
  return { status: 200, body: answer };
}

/** Jobs of other kinds of models are the training service's. */
async function requireLm(call: Handled<'getJob' | 'cancelJob'>): Promise<void> {
  const { id } = call.params;
  const job = await trainingOf(call.env).job(id, teamSeen(call.caller));
  if (job?.kind !== 'lm') throw jobNotFound(id);
}
