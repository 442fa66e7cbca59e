import { useEffect } from 'react';
import { createStore } from 'zustand/vanilla';
import { useStore } from 'zustand';
import type { TextFields } from '../../../../engine/index.ts';
import type { TextChoice } from '../../../lab/protocol.ts';
import { BUNDLED_TEXTS } from '../../../lab/texts/bundled.ts';
import { useSettled } from '../../../ui/use-settled.ts';
import { type LabFields, readingFrom } from '../lab-fields.ts';
import { theLab } from '../the-lab.ts';

/** A pasted text is read once the typing has stopped for this long. */
const TYPING_MS = 400;

/** Stays when one looks at another screen. Which of the texts the lab has read is known by its key. */
interface Chosen {
  readonly pasted: string;
  readonly file: File | null;
  /** Counts the files that were chosen: two may have the same name. */
  readonly files: number;
}
const chosen = createStore<Chosen>(() => ({ pasted: '', file: null, files: 0 }));
let readKey = '';

function readOnce(key: string, read: () => void): void {
  if (readKey === key) return;
  readKey = key;
  read();
}

/** What was pasted, and how to paste something else. */
export function usePasted(): readonly [text: string, change: (text: string) => void] {
  return [useStore(chosen, ({ pasted }) => pasted), (pasted) => chosen.setState({ pasted })];
}

/** Lets the lab read the text that is chosen, once, and again where it is to be read in another way. */
export function useTextChoice(fields: LabFields): void {
  const pasted = useSettled(usePasted()[0], TYPING_MS);
  const how = useSettled(JSON.stringify(readingFrom(fields)), TYPING_MS);
  const { file, files } = useStore(chosen);
  const { text: name } = fields;
  useEffect(() => {
    const read = (key: string, choice: TextChoice) =>
      readOnce(`${key} ${how}`, () =>
        theLab().chooseText(choice, JSON.parse(how) as Partial<TextFields>),
      );
    if (name === 'moby-dick' || name === 'stories') {
      read(name, BUNDLED_TEXTS[name]);
    } else if (name === 'paste' && pasted !== '') {
      read(`paste ${pasted}`, { kind: 'pasted', name: 'pasted.txt', text: pasted });
    } else if (name === 'file' && file) {
      read(`file ${files}`, { kind: 'file', file });
    } else {
      readOnce('', () => theLab().closeText());
    }
  }, [name, pasted, how, file, files]);
}

export function chooseFile(file: File): void {
  chosen.setState(({ files }) => ({ file, files: files + 1 }));
}
