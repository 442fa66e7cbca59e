import { createContext, use } from 'react';
import { createText, type Text } from './text.ts';

/** The language everything below is written in. */
export const TextContext = createContext<Text>(createText('en'));

export function useText(): Text {
  return use(TextContext);
}
