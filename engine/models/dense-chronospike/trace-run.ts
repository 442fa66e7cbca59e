import { layOutParameters } from '../../graph/parameters.ts';
import { chronospikeParameters } from './parameters.ts';
import { traceEvaluation, traceObservation, traceStream, traceTraining } from './programs.ts';
import { rulesFor } from './neuron-rules.ts';
import { createRuleState } from './ruled-neurons.ts';
import { traceGeneration } from './reading-programs.ts';
import type { StepRules } from '../language/loss-rule.ts';
import { structureOf, type TrainingSettings } from './settings.ts';
import { type TrainingControls } from '../../settings/controls.ts';

/** Everything that a run plays, traced; `beta` is that of the model it goes on from. */
export function traceRun(
  settings: TrainingSettings,
  controls: TrainingControls & Pick<StepRules, 'lossOf'>,
  vocabulary: number,
  beta?: number,
) {
  const structure = { ...structureOf(settings, vocabulary), ...(beta !== undefined && { beta }) };
  const layout = layOutParameters(chronospikeParameters(structure));
  const shape = { batch: settings.batch, sequence: settings.sequence };
  const { carry = false, sequence } = settings;
  const state = createRuleState(structure, rulesFor(structure, controls), settings.energy);
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
