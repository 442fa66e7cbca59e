import { EngineError } from '../../errors.ts';
import type { TextFilter } from './filter.ts';

export const NORMAL_FORMS = ['NFC', 'NFKC'] as const;
export type NormalForm = (typeof NORMAL_FORMS)[number];

/**
 * Characters that may combine with the previous one: marks, the vowels and finals of Hangul in their
 * conjoining, compatible and half-width forms, and half-width voiced sound marks.
 */
const COMBINING = /[\p{M}\u1160-\u11FF\u3131-\u318E\uD7B0-\uD7FF\uFF9E-\uFF9F\uFFA0-\uFFDC]/u;
/** Characters that may combine into one; texts have a handful. */
const MAX_CLUSTER_LENGTH = 1 << 16;

/** Normalisation steps of tokenizers. */
const NORMAL_STEPS = ['newlines', 'NFC', 'NFD', 'NFKC', 'NFKD', 'lowercase'] as const;
export type NormalStep = (typeof NORMAL_STEPS)[number];

/** The steps of a normal form, which include line ends. */
export const stepsOf = (form: NormalForm): readonly NormalStep[] => ['newlines', form];

function normalised(text: string, step: NormalStep): string {
  if (step === 'newlines') return text.replaceAll(/\r\n?/g, '\n');
  if (step !== 'lowercase') return text.normalize(step);
  // Per character: the end of a word makes no difference.
  return Array.from(text, (character) => character.toLowerCase()).join('');
}

/**
 * Normalises line ends to
 *  and equivalent characters: composed in NFC; NFKC also maps half-width katakana, full-width letters and
 * other compatibility characters.
 */
export const normaliser = (form: NormalForm): TextFilter => normalSteps(stepsOf(form));

/** Applies normalisation steps in order. */
export function normalSteps(steps: readonly NormalStep[]): TextFilter {
  let rest = '';
  const normal = (text: string) => steps.reduce(normalised, text);
  return {
    push(text) {
      rest += text;
      const cut = lastBoundary(rest);
      if (rest.length - cut > MAX_CLUSTER_LENGTH) {
        throw new EngineError(
          'text-invalid',
          `the text has more than ${MAX_CLUSTER_LENGTH} combining characters in a row: expected letters`,
        );
      }
      const out = normal(rest.slice(0, cut));
      rest = rest.slice(cut);
      return out;
    },
    end() {
      const out = normal(rest);
      rest = '';
      return out;
    },
  };
}

/** Start of the last character that neither changes nor is changed by the ones before it. */
function lastBoundary(text: string): number {
  for (let at = text.length - 1; at > 0; at--) {
    const unit = text.charCodeAt(at);
    const isSecondHalf = unit >= 0xdc00 && unit <= 0xdfff;
    const isOfLineEnd = unit === 0x0a && text.charCodeAt(at - 1) === 0x0d;
    if (isSecondHalf || isOfLineEnd) continue;
    if (!COMBINING.test(String.fromCodePoint(text.codePointAt(at) ?? 0))) return at;
  }
  return 0;
}
