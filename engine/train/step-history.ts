import type { Player } from '../graph/backend.ts';
import type { Tensor } from '../graph/tensor.ts';

/** Losses and norms kept on the device; read them back before as many plays have passed. */
export const HISTORY_SLOTS = 256;
/** Steps queued before their losses are read. */
export const QUEUE_STEPS = 32;

/** Mean losses and gradient norms of the latest steps, each in the slot `step % length`. */
export interface StepHistory {
  readonly losses: Tensor;
  readonly norms: Tensor;
}

/** Numbers of some steps in a row. */
export interface StepNumbers {
  readonly losses: Float32Array;
  readonly norms: Float32Array;
}

/** Reads steps from `first` on, `count` of them, into arrays from the place `at` on; waits for what is queued. */
export async function readSteps(
  player: Player,
  { losses, norms }: StepHistory,
  { first, count, into, at }: { first: number; count: number; into: StepNumbers; at: number },
): Promise<void> {
  const [lossSlots, normSlots] = await Promise.all([player.read(losses), player.read(norms)]);
  for (let i = 0; i < count; i++) {
    into.losses[at + i] = lossSlots[(first + i) % lossSlots.length] ?? Number.NaN;
    into.norms[at + i] = normSlots[(first + i) % normSlots.length] ?? Number.NaN;
  }
}
