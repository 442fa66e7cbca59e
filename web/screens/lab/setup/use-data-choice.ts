import { useEffect, useRef } from 'react';
import { createStore } from 'zustand/vanilla';
import { useStore } from 'zustand';
import type { RunSettings } from '../../../../engine/index.ts';
import type { DataChoice } from '../../../lab/protocol.ts';
import { BUNDLED_TEXTS } from '../../../lab/texts/bundled.ts';
import type { PlacedFile } from '../../../ui/dropped-files.ts';
import { useSettled } from '../../../ui/use-settled.ts';
import type { TextName } from '../lab-fields.ts';
import { pageLab } from '../lab-store.ts';

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

/** The pasted text, and a function that changes it. */
export function usePasted(): readonly [text: string, change: (text: string) => void] {
  return [useStore(pasted, ({ text }) => text), (text) => pasted.setState({ text })];
}

/**
 * Lets the lab read the data that is chosen, once; settings that change how it is read let the engine read it
 * anew by itself. Files are read when they are chosen: see chooseFiles.
 */
export function useDataChoice(name: TextName, settings: RunSettings): void {
  const text = useSettled(usePasted()[0], TYPING_MS);
  const latest = useRef(settings);
  useEffect(() => {
    latest.current = settings;
  }, [settings]);
  useEffect(() => {
    const lab = pageLab();
    const read = (choice: DataChoice) => lab.chooseData(choice, latest.current);
    if (name === 'moby-dick' || name === 'stories') {
      readOnce(name, () => read(BUNDLED_TEXTS[name]));
    } else if (name === 'paste' && text !== '') {
      readOnce(`paste ${text}`, () => read({ kind: 'pasted', name: 'pasted.txt', text }));
    } else if (name === 'paste' || !readKey.startsWith('files ')) {
      readOnce('', () => lab.closeData());
    }
  }, [name, text]);
}

export function chooseFiles(files: readonly PlacedFile[], settings: RunSettings): void {
  readKey = `files ${files.map(({ path }) => path).join(' ')}`;
  pageLab().chooseData({ kind: 'files', files }, settings);
}
