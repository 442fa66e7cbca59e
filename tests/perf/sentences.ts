import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Source } from '../engine/random.ts';

export const LANGUAGES = ['en', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(process.env['SPIKEGRID_DATA'] ?? join(root, '../shared/data'), 'text');
const sources = {
  en: { file: 'tinyshakespeare.txt', ends: /(?<=[.!?])\s+|\n\n[^\n]*:\n/, letters: 30 },
  ja: { file: 'aozora-clean.txt', ends: /(?<=[。！？])|\n+/, letters: 16 },
} as const satisfies Record<Language, object>;

/** The first distinct sentences of the data sets, none of them short; reads SPIKEGRID_DATA or ../shared/data. */
export function readSentences(language: Language, count: number): readonly string[] {
  const { file, ends, letters } = sources[language];
  const parts = readFileSync(join(folder, file), 'utf8')
    .split(ends)
    .map((part) => part.trim().replaceAll(/\s+/g, ' '))
    .filter((part) => (part.match(/\p{L}/gu)?.length ?? 0) >= letters);
  const distinct = [...new Set(parts)];
  if (distinct.length < count) {
    throw new Error(`${file} has ${distinct.length} sentences: expected ${count}`);
  }
  return distinct.slice(0, count);
}

/** Words, and in Japanese what the runtime takes for them. */
function wordsOf(text: string, language: Language): string[] {
  if (language === 'en') return text.split(' ');
  return Array.from(
    new Intl.Segmenter('ja', { granularity: 'word' }).segment(text),
    (s) => s.segment,
  );
}

/** Ways in which somebody may write a sentence again. */
export const perturbations = {
  'typos in 15 % of characters': typos(0.15),
  'typos in 30 % of characters': typos(0.3),
  'words in any order': (words, { uniform }) =>
    words
      .map((word) => [uniform(0, 1), word] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, word]) => word),
  'half of the words': (words, { uniform }) => words.filter(() => uniform(0, 1) < 0.5),
  'a quarter in one piece': (words, { uniform }) => {
    const length = Math.ceil(words.length / 4);
    const first = Math.floor(uniform(0, words.length - length + 1));
    return words.slice(first, first + length);
  },
} as const satisfies Record<string, (words: string[], from: Source) => string[]>;

/** Replaces, drops or doubles characters, a third each. */
function typos(share: number) {
  return (words: string[], { uniform }: Source) => {
    const alphabet = [...words.join('')];
    const typed = (character: string) => {
      if (uniform(0, 1) >= share) return character;
      const other = alphabet[Math.floor(uniform(0, alphabet.length))] ?? '';
      return ['', other, character + character][Math.floor(uniform(0, 3))] ?? '';
    };
    return words.map((word) => [...word].map(typed).join(''));
  };
}

export function perturb(
  text: string,
  language: Language,
  change: (words: string[], from: Source) => string[],
  from: Source,
): string {
  return change(wordsOf(text, language), from).join(language === 'en' ? ' ' : '');
}
