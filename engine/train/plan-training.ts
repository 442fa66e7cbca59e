import { layOutParameters, type ParameterLayout } from '../graph/parameters.ts';
import { type Program, sharedTensors } from '../graph/program.ts';
import { byteLength } from '../graph/tensor.ts';
import { chronospikeParameters } from '../models/dense-chronospike/parameters.ts';
import {
  traceEvaluation,
  traceObservation,
  traceTraining,
} from '../models/dense-chronospike/programs.ts';
import { traceGeneration } from '../models/dense-chronospike/reading-programs.ts';
import {
  checkSettings,
  structureOf,
  type TrainingControls,
  type TrainingSettings,
} from './settings.ts';

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

/** Traces and plans a run over an alphabet of `vocabulary` characters. Throws as `checkSettings`. */
export function planTraining(
  settings: TrainingSettings,
  controls: TrainingControls,
  vocabulary: number,
): TrainingPlan {
  checkSettings(settings);
  const { layout, programs } = traceRun(settings, controls, vocabulary);
  return planOf(layout, programs);
}

/** What programs over these parameters need. */
export function planOf(layout: ParameterLayout, programs: readonly Program[]): TrainingPlan {
  const breakdown = breakdownOf(layout, programs);
  const { parameters, gradients, optimiser, arena } = breakdown;
  const memoryBytes = parameters + gradients + optimiser + arena;
  return { parameters: layout.count, memoryBytes, breakdown };
}

/** Everything that a run plays, traced. */
export function traceRun(
  settings: TrainingSettings,
  controls: TrainingControls,
  vocabulary: number,
) {
  const structure = structureOf(settings, vocabulary);
  const layout = layOutParameters(chronospikeParameters(structure));
  const shape = { batch: settings.batch, sequence: settings.sequence };
  const train = traceTraining(layout, structure, shape, controls);
  const evaluate = traceEvaluation(layout, structure, shape);
  const generate = traceGeneration(layout, structure);
  const observe = traceObservation(layout, structure, settings.sequence);
  const programs = [train.program, evaluate.program, generate.program, observe.program];
  return { structure, layout, shape, train, evaluate, generate, observe, programs };
}

/** The blocks that programs share are allocated once, the arena as large as the largest needs it. */
function breakdownOf(
  { blockBytes }: ParameterLayout,
  programs: readonly Program[],
): MemoryBreakdown {
  const arena = Math.max(...programs.map((program) => program.arena.arenaBytes));
  const locals = programs.reduce((sum, program) => sum + program.localBytes, 0);
  const shared = sharedTensors(programs).reduce((sum, tensor) => sum + byteLength(tensor), 0);
  return {
    parameters: blockBytes,
    gradients: blockBytes,
    optimiser: 2 * blockBytes,
    arena: arena + locals + shared,
  };
}
