import { createScreenText, type ScreenText } from '../../i18n/screen-text.ts';
import { enPlugins } from './words/en-plugins.ts';
import { jaPlugins } from './words/ja-plugins.ts';

export type PluginsText = ScreenText<typeof enPlugins>;

/** Everything that is written on the Plugins screen. */
export const usePluginsText = createScreenText<typeof enPlugins>({ en: enPlugins, ja: jaPlugins });
