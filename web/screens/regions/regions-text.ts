import { createScreenText, type ScreenText } from '../../i18n/screen-text.ts';
import { enRegions } from './words/en-regions.ts';
import { jaRegions } from './words/ja-regions.ts';

export type RegionsText = ScreenText<typeof enRegions>;

/** Everything that is written on the screen of the regions. */
export const useRegionsText = createScreenText<typeof enRegions>({ en: enRegions, ja: jaRegions });
