import type { Capacity } from '../../edge/training/contract/capacity.ts';
import type { CategoryRequest } from '../../edge/training/contract/train-request.ts';
import { Problem } from '../../edge/contract/refusal.ts';
import {
  EngineError,
  estimateTraining,
  controlsFor,
  controlsNamed,
  profileControls,
  type RunSettings,
  type TrainingPlan,
} from '../../engine/index.ts';
import { checkCapacity } from '../gpu/check-capacity.ts';
import { deviceMemory } from '../gpu/device-memory.ts';
import type { Context } from './context.ts';

/** Whether a run fits the device as it is now. @throws Problem invalid_structure, validation_failed */
export async function capacityFor(
  { device }: Pick<Context, 'device'>,
  settings: RunSettings,
  asked: AskedControls,
): Promise<Capacity> {
  const { breakdown } = planned(settings, asked);
  return checkCapacity(breakdown, await deviceMemory(device, process.env));
}

type AskedControls = Pick<CategoryRequest, 'convergence_profile' | 'controls'>;

/** With the variables of this machine, as its trainer has them. */
function planned(
  settings: RunSettings,
  { convergence_profile: profile, controls }: AskedControls,
): TrainingPlan {
  try {
    return estimateTraining(settings, {
      controls: controlsFor(
        profileControls(profile, settings),
        controlsNamed(controls),
        process.env,
      ),
    });
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
