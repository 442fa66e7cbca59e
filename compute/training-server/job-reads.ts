import { callEndpoint } from '../../edge/contract/client.ts';
import { Problem } from '../../edge/contract/refusal.ts';
import { jobEndpoints } from '../../edge/training/job-endpoints.ts';
import type { JobRecord, JobQuery } from '../../edge/training/contract/job.ts';
import { maySee, requireChange, teamSeen } from '../../edge/http/ownership.ts';
import type { Call } from '../../edge/http/call.ts';
import { relayed, trainingFor } from './at-gateway.ts';
import type { Context } from './context.ts';

type From = Pick<Call<Context>, 'request' | 'env' | 'trace' | 'caller'>;

/** The jobs of this server: those that its trainer holds, held or is to hold. */
export async function listOwnJobs(call: From, asked: JobQuery) {
  const { limit, ...filters } = asked;
  const team = teamSeen(call.caller) ?? asked.team;
  const query = { ...filters, team, limit, kind: 'lm' as const, trainer_id: call.env.trainerId };
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
  if (isOwn && job.kind === 'lm' && maySee(call.caller, job)) return job;
  throw notFound(id);
}

const notFound = (id: string) =>
  new Problem('job_not_found', `There is no job ${id} of this training server.`);

/** @throws Problem job_not_found, job_terminal */
export async function cancelOwnJob(call: From, id: string) {
  const job = await getOwnJob(call, id);
  // Where the gateway names the caller, the training service sees this server's own key.
  const what = `The job ${id}`;
  requireChange(call.caller, job, { what, notFound: () => notFound(id) });
  const asked = { params: { id } };
  return relayed(callEndpoint(trainingFor(call), jobEndpoints.cancelJob, asked));
}
