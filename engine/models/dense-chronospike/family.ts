import { openText } from '../../datasets/text-data.ts';
import type { ModelFamily, TextData } from '../../families/family.ts';
import { chronospikeSettings } from '../../train/settings.ts';
import { createTrainingRun } from '../../train/training-run.ts';
import { chronospikePlan } from './plan.ts';

export const chronospikeFamily: ModelFamily<TextData> = {
  ...chronospikePlan,
  openData: openText,
  createRun: ({ settings, ...rest }, { corpus }) =>
    createTrainingRun({ ...rest, settings: chronospikeSettings(settings), corpus }),
};
