import { useEffect } from 'react';
import { createStore } from 'zustand/vanilla';
import { useStore } from 'zustand';
import { BUNDLED_TEXTS } from '../../../lab/texts/bundled.ts';
import { useSettled } from '../../../ui/use-settled.ts';
import type { TextName } from '../lab-fields.ts';
import { theLab } from '../the-lab.ts';

/** A pasted text is read once the typing has stopped for this long. */
const TYPING_MS = 400;

/** Stays when one looks at another screen. Which of the texts the lab has read is known by its key. */
const pasted = createStore<{ readonly text: string }>(() => ({ text: '' }));
let readKey = '';

function readOnce(key: string, read: () => void): void {
  if (readKey === key) return;
  readKey = key;
  read();
}

/** What was pasted, and how to paste something else. */
export function usePasted(): readonly [text: string, change: (text: string) => void] {
  return [useStore(pasted, ({ text }) => text), (text) => pasted.setState({ text })];
}

/** Lets the lab read the text that is chosen, once. A file is read when it is chosen: see chooseFile. */
export function useTextChoice(name: TextName): void {
  const text = useSettled(usePasted()[0], TYPING_MS);
  useEffect(() => {
    const lab = theLab();
    if (name === 'moby-dick' || name === 'stories') {
      readOnce(name, () => lab.chooseText(BUNDLED_TEXTS[name]));
    } else if (name === 'paste' && text !== '') {
      readOnce(`paste ${text}`, () => lab.chooseText({ kind: 'pasted', name: 'pasted.txt', text }));
    } else if (name === 'paste' || !readKey.startsWith('file ')) {
      readOnce('', () => lab.closeText());
    }
  }, [name, text]);
}

export function chooseFile(file: File): void {
  readKey = `file ${file.name}`;
  theLab().chooseText({ kind: 'file', file });
}
