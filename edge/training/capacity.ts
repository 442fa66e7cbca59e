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
import type { Controls, ConvergenceProfile } from '../contract/training/controls.ts';
import type { Capacity, CapacityAnswer, Placement } from '../contract/training/capacity.ts';
import { marginOf, requiredBytesOn, reserveOn } from '../contract/training/required-bytes.ts';
import type { ModelType } from '../contract/training/family-schemas.ts';
import { familyFieldsOf, type JobConfig } from '../contract/training/train-request.ts';
import { Problem } from '../http/problem.ts';
import {
  bytesNeededOn,
  type PlaceableTrainer,
  type PlacementNeed,
  rankTrainers,
} from './placement.ts';

/** A trainer as the ranking and its readers see it. */
export type NamedTrainer = PlaceableTrainer & { readonly name: string };

/** What a request asks to be trained, as far as its memory depends on it. */
export interface AskedRun {
  readonly model_type: ModelType;
  readonly config: JobConfig;
  readonly convergence_profile: ConvergenceProfile;
  readonly controls: Controls;
}

/**
 * What a run needs on its device besides margin and reserve, in bytes. What depends on the data is taken
 * to be as the family assumes: a text of more characters needs a little more.
 *
 * @throws Problem invalid_structure, naming what was expected
 */
export function plannedMemory(asked: AskedRun): MemoryBreakdown {
  const { model_type: architecture, config, convergence_profile: profile } = asked;
  const settings = chooseSettings({
    architecture,
    fields: familyFieldsOf(architecture, config),
    batch: config.batch_size,
    profile,
    // What memory does not depend on.
    learningRate: 1e-4,
    budget: { kind: 'steps', steps: 1 },
  });
  const { breakdown } = planOf(settings, asked);
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
  { convergence_profile: profile, controls }: AskedRun,
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

/** Whether a request would fit, and the trainers it could go to, the best one first. */
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
    // Those that are all too small: the one that comes closest.
    rooms.toSorted((a, b) => (b.available ?? 0) - (a.available ?? 0))[0] ??
    NOWHERE;
  const candidates = ranked.map(({ trainer, excluded }) =>
    placementOf(trainer, excluded?.detail ?? null),
  );
  return { capacity: capacityIn(room, memory, need), candidates };
}

/** @throws Problem insufficient_vram where every trainer that could take the job is known to be too small */
export function refuseWithoutRoom({ capacity }: CapacityAnswer): void {
  if (capacity.fits) return;
  const { required_bytes, free_bytes, gpu_name } = capacity;
  const place = gpu_name ?? 'the largest device';
  const found = free_bytes === null ? 'has less in all' : `has ${free_bytes} free`;
  throw new Problem(
    'insufficient_vram',
    `The run needs ${required_bytes} bytes, and ${place} ${found}.`,
    { members: { capacity } },
  );
}

/** What a trainer's device has for a job. */
interface Room {
  readonly device: PlaceableTrainer['device'];
  /** The most that may be free; null where nothing tells. */
  readonly available: number | null;
  readonly isMeasured: boolean;
  /** Undefined where nothing tells. */
  readonly fits: boolean | undefined;
}

/** What a trainer's own jobs hold now is free by the time that it takes this one. */
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

/** Where no trainer is here that could take the job. */
const NOWHERE: Room = {
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

/** Absurd settings need more than a number can say to the byte. */
const whole = (bytes: number) => Math.min(Math.ceil(bytes), Number.MAX_SAFE_INTEGER);
