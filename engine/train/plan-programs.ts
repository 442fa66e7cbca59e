import type { ParameterLayout } from '../graph/parameters.ts';
import { memoryOf, type Program } from '../graph/program.ts';

/** What a run will need, known before a device is opened. */
export interface TrainingPlan {
  /** Trained numbers. */
  readonly parameters: number;
  /** Memory on the device: parameters, gradients, moments, the arena, and what lasts of each program. */
  readonly memoryBytes: number;
  /** What `memoryBytes` is made of; the arena with what lasts of each program. */
  readonly breakdown: MemoryBreakdown;
}

/** In bytes. */
export interface MemoryBreakdown {
  readonly parameters: number;
  readonly gradients: number;
  readonly optimiser: number;
  readonly arena: number;
}

/** The plan of a run of any family from all that it plays. */
export function planPrograms(layout: ParameterLayout, programs: readonly Program[]): TrainingPlan {
  const breakdown = breakdownOf(layout, programs);
  const { parameters, gradients, optimiser, arena } = breakdown;
  const memoryBytes = parameters + gradients + optimiser + arena;
  return { parameters: layout.count, memoryBytes, breakdown };
}

function breakdownOf(
  { blockBytes }: ParameterLayout,
  programs: readonly Program[],
): MemoryBreakdown {
  const { arena, lasting } = memoryOf(programs);
  return {
    parameters: blockBytes,
    gradients: blockBytes,
    optimiser: 2 * blockBytes,
    arena: arena + lasting,
  };
}
