import type { Env } from '../env.ts';
import { Problem } from '../http/problem.ts';
import { datasetNameIn } from './dataset-path.ts';
import { datasetsOf } from './stub.ts';

/** Sees that the dataset a path names is there and of a team; a trainer's own file is the trainer's to find. */
export async function requireDataset(
  env: Env,
  path: string | null,
  team: string | undefined,
): Promise<void> {
  const name = path === null ? undefined : datasetNameIn(path);
  if (name === undefined) return;
  if (!(await datasetsOf(env).dataset(name, team))) throw datasetNotFound(name);
}

export const datasetNotFound = (name: string) =>
  new Problem('dataset_not_found', `There is no dataset ${name}.`);
