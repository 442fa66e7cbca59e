import type { trainerEndpoints } from '../contract/training/trainer-endpoints.ts';
import type { Env } from '../env.ts';
import { Problem } from '../http/problem.ts';
import type { CallOf, ReplyOf } from '../http/route.ts';
import { ownerOf, trainerNotFound, trainingOf } from '../training/training-stub.ts';

type Endpoints = typeof trainerEndpoints;
type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
type Reply<K extends keyof Endpoints> = Promise<ReplyOf<Endpoints[K]>>;

export async function announceTrainer(call: Handled<'announceTrainer'>): Reply<'announceTrainer'> {
  const { env, body, caller, prefix } = call;
  const result = await trainingOf(env).announce(body, ownerOf(caller));
  if (result.kind === 'full') {
    throw new Problem('storage_full', 'There are 1,000 trainers that were seen within a week.');
  }
  const { trainer, kind } = result;
  if (kind === 'updated') return { status: 200, body: trainer };
  const location = `${prefix}/trainers/${trainer.trainer_id}`;
  return { status: 201, body: trainer, headers: { location } };
}

export async function listTrainers({ env }: Handled<'listTrainers'>): Reply<'listTrainers'> {
  const trainers = await trainingOf(env).trainers();
  return { status: 200, body: { trainers, total: trainers.length } };
}

export async function getTrainer({ env, params }: Handled<'getTrainer'>): Reply<'getTrainer'> {
  const trainer = await trainingOf(env).trainer(params.id);
  if (!trainer) throw trainerNotFound(params.id);
  return { status: 200, body: trainer };
}

export async function removeTrainer(call: Handled<'removeTrainer'>): Reply<'removeTrainer'> {
  const { id } = call.params;
  if (!(await trainingOf(call.env).removeTrainer(id))) throw trainerNotFound(id);
  return { status: 204, body: undefined };
}

export async function drainTrainer(call: Handled<'drainTrainer'>): Reply<'drainTrainer'> {
  const { id } = call.params;
  const trainer = await trainingOf(call.env).drainTrainer(id, call.body.draining);
  if (!trainer) throw trainerNotFound(id);
  return { status: 200, body: trainer };
}
