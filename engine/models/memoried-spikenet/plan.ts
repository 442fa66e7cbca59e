import type { FamilyPlan } from '../../families/family.ts';
import { layOutParameters } from '../../graph/parameters.ts';
import { planPrograms } from '../../train/plan-programs.ts';
import type { TrainingControls } from '../../train/settings.ts';
import { layOutFixedPart } from '../sparse-event-memory/fixed-part.ts';
import { memoriedParameters } from './parameters.ts';
import { traceMemoriedEvaluation, traceMemoriedTraining } from './programs.ts';
import { memoriedSettings, type MemoriedSettings } from './settings.ts';
import { backboneOf, streamTokens } from './structure.ts';

/** Everything that a run plays, traced. */
export function traceMemoriedRun(
  { structure, learning }: MemoriedSettings,
  batch: number,
  controls: TrainingControls,
) {
  const layout = layOutParameters(memoriedParameters(structure));
  const model = { structure, layout, fixed: layOutFixedPart(backboneOf(structure)) };
  const shape = { batch, sequence: streamTokens(structure) };
  const train = traceMemoriedTraining(model, shape, controls, learning);
  const evaluate = traceMemoriedEvaluation(model, shape);
  return { ...model, shape, train, evaluate, programs: [train.program, evaluate.program] };
}

export const memoriedPlan: FamilyPlan = {
  assumedShape: { vocabulary: 256, images: 1, sounds: 0, classes: 1 },
  check: (settings) => {
    memoriedSettings(settings, { images: 1 });
  },
  plan: (settings, controls, shape) => {
    const asked = memoriedSettings(settings, shape);
    const { layout, programs } = traceMemoriedRun(asked, settings.batch, controls);
    return planPrograms(layout, programs);
  },
};
