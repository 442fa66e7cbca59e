import type { Category, ModelType, Requirements } from './contract/train-request.ts';
import type { TrainerRecord } from './contract/trainer.ts';
import { datasetNameIn } from '../datasets/contract/dataset.ts';
import { requiredBytesOn } from './contract/required-bytes.ts';
import type { JobStatus } from './contract/job.ts';

/** The requirements of a job on its trainer. */
export interface PlacementNeed {
  /** Null where any will do. */
  readonly category: Category | null;
  readonly modelType: ModelType | null;
  /** Null where the data is made up, which every trainer can do. */
  readonly datasetPath: string | null;
  readonly requirements: Requirements;
  /** The planned memory on its device; null where it is unknown. */
  readonly plannedBytes: number | null;
  /** Whether a GPU was requested, though a CPU is acceptable. */
  readonly prefersGpu: boolean;
  /** The region of the request; any other is acceptable. */
  readonly preferredRegionId: string | null;
}

/** A trainer as the placement sees it. */
export interface PlaceableTrainer extends Pick<
  TrainerRecord,
  | 'trainer_id'
  | 'kind'
  | 'status'
  | 'device'
  | 'categories'
  | 'model_types'
  | 'datasets'
  | 'region_id'
  | 'slots'
  | 'load'
  | 'jobs'
> {
  /** When it last ended a job, or was registered; epoch milliseconds. */
  readonly idleSince: number;
}

/** Why a trainer is excluded. A busy one may take the job later, the others cannot as they are. */
interface Exclusion {
  readonly cause: 'unfit' | 'away' | 'memory' | 'busy';
  /** Names what the trainer has and what was expected. */
  readonly detail: string;
}

interface RankedTrainer<T extends PlaceableTrainer> {
  readonly trainer: T;
  /** Null where it is eligible. */
  readonly excluded: Exclusion | null;
}

/**
 * The trainers in order of preference, those that cannot take the job last: the requested region, a GPU
 * where the job is large or one was requested, the tightest fitting memory, the lowest load, the fewest
 * jobs, the longest idle.
 */
export function rankTrainers<T extends PlaceableTrainer>(
  need: PlacementNeed,
  trainers: readonly T[],
): readonly RankedTrainer<T>[] {
  const wantsGpu = need.prefersGpu || (need.plannedBytes ?? 0) >= LARGE_BYTES;
  const ranks = trainers.map((trainer) => {
    const excluded = exclusionOf(need, trainer);
    const rank = [
      excluded === null ? 0 : 1,
      need.preferredRegionId === null || trainer.region_id === need.preferredRegionId ? 0 : 1,
      wantsGpu && trainer.device.kind !== 'gpu' ? 1 : 0,
      wasteRank(need, trainer),
      trainer.load,
      trainer.jobs.length,
      trainer.idleSince,
    ];
    return { trainer, excluded, rank };
  });
  return ranks.toSorted(byRank).map(({ trainer, excluded }) => ({ trainer, excluded }));
}

/** The best eligible trainer, if any. */
export function bestTrainer<T extends PlaceableTrainer>(
  need: PlacementNeed,
  trainers: readonly T[],
): T | undefined {
  const [best] = rankTrainers(need, trainers);
  return best?.excluded === null ? best.trainer : undefined;
}

/** The memory that must be free on a trainer's device; null where it is unknown. */
export function bytesNeededOn(
  { requirements, plannedBytes }: PlacementNeed,
  { total_bytes }: TrainerRecord['device'],
): number | null {
  if (requirements.memory_bytes !== undefined) return requirements.memory_bytes;
  return plannedBytes === null ? null : requiredBytesOn(plannedBytes, total_bytes);
}

/** A run that plans to use as much is slow without a GPU. */
const LARGE_BYTES = 256 * 2 ** 20;
/** Less waste than this is no reason to prefer a trainer with more load. */
const WASTE_STEP_BYTES = 2 ** 30;

interface Ranked {
  readonly trainer: PlaceableTrainer;
  readonly rank: readonly number[];
}

/** The ids settle what is equal, so that the order is always the same. */
function byRank(a: Ranked, b: Ranked): number {
  for (const [i, value] of a.rank.entries()) {
    const other = b.rank[i] ?? 0;
    if (value !== other) return value - other;
  }
  return a.trainer.trainer_id < b.trainer.trainer_id ? -1 : 1;
}

/** Memory known to fit is preferred to memory that might. */
function wasteRank(need: PlacementNeed, { device }: PlaceableTrainer): number {
  const needed = bytesNeededOn(need, device);
  if (needed === null) return 0;
  if (device.free_bytes === null) return Number.MAX_SAFE_INTEGER;
  return Math.floor((device.free_bytes - needed) / WASTE_STEP_BYTES);
}

/** Checked last: a trainer that is only busy may take the job later. */
function exclusionOf(need: PlacementNeed, trainer: PlaceableTrainer): Exclusion | null {
  const away = absenceOf(trainer);
  if (away !== null) return { cause: 'away', detail: away };
  const unfit = misfitOf(need, trainer);
  if (unfit !== null) return { cause: 'unfit', detail: unfit };
  const shortage = shortageOf(need, trainer);
  if (shortage !== null) return { cause: 'memory', detail: shortage };
  const { jobs, slots } = trainer;
  if (jobs.length < slots) return null;
  return { cause: 'busy', detail: `it has ${jobs.length} jobs and ${slots} slots` };
}

function absenceOf({ status }: PlaceableTrainer): string | null {
  if (status === 'lost') return 'it has sent no heartbeat lately';
  return status === 'draining' ? 'it is draining and takes no more jobs' : null;
}

const misfitOf = (need: PlacementNeed, trainer: PlaceableTrainer): string | null =>
  unmetRequirement(need.requirements, trainer) ?? unsupportedWork(need, trainer);

function unmetRequirement(
  { trainer_id, kind, device, region_id }: Requirements,
  trainer: PlaceableTrainer,
): string | null {
  const wanted = [
    ['trainer', trainer_id, trainer.trainer_id],
    ['kind', kind, trainer.kind],
    ['device', device, trainer.device.kind],
    ['region', region_id, trainer.region_id ?? 'unknown'],
  ] as const;
  const unmet = wanted.find(
    ([, expected, actual]) => expected !== undefined && expected !== actual,
  );
  return unmet ? `its ${unmet[0]} is ${unmet[2]}, expected ${unmet[1]}` : null;
}

function unsupportedWork(
  { category, modelType, datasetPath }: PlacementNeed,
  { categories, model_types, datasets }: PlaceableTrainer,
): string | null {
  if (category !== null && !categories.includes(category)) {
    return `it trains ${categories.join(', ')}, expected ${category}`;
  }
  if (modelType !== null && !model_types.includes(modelType)) {
    return `it trains ${model_types.join(', ')}, expected ${modelType}`;
  }
  if (datasetPath === null) return null;
  const isHere = (path: string) => path === datasetPath || path.startsWith(`${datasetPath}/`);
  const isAtHand = datasetNameIn(datasetPath) !== undefined || datasets.some(isHere);
  return isAtHand ? null : `it has no dataset ${datasetPath}`;
}

/** A device that does not report free memory has at most its total. */
function shortageOf(need: PlacementNeed, { device }: PlaceableTrainer): string | null {
  const needed = bytesNeededOn(need, device);
  const available = device.free_bytes ?? device.total_bytes;
  if (needed === null || available === null || available >= needed) return null;
  const bound = device.free_bytes === null ? 'at all' : 'free';
  return `its device has ${available} bytes ${bound}, expected ${needed}`;
}

/** A job with a seat to be filled. */
export interface QueuedJob {
  readonly jobId: string;
  /** Grows with every job. */
  readonly seq: number;
  readonly owner: string;
  readonly priority: number;
  readonly status: JobStatus;
}

/** How the owners of jobs were served so far. */
export interface Service {
  readonly liveLeases: ReadonlyMap<string, number>;
  /** Epoch milliseconds; an owner who never was has none. */
  readonly servedAt: ReadonlyMap<string, number>;
}

/**
 * The order in which jobs are leased: the highest priority, then jobs already started, then the owner with
 * the fewest trainers, then the owner that waited longest, then the oldest.
 */
export function fairOrder<T extends QueuedJob>(
  jobs: readonly T[],
  { liveLeases, servedAt }: Service,
): readonly T[] {
  const keyed = jobs.map((job) => ({
    job,
    key: [
      -job.priority,
      job.status === 'queued' ? 1 : 0,
      liveLeases.get(job.owner) ?? 0,
      servedAt.get(job.owner) ?? 0,
      job.seq,
    ],
  }));
  return keyed.toSorted((a, b) => compareKeys(a.key, b.key)).map(({ job }) => job);
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  for (const [i, value] of a.entries()) {
    const difference = value - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
