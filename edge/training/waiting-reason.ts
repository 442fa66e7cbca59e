import { datasetNameIn } from '../datasets/dataset-path.ts';
import { type PlaceableTrainer, type PlacementNeed, rankTrainers } from './placement.ts';

/** Why a job has no trainer yet, in words that say what would help. */
export function waitingReason(need: PlacementNeed, trainers: readonly PlaceableTrainer[]): string {
  const ranked = rankTrainers(need, trainers);
  const present = ranked.filter(({ excluded }) => excluded?.cause !== 'away');
  if (present.length === 0) return `waits for ${wanted(need)}; no trainer is connected`;
  const fitting = present.filter(
    ({ excluded }) => excluded === null || excluded.cause === 'busy',
  ).length;
  if (fitting > 0) {
    return fitting === 1
      ? 'waits for the one trainer that fits'
      : `waits for one of ${fitting} trainers that fit`;
  }
  const [closest] = present;
  return `waits for ${wanted(need)}; ${closest?.trainer.trainer_id}: ${closest?.excluded?.detail}`;
}

function wanted({ requirements, datasetPath, category, modelType }: PlacementNeed): string {
  const { device, kind, region_id, memory_bytes, trainer_id } = requirements;
  const conditions = [
    ...(trainer_id === undefined ? [] : [`is ${trainer_id}`]),
    ...(datasetPath !== null && datasetNameIn(datasetPath) === undefined
      ? [`has ${datasetPath}`]
      : []),
    ...(device === undefined ? [] : [`has a ${device}`]),
    ...(kind === undefined ? [] : [`is a ${kind}`]),
    ...(region_id === undefined ? [] : [`is in ${region_id}`]),
    ...(memory_bytes === undefined ? [] : [`has ${memory_bytes} bytes free`]),
  ];
  const last = conditions.length > 0 ? conditions.join(' and ') : `trains ${category ?? modelType}`;
  return `a trainer that ${last}`;
}
