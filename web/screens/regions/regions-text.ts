import { createScreenText, type ScreenText } from '../../i18n/screen-text.ts';
import { enRegions } from './words/en-regions.ts';
import { jaRegions } from './words/ja-regions.ts';

export type RegionsText = ScreenText<typeof enRegions>;

export const useRegionsText = createScreenText<typeof enRegions>({ en: enRegions, ja: jaRegions });
