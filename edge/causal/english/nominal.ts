import { isEmpty, type Range, type Statement } from '../finding.ts';
import { isHard, isStop, phraseFrom, trimRange } from './clauses.ts';
import { BE, HEDGES, NEGATORS, type Token, wordAt, wordSet } from './lexicon.ts';
import type { Context } from './cues.ts';

const UNKNOWN = wordSet(
  'unknown unclear uncertain disputed debated investigated not still being under found listed given treated',
);

/** "the cause of E is C", "the reason (why) E is that C", "correlation between C and E". */
export function reason(context: Context): Statement | undefined {
  const { tokens, match } = context;
  if (match.cue.relation === 'correlates') return between(context);
  const verb = verbOf(context);
  if (verb === undefined) return undefined;
  const { from, hedged } = behindVerb(tokens, verb + 1);
  const kind = wordAt(tokens, from - 1) === 'that' ? 'clause' : 'noun';
  const cause = phraseFrom(context, from, kind);
  const effect = trimRange(tokens, { from: match.to, to: verb });
  if (isEmpty(effect) || isEmpty(cause) || isUnknown(wordAt(tokens, cause.from))) return undefined;
  return { cause, effect, pattern: 'E', hedged };
}

const isUnknown = (word: string) => UNKNOWN.has(word) || NEGATORS.has(word);

/** The "is" between effect and cause: the one before "that" if there is one, else the first. */
function verbOf({ tokens, match }: Context): number | undefined {
  const verbs: number[] = [];
  for (let i = match.to + 1; i < tokens.length && !isHard(tokens[i]) && !isStop(tokens[i]); i++) {
    if (VERBS.has(wordAt(tokens, i))) verbs.push(i);
  }
  const explains = (i: number) => ['that', 'because'].includes(wordAt(tokens, i + 1));
  const needsThat = !['of', 'for', 'why'].includes(wordAt(tokens, match.to - 1));
  return verbs.find(explains) ?? (needsThat ? undefined : verbs[0]);
}
const VERBS = new Set(['is', 'was', 'are', 'were']);

function behindVerb(tokens: readonly Token[], start: number) {
  let from = start;
  let hedged = false;
  for (; from < tokens.length; from++) {
    const word = wordAt(tokens, from);
    if (HEDGES.has(word)) hedged = true;
    else if (!/^(?:that|because|most|mainly|partly|mostly|also|simply|been)$/.test(word)) break;
    if (word === 'that') return { from: from + 1, hedged };
  }
  return { from, hedged };
}

/** "There is a correlation between C and E." */
function between(context: Context): Statement | undefined {
  const { tokens, match } = context;
  const before = tokens.slice(Math.max(0, match.from - 4), match.from).map(({ word }) => word);
  if (before.some((word) => NEGATORS.has(word))) return undefined;
  const all = phraseFrom(context, match.to, 'noun');
  const and = tokens.findIndex(({ word }, i) => i > all.from && i < all.to && word === 'and');
  if (and < 0) return undefined;
  const cause: Range = trimRange(tokens, { from: all.from, to: and });
  const effect = trimRange(tokens, { from: and + 1, to: all.to });
  return { cause, effect, pattern: 'E' };
}

/** "What caused E was C." */
export function whatCaused(context: Context): Statement | undefined {
  const { tokens, match } = context;
  if (wordAt(tokens, match.from - 1) !== 'what' || match.from > 2) return undefined;
  const verb = tokens.findIndex(({ word }, i) => i > match.to && BE.has(word));
  if (verb < 0 || UNKNOWN.has(wordAt(tokens, verb + 1))) return undefined;
  const effect = trimRange(tokens, { from: match.to, to: verb });
  const cause = phraseFrom(context, verb + 1, 'noun');
  return isEmpty(cause) || isEmpty(effect) ? undefined : { cause, effect, pattern: 'E' };
}
