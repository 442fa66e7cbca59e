import type { CapacityAnswer } from './contract/capacity.ts';
import type { Env } from '../env.ts';
import {
  type AskedRun,
  capacityOf,
  plannedMemory,
  refuseWithoutRoom,
  totalOf,
} from './capacity.ts';
import type { PlacementNeed } from './placement.ts';
import { trainingOf } from './training-stub.ts';

export interface CheckedNeed {
  readonly need: PlacementNeed;
  readonly answer: CapacityAnswer;
}

/**
 * What a run needs, its memory with it, and how that fits the trainers that there are now for a team.
 *
 * @throws Problem invalid_structure
 */
export async function checkCapacity(
  env: Env,
  asked: AskedRun,
  wanted: PlacementNeed,
  team: string,
): Promise<CheckedNeed> {
  const memory = plannedMemory(asked);
  const need = { ...wanted, plannedBytes: totalOf(memory) };
  const trainers = await trainingOf(env).placeable(team);
  return { need, answer: capacityOf(memory, need, trainers) };
}

/** As `checkCapacity`. @throws Problem insufficient_vram as well */
export async function requireCapacity(
  env: Env,
  asked: AskedRun,
  wanted: PlacementNeed,
  team: string,
): Promise<PlacementNeed> {
  const { need, answer } = await checkCapacity(env, asked, wanted, team);
  refuseWithoutRoom(answer);
  return need;
}
