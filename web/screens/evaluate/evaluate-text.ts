import { createScreenText, type ScreenText } from '../../i18n/screen-text.ts';
import { enEvaluate } from './words/en-evaluate.ts';
import { jaEvaluate } from './words/ja-evaluate.ts';

export type EvaluateText = ScreenText<typeof enEvaluate>;

export const useEvaluateText = createScreenText<typeof enEvaluate>({
  en: enEvaluate,
  ja: jaEvaluate,
});
