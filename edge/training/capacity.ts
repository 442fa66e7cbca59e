import {
  chooseSettings,
  controlsFor,
  controlsNamed,
  EngineError,
  estimateTraining,
  type MemoryBreakdown,
  profileControls,
  type RunSettings,
  type TrainingPlan,
} from '../../engine/planning.ts';
import type { Controls, ConvergenceProfile } from './contract/controls.ts';
import type { Capacity, CapacityAnswer, Placement } from './contract/capacity.ts';
import { marginOf, requiredBytesOn, reserveOn } from './contract/required-bytes.ts';
import type { ModelType } from './contract/family-schemas.ts';
import { familyFieldsOf, type JobConfig } from './contract/train-request.ts';
import { Problem } from '../http/problem.ts';
import {
  bytesNeededOn,
  type PlaceableTrainer,
  type PlacementNeed,
  rankTrainers,
} from './placement.ts';
import type { Env } from '../env.ts';
import { trainingOf } from './training-stub.ts';

/** A trainer as the ranking and its readers see it. */
export type NamedTrainer = PlaceableTrainer & { readonly name: string };

/** The parts of a request that its memory depends on. */
interface PlannedRun {
  readonly model_type: ModelType;
  readonly config: JobConfig;
  readonly convergence_profile: ConvergenceProfile;
  readonly controls: Controls;
}

/**
 * The memory of a run on its device without margin and reserve, in bytes. Where it depends on the data,
 * the family's assumption counts: a text with more characters needs a little more.
 *
 * @throws Problem invalid_structure, naming what was expected
 */
export function plannedMemory(requested: PlannedRun): MemoryBreakdown {
  const { model_type: architecture, config, convergence_profile: profile } = requested;
  const settings = chooseSettings({
    architecture,
    fields: familyFieldsOf(architecture, config),
    batch: config.batch_size,
    profile,
    // Memory does not depend on these.
    learningRate: 1e-4,
    budget: { kind: 'steps', steps: 1 },
  });
  const { breakdown } = planOf(settings, requested);
  const { parameters, gradients, optimiser, arena } = breakdown;
  return {
    parameters: whole(parameters),
    gradients: whole(gradients),
    optimiser: whole(optimiser),
    arena: whole(arena),
  };
}

function planOf(
  settings: RunSettings,
  { convergence_profile: profile, controls }: PlannedRun,
): TrainingPlan {
  try {
    return estimateTraining(settings, {
      controls: controlsFor(profileControls(profile, settings), controlsNamed(controls), {}),
    });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw new Problem('invalid_structure', `The run cannot be planned: ${error.message}.`);
  }
}

export const totalOf = ({ parameters, gradients, optimiser, arena }: MemoryBreakdown): number =>
  whole(parameters + gradients + optimiser + arena);

/** Whether a run would fit, and the candidate trainers, the best one first. */
export function capacityOf(
  memory: MemoryBreakdown,
  need: PlacementNeed,
  trainers: readonly NamedTrainer[],
): CapacityAnswer {
  const ranked = rankTrainers(need, trainers);
  const rooms = ranked
    .filter(({ excluded }) => excluded?.cause !== 'away' && excluded?.cause !== 'unfit')
    .map(({ trainer }) => roomOn(trainer, need));
  const room =
    rooms.find(({ fits }) => fits === true) ??
    rooms.find(({ fits }) => fits === undefined) ??
    // All are too small: the one that comes closest.
    rooms.toSorted((a, b) => (b.available ?? 0) - (a.available ?? 0))[0] ??
    NO_ROOM;
  const candidates = ranked.map(({ trainer, excluded }) =>
    placementOf(trainer, excluded?.detail ?? null),
  );
  return { capacity: capacityIn(room, memory, need), candidates };
}

/** @throws Problem insufficient_vram where every suitable trainer is known to be too small */
export function requireRoom({ capacity }: CapacityAnswer): void {
  if (capacity.fits) return;
  const { required_bytes, free_bytes, gpu_name } = capacity;
  const position = gpu_name ?? 'the largest device';
  const found = free_bytes === null ? 'has less in all' : `has ${free_bytes} free`;
  throw new Problem(
    'insufficient_vram',
    `The run needs ${required_bytes} bytes, and ${position} ${found}.`,
    { members: { capacity } },
  );
}

/** The memory of a trainer's device for a job. */
interface Room {
  readonly device: PlaceableTrainer['device'];
  /** The upper bound of free memory; null where it is unknown. */
  readonly available: number | null;
  readonly isMeasured: boolean;
  /** Undefined where it is unknown. */
  readonly fits: boolean | undefined;
}

/** Memory held by a trainer's own jobs is free by the time it takes this one. */
function roomOn({ device, jobs }: PlaceableTrainer, need: PlacementNeed): Room {
  const measured = jobs.length === 0 ? device.free_bytes : null;
  const available = measured ?? device.total_bytes;
  const needed = bytesNeededOn(need, device);
  const isKnown = available !== null && needed !== null;
  const fits = isKnown ? available >= needed : undefined;
  return { device, available, isMeasured: measured !== null, fits };
}

function capacityIn(
  { device, available, isMeasured, fits = true }: Room,
  memory: MemoryBreakdown,
  need: PlacementNeed,
): Capacity {
  const planned = totalOf(memory);
  const required = bytesNeededOn(need, device) ?? requiredBytesOn(planned, device.total_bytes);
  return {
    checked: available !== null && (isMeasured || 'limits_only'),
    fits,
    gpu_index: device.gpu_index,
    gpu_name: device.kind === 'gpu' ? device.label : null,
    free_bytes: device.free_bytes,
    required_bytes: whole(required),
    breakdown: { ...memory, margin: marginOf(planned), reserve: reserveOn(device.total_bytes) },
  };
}

/** The room where no suitable trainer is connected. */
const NO_ROOM: Room = {
  device: { kind: 'cpu', label: '', gpu_index: null, total_bytes: null, free_bytes: null },
  available: null,
  isMeasured: false,
  fits: undefined,
};

const placementOf = (trainer: NamedTrainer, excluded: string | null): Placement => ({
  trainer_id: trainer.trainer_id,
  name: trainer.name,
  device: trainer.device.label,
  free_bytes: trainer.device.free_bytes,
  load: trainer.load,
  jobs: trainer.jobs.length,
  region_id: trainer.region_id,
  excluded,
});

/** Absurd settings exceed what a number represents exactly. */
const whole = (bytes: number) => Math.min(Math.ceil(bytes), Number.MAX_SAFE_INTEGER);

interface CheckedNeed {
  readonly need: PlacementNeed;
  readonly answer: CapacityAnswer;
}

/**
 * The needs of a run, memory included, and how they fit the present trainers of a team.
 *
 * @throws Problem invalid_structure
 */
export async function checkCapacity(
  env: Env,
  requested: PlannedRun,
  wanted: PlacementNeed,
  team: string,
): Promise<CheckedNeed> {
  const memory = plannedMemory(requested);
  const need = { ...wanted, plannedBytes: totalOf(memory) };
  const trainers = await trainingOf(env).placeable(team);
  return { need, answer: capacityOf(memory, need, trainers) };
}

/** As `checkCapacity`. @throws Problem insufficient_vram as well */
export async function requireCapacity(
  env: Env,
  requested: PlannedRun,
  wanted: PlacementNeed,
  team: string,
): Promise<PlacementNeed> {
  const { need, answer } = await checkCapacity(env, requested, wanted, team);
  requireRoom(answer);
  return need;
}
