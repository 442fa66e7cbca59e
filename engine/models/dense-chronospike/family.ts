import { openText } from '../../data/text-data.ts';
import type { ModelFamily, TextData } from '../../families/family.ts';
import { createTrainingRun } from '../../train/training-run.ts';
import { checkSettings, chronospikeSettings } from '../../train/settings.ts';
import { planTraining } from '../../train/plan-training.ts';

export const chronospikeFamily: ModelFamily<TextData> = {
  check: (settings) => checkSettings(chronospikeSettings(settings)),
  openData: openText,
  // Characters of a text in a European language; how many there are hardly changes the plan.
  assumedShape: { vocabulary: 256 },
  plan: (settings, controls, { vocabulary = 256 }) =>
    planTraining(chronospikeSettings(settings), controls, vocabulary),
  createRun: ({ settings, ...rest }, { corpus }) =>
    createTrainingRun({ ...rest, settings: chronospikeSettings(settings), corpus }),
};
