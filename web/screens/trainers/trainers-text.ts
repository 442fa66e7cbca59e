import { createScreenText, type ScreenText } from '../../i18n/screen-text.ts';
import { enTrainers } from './words/en-trainers.ts';
import { jaTrainers } from './words/ja-trainers.ts';

export type TrainersText = ScreenText<typeof enTrainers>;

/** Everything that is written on the screen of trainers. */
export const useTrainersText = createScreenText<typeof enTrainers>({
  en: enTrainers,
  ja: jaTrainers,
});
