import type { CausalRelation } from '../../contract/memory/causal.ts';
import type { Strength } from '../finding.ts';
import { wordAt, type Range, type Token } from './tokens.ts';

/**
 * How a cue joins the two:
 * forward      cause CUE effect, a predicate            "frost causes damage"
 * backward     effect CUE cause, a predicate            "damage is caused by frost"
 * gerund       cause, CUE effect                        "the pipe froze, causing a leak"
 * preposition  effect CUE cause, or CUE cause, effect   "due to frost"
 * subordinate  the same with clauses                    "because the pipe froze"
 * since, as    the same, unless they tell a time
 * connective   cause; CUE effect, or two sentences      "therefore"
 * so           the same, or "so cold that"
 * make         cause CUE effect, where a verb follows   "made the lens stick"
 * reason       CUE of effect is cause                   "the cause of the leak"
 */
export type CueKind =
  | 'forward'
  | 'backward'
  | 'gerund'
  | 'preposition'
  | 'subordinate'
  | 'since'
  | 'as'
  | 'connective'
  | 'so'
  | 'make'
  | 'reason';

export interface Cue {
  /** One set of words for each place; null stands for up to three words of any kind. */
  readonly places: readonly (ReadonlySet<string> | null)[];
  readonly kind: CueKind;
  readonly relation: CausalRelation;
  readonly strength: Strength;
  /** Words one of which has to come soon after the cue. */
  readonly needs?: ReadonlySet<string>;
}

export interface CueMatch extends Range {
  readonly cue: Cue;
}

const BE = 'is|are|was|were|be|been|being';
const TO = new Set(['to']);
const FROM = new Set(['from', 'out']);

const forward: readonly Cue[] = [
  ...cues('forward', 'causes', 'strong', [
    'cause|causes|caused',
    'lead|leads|led to',
    'result|results|resulted in',
    'trigger|triggers|triggered',
    'bring|brings|brought about',
    'give|gives|gave rise to',
    `${BE} … cause|causes of`,
  ]),
  ...cues('forward', 'causes', 'medium', [
    'set|sets off',
    'spark|sparks|sparked',
    'induce|induces|induced',
    'elicit|elicits|elicited',
    'provoke|provokes|provoked',
    `${BE} … responsible for`,
    `${BE} … to blame for`,
    `${BE} … reason for`,
    `${BE} … source of`,
    'account|accounts|accounted for',
  ]),
  ...cues(
    'forward',
    'causes',
    'medium',
    ['led', 'force|forces|forced', 'compel|compels|compelled'],
    TO,
  ),
  ...cues('forward', 'contributes_to', 'medium', [
    'contribute|contributes|contributed to',
    'play|plays|played a … part|role in',
    `${BE} … factor|factors in|for|to|behind`,
    'helped|helps cause',
  ]),
  ...cues('forward', 'prevents', 'strong', [
    'prevent|prevents|prevented',
    'block|blocks|blocked',
    'inhibit|inhibits|inhibited',
    'make|makes|made it impossible to|for',
  ]),
  ...cues('forward', 'prevents', 'medium', [
    'hinder|hinders|hindered',
    'hamper|hampers|hampered',
    'avert|averts|averted',
    'preclude|precludes|precluded',
    'suppress|suppresses|suppressed',
    'protect|protects|protected against|from',
  ]),
  ...cues(
    'forward',
    'prevents',
    'medium',
    [
      'protect|protects|protected',
      'stop|stops|stopped',
      'keep|keeps|kept',
      'discourage|discourages|discouraged',
    ],
    FROM,
  ),
  ...cues('forward', 'enables', 'medium', [
    'enable|enables|enabled',
    'make|makes|made it possible to|for',
  ]),
  ...cues('forward', 'enables', 'medium', ['allow|allows|allowed', 'permit|permits|permitted'], TO),
  ...cues('forward', 'enables', 'ambiguous', ['lets']),
  ...cues('forward', 'correlates', 'medium', [
    'correlate|correlates|correlated with',
    `${BE} … correlated with`,
    `${BE} … associated with`,
    'been linked to|with',
    `${BE} strongly|closely|causally|clearly linked to|with`,
  ]),
];

const backward: readonly Cue[] = [
  ...cues('backward', 'causes', 'strong', [
    'caused by',
    'caused|triggered mainly|largely|partly|primarily|mostly|chiefly|directly|solely by',
    'triggered by',
    'brought about by',
    'result|results|resulted from',
    `${BE} … result of`,
    `${BE} … due to`,
  ]),
  ...cues('backward', 'causes', 'medium', [
    'set off by',
    'sparked by',
    'induced by',
    'provoked by',
    'stem|stems|stemmed from',
    'arise|arises|arose from',
    `${BE} … consequence of`,
    `${BE} … attributable to`,
    'attributed to',
    'traced back to',
    'traced to',
    'blamed on',
    'explained by',
  ]),
  ...cues('backward', 'prevents', 'medium', [
    'prevented by',
    'blocked by',
    'inhibited by',
    'averted by',
  ]),
  ...cues('backward', 'enables', 'medium', ['made possible by', 'enabled by']),
];

const joining: readonly Cue[] = [
  ...cues('gerund', 'causes', 'strong', [
    'causing',
    'leading to',
    'resulting in',
    'triggering',
    'bringing about',
  ]),
  ...cues('gerund', 'causes', 'medium', ['giving rise to', 'sparking', 'setting off']),
  ...cues('gerund', 'causes', 'medium', ['forcing'], TO),
  ...cues('gerund', 'prevents', 'medium', ['preventing', 'blocking']),
  ...cues('gerund', 'enables', 'medium', ['enabling']),
  ...cues('gerund', 'enables', 'medium', ['allowing'], TO),
  ...cues('preposition', 'causes', 'strong', [
    'because of',
    'due to',
    'owing to',
    'as a result of',
    'as a consequence of',
    'thanks to',
    'on account of',
  ]),
  ...cues('preposition', 'causes', 'medium', [
    'by virtue of',
    'for lack of',
    'for want of',
    'in response to',
  ]),
  ...cues('subordinate', 'causes', 'strong', ['because']),
  ...cues('subordinate', 'causes', 'medium', ['given that', 'on the grounds that', 'seeing that']),
  ...cues('since', 'causes', 'ambiguous', ['since']),
  ...cues('as', 'causes', 'ambiguous', ['as']),
  ...cues('connective', 'causes', 'strong', [
    'as a result',
    'as a consequence',
    'because of this|that',
    'for this|that reason',
  ]),
  ...cues('connective', 'causes', 'medium', [
    'therefore',
    'thereby',
    'thus',
    'hence',
    'consequently',
    'accordingly',
    'that|this|which is|was why',
    'that|this|which explains why',
    'so that',
  ]),
  ...cues('so', 'causes', 'ambiguous', ['so', 'such']),
  ...cues('make', 'causes', 'ambiguous', ['make|makes|made']),
  ...cues('reason', 'causes', 'strong', [
    'cause|causes of|for',
    'reason|reasons',
    'reason|reasons why|that|for',
  ]),
  ...cues('reason', 'correlates', 'medium', ['correlation|association between']),
];

function cues(
  kind: CueKind,
  relation: CausalRelation,
  strength: Strength,
  ...[phrases, needs]: [phrases: readonly string[], needs?: ReadonlySet<string>]
): Cue[] {
  return phrases.map((phrase) => ({
    places: phrase.split(' ').map((place) => (place === '…' ? null : new Set(place.split('|')))),
    kind,
    relation,
    strength,
    ...(needs && { needs }),
  }));
}

const byFirstWord = new Map<string, Cue[]>();
for (const cue of [...forward, ...backward, ...joining]) {
  for (const word of cue.places[0] ?? []) {
    byFirstWord.set(word, [...(byFirstWord.get(word) ?? []), cue]);
  }
}

/** Real sentences have fewer; the bound keeps the time of hostile ones linear. */
const MOST_CUES = 10;
const MOST_FILLERS = 3;
const REACH = 9;

/** The cues of a sentence, the longest at each place, none inside another. */
export function matchCues(tokens: readonly Token[]): CueMatch[] {
  const matches: CueMatch[] = [];
  for (let i = 0; i < tokens.length && matches.length < MOST_CUES; i++) {
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
    if (place === null) {
      const next = skipTo(tokens, i, places[k + 1] ?? NO_WORDS);
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
const NO_WORDS: ReadonlySet<string> = new Set();

/** Where one of some words stands, with a few others at most before it. */
function skipTo(
  tokens: readonly Token[],
  from: number,
  wanted: ReadonlySet<string>,
): number | undefined {
  for (let i = from; i <= from + MOST_FILLERS && tokens[i]?.isWord; i++) {
    if (wanted.has(wordAt(tokens, i))) return i;
  }
  return undefined;
}

/** Whether one of some words comes soon, and in the same phrase. */
function comesSoon(tokens: readonly Token[], after: number, wanted: ReadonlySet<string>): boolean {
  for (let i = after + 1; i < after + REACH; i++) {
    const word = wordAt(tokens, i);
    if (wanted.has(word)) return true;
    if (word === ',' || word === ';') return false;
  }
  return false;
}
