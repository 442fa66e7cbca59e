import type { Env } from '../env.ts';
import { Problem } from '../http/problem.ts';
import { datasetNameIn } from './dataset-path.ts';
import { datasetsOf } from './datasets-stub.ts';

/** Sees that the dataset a path names is there; a trainer's own file is the trainer's to find. */
export async function requireDataset(env: Env, path: string | null): Promise<void> {
  const name = path === null ? undefined : datasetNameIn(path);
  if (name === undefined) return;
  if (!(await datasetsOf(env).dataset(name))) throw datasetNotFound(name);
}

export const datasetNotFound = (name: string) =>
  new Problem('dataset_not_found', `There is no dataset ${name}.`);
