import type { StoredTraining } from '../checkpoint/checkpoint.ts';
import type { Program } from '../graph/program.ts';
import { loadFamily } from './load-family.ts';

export interface InspectedTraining {
  /** The programs of a training step, traced and planned but not loaded. */
  readonly programs: readonly Program[];
  /** A sentence on where the energy gate of the run acts; undefined for a family without one. */
  readonly energyGate: string | undefined;
}

/** Traces the training step of a stored run. */
export async function inspectTraining(stored: StoredTraining): Promise<InspectedTraining> {
  const { stepPrograms, energyGate } = await loadFamily(stored.spec.architecture);
  return { programs: stepPrograms(stored), energyGate: energyGate?.(stored) };
}
