import type { Env } from '../env.ts';
import type { Datasets } from './object.ts';
import { MAIN, type Remote } from '../storage/remote.ts';

/** One object knows all parts: whether somebody still needs one must be decided in one place. */
export const datasetsOf = (env: Env): Remote<Datasets> => env.DATASETS.getByName<Datasets>(MAIN);
