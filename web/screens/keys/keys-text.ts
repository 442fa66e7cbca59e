import { createScreenText, type ScreenText } from '../../i18n/screen-text.ts';
import { enKeys } from './words/en-keys.ts';
import { jaKeys } from './words/ja-keys.ts';

export type KeysText = ScreenText<typeof enKeys>;

/** Everything that is written on the screen about keys. */
export const useKeysText = createScreenText<typeof enKeys>({ en: enKeys, ja: jaKeys });
