import { createScreenText, type ScreenText } from '../../i18n/screen-text.ts';
import { enBrain } from './words/en-brain.ts';
import { jaBrain } from './words/ja-brain.ts';

export type BrainText = ScreenText<typeof enBrain>;

export const useBrainText = createScreenText<typeof enBrain>({ en: enBrain, ja: jaBrain });
