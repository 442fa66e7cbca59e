import type { StoredTraining } from '../checkpoint/checkpoint.ts';
import { structureFromSpec } from '../checkpoint/model-spec.ts';
import { controlsOf, settingsOf } from '../checkpoint/training-state.ts';
import type { Program } from '../graph/program.ts';
import { traceTraining } from '../models/dense-chronospike/programs.ts';

/** The training step of a stored run, traced and planned but not loaded: for looking at. */
export function inspectTraining({ layout, spec, execution }: StoredTraining): Program {
  const { batch, sequence } = settingsOf(execution);
  const controls = controlsOf(execution);
  return traceTraining(layout, structureFromSpec(spec), { batch, sequence }, controls).program;
}
