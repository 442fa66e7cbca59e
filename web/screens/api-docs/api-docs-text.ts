import { createScreenText, type ScreenText } from '../../i18n/screen-text.ts';
import { enApiDocs } from './words/en-api-docs.ts';
import { jaApiDocs } from './words/ja-api-docs.ts';

export type ApiDocsText = ScreenText<typeof enApiDocs>;

export const useApiDocsText = createScreenText<typeof enApiDocs>({ en: enApiDocs, ja: jaApiDocs });
