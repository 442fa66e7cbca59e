import { loadavg, availableParallelism } from 'node:os';
import { callEndpoint } from '../../edge/contract/client.ts';
import type { HealthCheck } from '../../edge/health/contract/health.ts';
import type { Placement } from '../../edge/training/contract/capacity.ts';
import { jobEndpoints, lmTrainingEndpoints } from '../../edge/training/job-endpoints.ts';
import type { Call } from '../../edge/http/call.ts';
import { healthRoutes } from '../../edge/http/health.ts';
import { routesOf } from '../../edge/http/route.ts';
import { deviceMemory } from '../gpu/device-memory.ts';
import { capacityFor } from './capacity.ts';
import { cancelOwnJob, getOwnJob, listOwnJobs } from './job-reads.ts';
import { checkedSettings, submit } from './submission.ts';
import type { Context } from './context.ts';

/** Name of the service in metrics. */
export const SERVICE = 'lm-training-server';

const lmRoutes = routesOf<Context, typeof lmTrainingEndpoints>(lmTrainingEndpoints, {
  async trainLm(call) {
    const job = await submit(call, call.body);
    return { status: 202, body: job, headers: { location: `${call.prefix}/jobs/${job.job_id}` } };
  },
  async trainingCapacity(call) {
    const capacity = await capacityFor(call.env, await checkedSettings(call, call.body), call.body);
    const excluded = capacity.fits ? null : 'its device has too little memory';
    const candidates = [{ ...(await placementOf(call)), excluded }];
    return { status: 200, body: { capacity, candidates } };
  },
  listJobs: async (call) => ({ status: 200, body: await listOwnJobs(call, call.query) }),
  getJob: async (call) => ({ status: 200, body: await getOwnJob(call, call.params.id) }),
  async cancelJob(call) {
    const { status, body } = await cancelOwnJob(call, call.params.id);
    return status === 202 ? { status, body } : { status: 200, body };
  },
});

const checks = healthRoutes<Context>(SERVICE, { gateway: ({ env }) => gatewayCheck(env) });

/** The door of one machine that trains language models. */
export const trainingServerRoutes = [...checks, ...lmRoutes];

async function placementOf(call: Call<Context>): Promise<Placement> {
  const { trainerId, name, region, device } = call.env;
  const { total } = await listOwnJobs(call, {
    status: ['validating', 'running', 'recovering', 'cancelling'],
    order: 'desc',
    limit: 1,
  });
  const { freeBytes } = await deviceMemory(device, process.env);
  return {
    trainer_id: trainerId,
    name,
    device: device.label,
    free_bytes: freeBytes,
    load: (loadavg()[0] ?? 0) / availableParallelism(),
    jobs: total,
    region_id: region,
    excluded: null,
  };
}

/** Without the training service nothing can be submitted, while a job under way goes on. */
async function gatewayCheck({ training }: Context): Promise<HealthCheck> {
  await callEndpoint(training, jobEndpoints.listJobs, { query: { limit: 1 } });
  return { status: 'ok', detail: 'The training service answers.' };
}
