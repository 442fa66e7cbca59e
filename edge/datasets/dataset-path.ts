import { DatasetName } from './contract/dataset.ts';

const PREFIX = 'datasets/';

/** The dataset of the platform that a `dataset_path` names; undefined where it names a trainer's file. */
export function datasetNameIn(path: string): DatasetName | undefined {
  if (!path.startsWith(PREFIX)) return undefined;
  const parsed = DatasetName.safeParse(path.slice(PREFIX.length));
  return parsed.success ? parsed.data : undefined;
}
