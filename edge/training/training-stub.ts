import type { Env } from '../env.ts';
import { Problem } from '../http/problem.ts';
import type { Caller } from '../http/caller.ts';
import type { Remote } from '../objects/remote.ts';
import type { Training } from '../objects/training-object.ts';
import type { Refusal } from '../objects/training-state.ts';

/** One object holds all jobs and trainers: who gets what must be decided in one place. */
export function trainingOf({ TRAINING }: Pick<Env, 'TRAINING'>): Remote<Training> {
  // The runtime's own type of a stub refuses `unknown` inside of a config, which is JSON and
  // crosses as it is.
  return TRAINING.getByName('main') as unknown as Remote<Training>;
}

export const jobNotFound = (id: string) =>
  new Problem('job_not_found', `There is no job ${JSON.stringify(id.slice(0, 128))}.`);

export const trainerNotFound = (id: string) =>
  new Problem('trainer_not_found', `There is no trainer ${JSON.stringify(id.slice(0, 128))}.`);

/** What a result of the object's says, or the refusal that it stands for. */
export function settled<T extends { readonly kind: string }>(
  result: T | { readonly kind: 'no-job' } | { readonly kind: 'refused'; readonly refusal: Refusal },
  jobId: string,
): Exclude<T, { readonly kind: 'no-job' | 'refused' }> {
  if (result.kind === 'no-job') throw jobNotFound(jobId);
  if (result.kind === 'refused' && 'refusal' in result) {
    throw new Problem(result.refusal.code, result.refusal.detail);
  }
  // What is left is what T adds to the two.
  return result as Exclude<T, { readonly kind: 'no-job' | 'refused' }>;
}

/** Who makes something, as records show it. */
export const ownerOf = (caller: Caller): string => ('id' in caller ? caller.id : caller.kind);
