import { modelOf, type StoredTraining } from '../checkpoint/checkpoint.ts';
import { controlsOf, settingsOf } from '../checkpoint/training-state.ts';
import type { Program } from '../graph/program.ts';
import { traceTraining } from '../models/dense-chronospike/programs.ts';
import { rulesFor } from '../models/dense-chronospike/neuron-rules.ts';
import { createRuleState } from '../models/dense-chronospike/ruled-neurons.ts';
import { structureFromSpec } from '../models/dense-chronospike/spec.ts';

/** The training step of a stored run, traced and planned but not loaded: for looking at. */
export function inspectTraining(stored: StoredTraining): Program {
  const { layout, spec, execution } = modelOf(stored, 'dense_chronospike');
  const { batch, fields } = settingsOf(execution, spec.architecture);
  const shape = { batch, sequence: spec.core.seq_len };
  const structure = structureFromSpec(spec);
  const controls = controlsOf(execution);
  const state = createRuleState(structure, rulesFor(structure, controls));
  const carry = fields['carry'] === true;
  return traceTraining(layout, structure, shape, { ...controls, state, carry }).program;
}
