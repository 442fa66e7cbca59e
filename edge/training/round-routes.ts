import type { trainerEndpoints } from './trainer-endpoints.ts';
import type { Env } from '../env.ts';
import { longPoll } from '../http/long-poll.ts';
import { teamSeen } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import type { CallOf, ReplyOf } from '../http/route.ts';
import { giveToJob, requireFiles } from '../datasets/parts-locate.ts';
import { jobNotFound, settled, trainingOf } from './training-stub.ts';

type Endpoints = typeof trainerEndpoints;

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
