import { callEndpoint } from '../../edge/contract/endpoint-client.ts';
import { Problem } from '../../edge/contract/refusal.ts';
import { jobEndpoints } from '../../edge/contract/training/job-endpoints.ts';
import type { JobRecord, JobQuery } from '../../edge/contract/training/job.ts';
import type { Call } from '../../edge/http/call.ts';
import { relayed, trainingFor } from './at-gateway.ts';
import type { Surroundings } from './surroundings.ts';

type From = Pick<Call<Surroundings>, 'request' | 'env' | 'trace'>;

/** The jobs of this server: those that its trainer holds, held or is to hold. */
export async function listOwnJobs(call: From, asked: JobQuery) {
  const { limit, ...filters } = asked;
  const query = { ...filters, limit, kind: 'lm' as const, trainer_id: call.env.trainerId };
  return (await relayed(callEndpoint(trainingFor(call), jobEndpoints.listJobs, { query }))).body;
}

/** @throws Problem job_not_found, also for a job of another trainer */
export async function getOwnJob(call: From, id: string): Promise<JobRecord> {
  const asked = { params: { id } };
  const { body: job } = await relayed(callEndpoint(trainingFor(call), jobEndpoints.getJob, asked));
  const { trainerId } = call.env;
  const isOwn =
    job.requirements.trainer_id === trainerId ||
    job.attempts.some(({ trainer_id }) => trainer_id === trainerId);
  if (isOwn && job.kind === 'lm') return job;
  throw new Problem('job_not_found', `There is no job ${id} of this training server.`);
}

/** @throws Problem job_not_found, job_terminal */
export async function cancelOwnJob(call: From, id: string) {
  await getOwnJob(call, id);
  const asked = { params: { id } };
  return relayed(callEndpoint(trainingFor(call), jobEndpoints.cancelJob, asked));
}
