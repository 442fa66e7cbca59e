import { createScreenText, type ScreenText } from '../../i18n/screen-text.ts';
import type { Catalogue, PlainKeyOf } from '../../i18n/text.ts';
import { enLab } from './words/en-lab.ts';
import { jaLab } from './words/ja-lab.ts';

/** The words of the shell and those of the lab, which come with its chunk. */
export type LabText = ScreenText<typeof enLab>;
export type LabKey = PlainKeyOf<Catalogue & typeof enLab>;

/** Everything that is written on the lab's screen, in the page's language. */
export const useLabText = createScreenText<typeof enLab>({ en: enLab, ja: jaLab });
