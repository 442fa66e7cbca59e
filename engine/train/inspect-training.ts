import { modelOf, type StoredTraining } from '../checkpoint/checkpoint.ts';
import { controlsOf, settingsOf } from '../checkpoint/training-state.ts';
import type { Program } from '../graph/program.ts';
import { traceTraining } from '../models/dense-chronospike/programs.ts';
import { structureFromSpec } from '../models/dense-chronospike/spec.ts';

/** The training step of a stored run, traced and planned but not loaded: for looking at. */
export function inspectTraining(stored: StoredTraining): Program {
  const { layout, spec, execution } = modelOf(stored, 'dense_chronospike');
  const { batch } = settingsOf(execution, spec.architecture);
  const shape = { batch, sequence: spec.core.seq_len };
  return traceTraining(layout, structureFromSpec(spec), shape, controlsOf(execution)).program;
}
