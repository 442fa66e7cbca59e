import { createScreenText, type ScreenText } from '../../i18n/screen-text.ts';
import type { Catalogue, PlainKeyOf } from '../../i18n/text.ts';
import { enModels } from './words/en-models.ts';
import { jaModels } from './words/ja-models.ts';

export type ModelsText = ScreenText<typeof enModels>;
export type ModelsKey = PlainKeyOf<Catalogue & typeof enModels>;

export const useModelsText = createScreenText<typeof enModels>({ en: enModels, ja: jaModels });
