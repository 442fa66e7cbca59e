import { layOutParameters, type ParameterLayout } from '../graph/parameters.ts';
import { type Program, sharedTensors } from '../graph/program.ts';
import { byteLength } from '../graph/tensor.ts';
import { chronospikeParameters } from '../models/dense-chronospike/parameters.ts';
import {
  traceEvaluation,
  traceObservation,
  traceStream,
  traceTraining,
} from '../models/dense-chronospike/programs.ts';
import { rulesFor } from '../models/dense-chronospike/neuron-rules.ts';
import { createRuleState } from '../models/dense-chronospike/ruled-neurons.ts';
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
  const breakdown = breakdownOf(layout, programs);
  const { parameters, gradients, optimiser, arena } = breakdown;
  const memoryBytes = parameters + gradients + optimiser + arena;
  return { parameters: layout.count, memoryBytes, breakdown };
}

/** Everything that a run plays, traced; `beta` is that of the model it goes on from. */
export function traceRun(
  settings: TrainingSettings,
  controls: TrainingControls,
  vocabulary: number,
  beta?: number,
) {
  const structure = { ...structureOf(settings, vocabulary), ...(beta !== undefined && { beta }) };
  const layout = layOutParameters(chronospikeParameters(structure));
  const shape = { batch: settings.batch, sequence: settings.sequence };
  const { carry = false, sequence } = settings;
  const state = createRuleState(structure, rulesFor(structure, controls));
  const train = traceTraining(layout, structure, shape, { ...controls, state, carry });
  const evaluate = traceEvaluation(layout, structure, shape, state.beta);
  const generate = traceGeneration(layout, structure, state.beta);
  const observe = traceObservation(layout, structure, sequence, state.beta);
  const stream = carry ? traceStream(layout, structure, shape, state.beta) : undefined;
  const traced = [train, train.early, evaluate, generate, observe, stream];
  const others = train.groups?.slice(1) ?? [];
  const programs = [...traced.flatMap((one) => (one ? [one.program] : [])), ...others];
  const all = { structure, layout, shape, state, train, evaluate, generate, observe, programs };
  return { ...all, ...(stream && { stream }) };
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
