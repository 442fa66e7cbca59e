import type { trainerEndpoints } from './trainer-endpoints.ts';
import type { Lease, TrainerRecord } from './contract/trainer.ts';
import type { Env } from '../env.ts';
import { limitsOf, overQuota, requireChange, teamSeen } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import type { CallOf, ReplyOf } from '../http/route.ts';
import {
  jobNotFound,
  notItsTrainer,
  settled,
  trainerNotFound,
  trainingOf,
} from './training-stub.ts';
import { refuseEndedCredentials, whileCredentialsLive } from '../access/live-credentials.ts';
import { longPoll } from '../http/long-poll.ts';
import { giveToJob, requireFiles } from '../datasets/parts.ts';

type Endpoints = typeof trainerEndpoints;
type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
type Reply<K extends keyof Endpoints> = Promise<ReplyOf<Endpoints[K]>>;

export async function announceTrainer(call: Handled<'announceTrainer'>): Reply<'announceTrainer'> {
  const { env, body, caller, prefix } = call;
  const quota = { quota: 'trainers', settings: env.QUOTAS } as const;
  const limits = limitsOf(caller, quota.quota, quota.settings);
  const result = await trainingOf(env).announce(body, { caller, limits });
  switch (result.kind) {
    case 'full':
      throw new Problem('storage_full', 'There are 1,000 trainers that were seen within a week.');
    case 'over':
      throw overQuota(caller, { ...quota, used: result.used });
    case 'no-trainer':
      throw trainerNotFound(body.trainer_id ?? '');
    case 'denied':
      throw notItsTrainer(result);
  }
  const { trainer, kind } = result;
  if (kind === 'updated') return { status: 200, body: trainer };
  const location = `${prefix}/trainers/${trainer.trainer_id}`;
  return { status: 201, body: trainer, headers: { location } };
}

export async function listTrainers(call: Handled<'listTrainers'>): Reply<'listTrainers'> {
  const trainers = await trainingOf(call.env).trainers(teamSeen(call.caller));
  return { status: 200, body: { trainers, total: trainers.length } };
}

export async function getTrainer(call: Handled<'getTrainer'>): Reply<'getTrainer'> {
  const trainer = await requireTrainer(call);
  return { status: 200, body: trainer };
}

export async function removeTrainer(call: Handled<'removeTrainer'>): Reply<'removeTrainer'> {
  const { id } = call.params;
  const trainer = await requireTrainer(call);
  // A trainer of all teams is visible to everybody, so the refusal may name it.
  const notFound = () => notItsTrainer(trainer);
  requireChange(call.caller, trainer, { what: `The trainer ${id}`, notFound });
  if (!(await trainingOf(call.env).removeTrainer(id))) throw trainerNotFound(id);
  return { status: 204, body: undefined };
}

export async function drainTrainer(call: Handled<'drainTrainer'>): Reply<'drainTrainer'> {
  const { id } = call.params;
  const trainer = await trainingOf(call.env).drainTrainer(id, call.body.draining);
  if (!trainer) throw trainerNotFound(id);
  return { status: 200, body: trainer };
}

/** A trainer that takes jobs of the caller's team. @throws Problem trainer_not_found */
async function requireTrainer({
  env,
  caller,
  params: { id },
}: Handled<'getTrainer' | 'removeTrainer'>): Promise<TrainerRecord> {
  const trainer = await trainingOf(env).trainer(id, teamSeen(caller));
  if (trainer) return trainer;
  throw trainerNotFound(id);
}

/** POST /leases: a job, as a long poll. */
export async function leaseJob(call: Handled<'leaseJob'>): Reply<'leaseJob'> {
  const { request, ctx } = call;
  const requested = longPoll(call, () =>
    whileCredentialsLive(call, (ended) =>
      askForWork(call, AbortSignal.any([request.signal, ended])),
    ),
  );
  // The request of a trainer that hung up has ended, but a lease granted to it has to be released.
  ctx.waitUntil(requested.catch(() => {}));
  const lease = await requested;
  if (!lease) return { status: 204, body: undefined };
  return { status: 200, body: lease };
}

async function askForWork(
  { env, body, caller }: Handled<'leaseJob'>,
  signal: AbortSignal,
): Promise<Lease | null> {
  const training = trainingOf(env);
  const waitId = crypto.randomUUID();
  const requested = training.lease(body, waitId, caller);
  const hangUp = () => void training.withdraw(waitId).catch(() => {});
  signal.addEventListener('abort', hangUp);
  const result = await requested.finally(() => signal.removeEventListener('abort', hangUp));
  if (result.kind === 'no-trainer') throw trainerNotFound(body.trainer_id);
  if (result.kind === 'denied') throw notItsTrainer(result);
  const { lease } = result;
  if (!lease || !signal.aborted) return lease;
  const { lease_id, fencing_token, job } = lease;
  const reason = 'its trainer hung up before the lease arrived';
  const released = { lease_id, fencing_token, outcome: 'released', reason } as const;
  await training.endLease(job.job_id, released, caller);
  return null;
}

/** POST /jobs/:id/heartbeat: refused once the trainer's key was revoked. */
export async function heartbeat(call: Handled<'heartbeat'>): Reply<'heartbeat'> {
  const { env, params, body, caller } = call;
  await refuseEndedCredentials(call);
  const { answer } = settled(await trainingOf(env).heartbeat(params.id, body, caller), params.id);
  return { status: 200, body: answer };
}

export async function commitCheckpoint(
  call: Handled<'commitCheckpoint'>,
): Reply<'commitCheckpoint'> {
  const { env, body, caller } = call;
  const { id } = call.params;
  await requireFiles(env, body.files, teamSeen(caller));
  const { kind, checkpoint } = settled(await trainingOf(env).commit(id, body, caller), id);
  await giveToJob(env, id, body.files);
  return { status: kind === 'created' ? 201 : 200, body: checkpoint };
}

export async function endLease(call: Handled<'endLease'>): Reply<'endLease'> {
  const { env, params, body, caller } = call;
  const { job } = settled(await trainingOf(env).endLease(params.id, body, caller), params.id);
  return { status: 200, body: job };
}

/** POST /jobs/{id}/rounds: what a member learned in the round under way. */
export async function contribute(
  call: CallOf<Env, Endpoints['contribute']>,
): Promise<ReplyOf<Endpoints['contribute']>> {
  const { id } = call.params;
  const { env, caller, body } = call;
  await requireFiles(env, [body.delta], teamSeen(caller));
  const { kind, round } = settled(await trainingOf(env).contribute(id, body, caller), id);
  await giveToJob(env, id, [body.delta]);
  return { status: kind === 'created' ? 201 : 200, body: round };
}

/** GET /jobs/{id}/rounds: rounds that were closed after one. */
export async function listRounds(
  call: CallOf<Env, Endpoints['listRounds']>,
): Promise<ReplyOf<Endpoints['listRounds']>> {
  const { id } = call.params;
  const { after, wait_s } = call.query;
  const team = teamSeen(call.caller);
  const wait = () => trainingOf(call.env).rounds(id, after, { waitMs: wait_s * 1000, team });
  const result = await longPoll(call, wait);
  if (result.kind === 'no-job') throw jobNotFound(id);
  if (result.kind === 'no-rounds') {
    throw new Problem('job_not_found', `The job ${id} has one replica: it has no rounds.`);
  }
  const { rounds, current } = result;
  return { status: 200, body: { rounds: [...rounds], current } };
}
