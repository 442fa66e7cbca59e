import type { Capacity } from '../../edge/contract/training/capacity.ts';
import { Problem } from '../../edge/contract/refusal.ts';
import {
  EngineError,
  estimateTraining,
  type RunSettings,
  type TrainingPlan,
} from '../../engine/index.ts';
import { checkCapacity } from '../gpu/check-capacity.ts';
import { deviceMemory } from '../gpu/device-memory.ts';
import type { Surroundings } from './surroundings.ts';

/** Whether a run fits the device as it is now. @throws Problem invalid_structure, validation_failed */
export async function capacityFor(
  { device }: Pick<Surroundings, 'device'>,
  settings: RunSettings,
): Promise<Capacity> {
  const { breakdown } = planned(settings);
  return checkCapacity(breakdown, await deviceMemory(device, process.env));
}

function planned(settings: RunSettings): TrainingPlan {
  try {
    return estimateTraining(settings);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const isStructure = error.code === 'invalid-structure';
    throw new Problem(isStructure ? 'invalid_structure' : 'validation_failed', error.message);
  }
}

/** Nothing is shrunk to make it fit. @throws Problem insufficient_vram */
export function refuseWithoutRoom(capacity: Capacity): void {
  if (capacity.fits) return;
  const { required_bytes, free_bytes, gpu_name } = capacity;
  const place = gpu_name ?? 'this machine';
  const found = free_bytes === null ? 'has no block as large' : `has ${free_bytes} free`;
  const detail = `The run needs ${required_bytes} bytes, and ${place} ${found}.`;
  throw new Problem('insufficient_vram', detail, { members: { capacity } });
}
