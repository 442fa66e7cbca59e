import { createScreenText, type ScreenText } from '../../i18n/screen-text.ts';
import { enMemory } from './words/en-memory.ts';
import { jaMemory } from './words/ja-memory.ts';

export type MemoryText = ScreenText<typeof enMemory>;

export const useMemoryText = createScreenText<typeof enMemory>({ en: enMemory, ja: jaMemory });
