import { useEffect, useState } from 'react';
import { url } from 'virtual:japanese-words';
import { fillCatalogues } from './fetched-words.ts';
import type { Language } from './language.ts';

const ready = new Set<Language>(url === undefined ? ['en', 'ja'] : ['en']);

/** Fetches the words of a language that not everybody reads. Rejects where they cannot be had now. */
export async function loadWords(language: Language): Promise<void> {
  if (ready.has(language) || url === undefined) return;
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  // Written by our own build.
  fillCatalogues((await answer.json()) as Parameters<typeof fillCatalogues>[0]);
  ready.add(language);
}

/** The language to write in: the one that is asked for once its words are there, till then the one before. */
export function useWrittenLanguage(asked: Language): Language {
  const [written, setWritten] = useState<Language>(ready.has(asked) ? asked : 'en');
  useEffect(() => {
    let isAsked = true;
    const write = () => isAsked && setWritten(asked);
    // Without the gateway there are no words either: what there is stays readable.
    loadWords(asked).then(write, () => undefined);
    return () => {
      isAsked = false;
    };
  }, [asked]);
  return written;
}
