import type { CaptionedSet } from '../captions/captions.ts';
import { LAST_SINGLE_UNIT } from '../text/character-count.ts';
import { wholeCharacters } from '../text/filter.ts';
import type { TokenEncoder } from './text-tokenizer.ts';
import type { Tokenizer } from './tokenizer.ts';

/** The part of a text that a tokenizer knows. */
interface KnownCharacters {
  /** The text without the characters that the tokenizer lacks. */
  of(text: string): string;
  openEncoder(): TokenEncoder;
  /** Number of characters dropped so far. */
  unknown(): number;
}

/** Drops and counts the characters that a tokenizer lacks, for evaluation. Byte-level BPE lacks none. */
export function knownCharacters(tokenizer: Tokenizer): KnownCharacters {
  let unknown = 0;
  const of = (text: string): string => {
    if (tokenizer.kind !== 'character') return text;
    let known = '';
    let first = 0;
    for (let i = 0, code = 0; i < text.length; i += code > LAST_SINGLE_UNIT ? 2 : 1) {
      code = text.codePointAt(i) ?? 0;
      if (tokenizer.idOf(code) !== undefined) continue;
      known += text.slice(first, i);
      first = i + (code > LAST_SINGLE_UNIT ? 2 : 1);
      unknown += 1;
    }
    return first === 0 ? text : known + text.slice(first);
  };
  return {
    of,
    unknown: () => unknown,
    openEncoder() {
      const encoder = tokenizer.openEncoder();
      const whole = wholeCharacters();
      return {
        push: (text) => encoder.push(of(whole.push(text))),
        end() {
          const rest = encoder.push(of(whole.end()));
          return Uint32Array.from([...rest, ...encoder.end()]);
        },
      };
    },
  };
}

/** Captions without the characters that a tokenizer lacks, and how many those were. */
export function withKnownCaptions(
  set: CaptionedSet,
  tokenizer: Tokenizer,
): { readonly set: CaptionedSet; readonly unknown: number } {
  const known = knownCharacters(tokenizer);
  const captions = set.captions.map(known.of);
  return { set: { ...set, captions }, unknown: known.unknown() };
}
