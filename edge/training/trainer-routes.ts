import type { trainerEndpoints } from './trainer-endpoints.ts';
import type { TrainerRecord } from './contract/trainer.ts';
import type { Env } from '../env.ts';
import { limitsOf, overQuota, requireChange, teamSeen } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import type { CallOf, ReplyOf } from '../http/route.ts';
import { notItsTrainer, trainerNotFound, trainingOf } from './training-stub.ts';

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
  // One of all teams is no secret: who may not change it is told so.
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
