/// <reference types="vite/client" />
import { en } from '../../../web/i18n/en.ts';
import { ja } from '../../../web/i18n/ja.ts';
import type { Message } from '../../../web/i18n/message.ts';

export type Words = Readonly<Record<string, Message>>;
type Modules = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The words of the shell, and those that the screens bring along. */
export const english: Words = {
  ...en,
  ...wordsOf(import.meta.glob('../../../web/**/words/en-*.ts', { eager: true })),
};

export const japanese: Words = {
  ...ja,
  ...wordsOf(import.meta.glob('../../../web/**/words/ja-*.ts', { eager: true })),
};

/** Each word under the name of its screen, such as `keys/me.title`: two screens may use one key. */
function wordsOf(modules: Modules): Words {
  const words = Object.entries(modules).flatMap(([path, module]) => {
    const [, screen = ''] = /\/(?:screens|app|widgets)\/([\w-]+)\//.exec(path) ?? [];
    const [, catalogue = {}] =
      Object.entries(module).find(([name]) => /^(?:en|ja)[A-Z]/.test(name)) ?? [];
    return Object.entries(catalogue as Words).map(([key, word]) => [`${screen}/${key}`, word]);
  });
  return Object.fromEntries(words);
}
