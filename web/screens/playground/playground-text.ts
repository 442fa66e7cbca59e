import { createScreenText, type ScreenText } from '../../i18n/screen-text.ts';
import { enPlayground } from './words/en-playground.ts';
import { jaPlayground } from './words/ja-playground.ts';

export type PlaygroundText = ScreenText<typeof enPlayground>;

/** Everything that is written on the playground. */
export const usePlaygroundText = createScreenText<typeof enPlayground>({
  en: enPlayground,
  ja: jaPlayground,
});
