import type { Env } from '../env.ts';
import { Problem } from '../http/problem.ts';
import type { Caller } from '../http/caller.ts';
import { requireChange } from '../http/ownership.ts';
import { MAIN, type Remote } from '../storage/remote.ts';
import type { Training } from './object.ts';
import type { Denied } from './results.ts';
import type { Refusal } from './state.ts';

/** One object holds all jobs and trainers: who gets what must be decided in one place. */
export function trainingOf({ TRAINING }: Pick<Env, 'TRAINING'>): Remote<Training> {
  return TRAINING.getByName<Training>(MAIN);
}

export const jobNotFound = (id: string) =>
  new Problem('job_not_found', `There is no job ${JSON.stringify(id.slice(0, 128))}.`);

export const trainerNotFound = (id: string) =>
  new Problem('trainer_not_found', `There is no trainer ${JSON.stringify(id.slice(0, 128))}.`);

/** Unwraps a result of the object. @throws Problem for a refusal */
export function settled<T extends { readonly kind: string }>(
  result:
    | T
    | Denied
    | { readonly kind: 'no-job' }
    | { readonly kind: 'refused'; readonly refusal: Refusal },
  jobId: string,
): Exclude<T, { readonly kind: 'no-job' | 'refused' | 'denied' }> {
  if (result.kind === 'no-job') throw jobNotFound(jobId);
  if (result.kind === 'refused' && 'refusal' in result) {
    throw new Problem(result.refusal.code, result.refusal.detail);
  }
  if (result.kind === 'denied' && 'owner' in result) throw notItsTrainer(result);
  // The remaining kinds are those of T.
  return result as Exclude<T, { readonly kind: 'no-job' | 'refused' | 'denied' }>;
}

/** The refusal of who speaks for a trainer that another key registered. */
export const notItsTrainer = ({ owner }: Pick<Denied, 'owner'>) =>
  new Problem('forbidden', `Only ${owner}, which registered the trainer, may speak for it.`, {
    members: { owner },
  });

/** Lets a caller pass who may end a job. @throws Problem job_not_found or forbidden */
export async function requireJobChange(env: Env, caller: Caller, id: string): Promise<void> {
  const whose = await trainingOf(env).ownership(id);
  const notFound = () => jobNotFound(id);
  if (!whose) throw notFound();
  requireChange(caller, whose, { what: `The job ${id}`, notFound });
}
