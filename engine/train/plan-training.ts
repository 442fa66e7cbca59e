import { layOutParameters } from '../graph/parameters.ts';
import { chronospikeParameters } from '../models/dense-chronospike/parameters.ts';
import {
  traceEvaluation,
  traceObservation,
  traceTraining,
} from '../models/dense-chronospike/programs.ts';
import { traceGeneration } from '../models/dense-chronospike/reading-programs.ts';
import type { LossRule } from '../models/loss-rule.ts';
import { planPrograms, type TrainingPlan } from './plan-programs.ts';
import {
  checkSettings,
  structureOf,
  type TrainingControls,
  type TrainingSettings,
} from './settings.ts';

export type { MemoryBreakdown, TrainingPlan } from './plan-programs.ts';

/** Traces and plans a run over an alphabet of `vocabulary` characters. Throws as `checkSettings`. */
export function planTraining(
  settings: TrainingSettings,
  controls: TrainingControls,
  vocabulary: number,
): TrainingPlan {
  checkSettings(settings);
  const { layout, programs } = traceRun(settings, controls, vocabulary);
  return planPrograms(layout, programs);
}

/** Everything that a run plays, traced. */
export function traceRun(
  settings: TrainingSettings,
  controls: TrainingControls,
  vocabulary: number,
  lossOf?: LossRule,
) {
  const structure = structureOf(settings, vocabulary);
  const layout = layOutParameters(chronospikeParameters(structure));
  const shape = { batch: settings.batch, sequence: settings.sequence };
  const train = traceTraining(layout, structure, shape, { ...controls, lossOf });
  const evaluate = traceEvaluation(layout, structure, shape);
  const generate = traceGeneration(layout, structure);
  const observe = traceObservation(layout, structure, settings.sequence);
  const programs = [train.program, evaluate.program, generate.program, observe.program];
  return { structure, layout, shape, train, evaluate, generate, observe, programs };
}
