import { refuseEnded, whileLive } from '../access/while-live.ts';
import type { trainerEndpoints } from './trainer-endpoints.ts';
import type { Lease } from './contract/trainer.ts';
import type { Env } from '../env.ts';
import { longPoll } from '../http/long-poll.ts';
import { teamSeen } from '../http/ownership.ts';
import type { CallOf, ReplyOf } from '../http/route.ts';
import { giveToJob, requireFiles } from '../datasets/parts-locate.ts';
import { notItsTrainer, settled, trainerNotFound, trainingOf } from './training-stub.ts';

type Endpoints = typeof trainerEndpoints;
type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
type Reply<K extends keyof Endpoints> = Promise<ReplyOf<Endpoints[K]>>;

/** POST /leases: work, held back until there is some. */
export async function leaseJob(call: Handled<'leaseJob'>): Reply<'leaseJob'> {
  const { request, ctx } = call;
  const asked = longPoll(call, () =>
    whileLive(call, (ended) => askForWork(call, AbortSignal.any([request.signal, ended]))),
  );
  // A trainer that hangs up ends the request; what it was given has to be taken back all the same.
  ctx.waitUntil(asked.catch(() => {}));
  const lease = await asked;
  if (!lease) return { status: 204, body: undefined };
  return { status: 200, body: lease };
}

async function askForWork(
  { env, body, caller }: Handled<'leaseJob'>,
  signal: AbortSignal,
): Promise<Lease | null> {
  const training = trainingOf(env);
  const waitId = crypto.randomUUID();
  const asked = training.lease(body, waitId, caller);
  const hangUp = () => void training.withdraw(waitId).catch(() => {});
  signal.addEventListener('abort', hangUp);
  const result = await asked.finally(() => signal.removeEventListener('abort', hangUp));
  if (result.kind === 'no-trainer') throw trainerNotFound(body.trainer_id);
  if (result.kind === 'denied') throw notItsTrainer(result);
  const { lease } = result;
  if (!lease || !signal.aborted) return lease;
  const { lease_id, fencing_token, job } = lease;
  const reason = 'its trainer hung up before it was told';
  const released = { lease_id, fencing_token, outcome: 'released', reason } as const;
  await training.endLease(job.job_id, released, caller);
  return null;
}

/** POST /jobs/:id/heartbeat: a trainer whose key was revoked is told with the next one. */
export async function heartbeat(call: Handled<'heartbeat'>): Reply<'heartbeat'> {
  const { env, params, body, caller } = call;
  await refuseEnded(call);
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
