import type { Range } from '../finding.ts';
import type { Clauses } from './clauses.ts';
import { type Cue, CUES, type Filler } from './cue-table.ts';
import { isAdverb, type Token, wordAt, wordSet } from './lexicon.ts';

export interface CueMatch extends Range {
  readonly cue: Cue;
}

const byFirstWord = new Map<string, Cue[]>();
for (const cue of CUES) {
  for (const word of cue.places[0] ?? []) {
    byFirstWord.set(word, [...(byFirstWord.get(word) ?? []), cue]);
  }
}

/** Real sentences have fewer; the limit bounds the time for adversarial ones. */
const MAX_CUES = 10;
const MAX_FILLERS = 3;
const REACH = 9;
/** "not", and the words of "in part", "at least", "in no small measure". */
const DEGREE = wordSet('not in no part at least just all small large measure to');

/** The cues of a sentence, the longest at each place, without overlaps. */
export function matchCues(tokens: readonly Token[]): CueMatch[] {
  const matches: CueMatch[] = [];
  for (let i = 0; i < tokens.length && matches.length < MAX_CUES; i++) {
    const found = longestAt(tokens, i);
    if (!found) continue;
    matches.push(found);
    i = found.to - 1;
  }
  return matches;
}

function longestAt(tokens: readonly Token[], at: number): CueMatch | undefined {
  const found = (byFirstWord.get(wordAt(tokens, at)) ?? []).flatMap((cue) => {
    const end = matchEnd(tokens, at, cue.places);
    const fits = end !== undefined && (!cue.needs || comesSoon(tokens, end, cue.needs));
    return fits ? [{ from: at, to: end, cue }] : [];
  });
  return found.toSorted((a, b) => b.to - a.to)[0];
}

function matchEnd(tokens: readonly Token[], at: number, places: Cue['places']): number | undefined {
  let i = at;
  for (const [k, place] of places.entries()) {
    if (typeof place === 'string') {
      const after = places[k + 1];
      const next =
        after instanceof Set ? skipTo(tokens, i, { wanted: after, filler: place }) : undefined;
      if (next === undefined) return undefined;
      i = next;
    } else if (place.has(wordAt(tokens, i))) {
      i += 1;
    } else {
      return undefined;
    }
  }
  return i;
}

/** The position of a wanted word, after a few others at most. */
function skipTo(
  tokens: readonly Token[],
  from: number,
  { wanted, filler }: { readonly wanted: ReadonlySet<string>; readonly filler: Filler },
): number | undefined {
  for (let i = from; i <= from + MAX_FILLERS && tokens[i]?.isWord; i++) {
    const word = wordAt(tokens, i);
    if (wanted.has(word)) return i;
    if (filler === 'any' ? word === 'as' : !isAdverb(word) && !DEGREE.has(word)) return undefined;
  }
  return undefined;
}

/** Whether a wanted word follows closely, within the same phrase. */
function comesSoon(tokens: readonly Token[], after: number, wanted: ReadonlySet<string>): boolean {
  for (let i = after + 1; i < after + REACH; i++) {
    const word = wordAt(tokens, i);
    if (wanted.has(word)) return true;
    if (word === ',' || word === ';') return false;
  }
  return false;
}

/** The input of an English rule: a sentence and one of its cues. */
export interface Context extends Clauses {
  readonly match: CueMatch;
  /** The effects of earlier cues, which "which" may refer to. */
  readonly effects: readonly Range[];
  readonly hasPrevious: boolean;
}
