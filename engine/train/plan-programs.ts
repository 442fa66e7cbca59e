import type { ParameterLayout } from '../graph/parameters.ts';
import { memoryOf, type Program } from '../graph/program.ts';
import type { Memory } from '../graph/sizes.ts';
import { WORD_BYTES } from '../graph/tensor.ts';

/** Memory plan of a run, known before a device is opened. */
export interface TrainingPlan {
  /** Trained numbers. */
  readonly parameters: number;
  /** Memory on the device: parameters, gradients, moments, the arena, and what lasts of each program. */
  readonly memoryBytes: number;
  /** Parts of `memoryBytes`; the arena with the persistent tensors of each program. */
  readonly breakdown: MemoryBreakdown;
}

/** In bytes. */
export interface MemoryBreakdown {
  readonly parameters: number;
  readonly gradients: number;
  readonly optimiser: number;
  readonly arena: number;
}

/** The plan of a run by formula, before anything is traced. */
export function planMemory({ parameters, arena, lasting }: Memory): TrainingPlan {
  return planOf(parameters.count, parameters.bytes, arena + lasting);
}

/** A plan with the average of the weights and its count beside it. */
export function withAverage(plan: TrainingPlan): TrainingPlan {
  const { memoryBytes, breakdown } = plan;
  const bytes = breakdown.parameters + WORD_BYTES;
  const arena = breakdown.arena + bytes;
  return { ...plan, memoryBytes: memoryBytes + bytes, breakdown: { ...breakdown, arena } };
}

/** The plan of a run of any family from all that it plays. */
export function planPrograms(layout: ParameterLayout, programs: readonly Program[]): TrainingPlan {
  const { arena, lasting } = memoryOf(programs);
  return planOf(layout.count, layout.blockBytes, arena + lasting);
}

function planOf(count: number, block: number, arena: number): TrainingPlan {
  const breakdown = { parameters: block, gradients: block, optimiser: 2 * block, arena };
  return { parameters: count, memoryBytes: 4 * block + arena, breakdown };
}
