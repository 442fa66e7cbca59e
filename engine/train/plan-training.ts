import { layOutParameters, type ParameterLayout } from '../graph/parameters.ts';
import type { Program } from '../graph/program.ts';
import { chronospikeParameters } from '../models/dense-chronospike/parameters.ts';
import {
  traceEvaluation,
  traceGeneration,
  traceObservation,
  traceTraining,
} from '../models/dense-chronospike/programs.ts';
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
}

/** Traces and plans a run over an alphabet of `vocabulary` characters. Throws as `checkSettings`. */
export function planTraining(
  settings: TrainingSettings,
  controls: TrainingControls,
  vocabulary: number,
): TrainingPlan {
  checkSettings(settings);
  const { layout, programs } = traceRun(settings, controls, vocabulary);
  return { parameters: layout.count, memoryBytes: memoryOf(layout, programs) };
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
function memoryOf({ blockBytes }: ParameterLayout, programs: readonly Program[]): number {
  const arena = Math.max(...programs.map((program) => program.arena.arenaBytes));
  const locals = programs.reduce((sum, program) => sum + program.localBytes, 0);
  return 4 * blockBytes + arena + locals;
}
