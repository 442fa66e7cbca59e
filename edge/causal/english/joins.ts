import { isEmpty, type Range, type Statement } from '../finding.ts';
import {
  clauseBefore,
  hasFinite,
  isClause,
  isFinite,
  isHard,
  isStop,
  phraseFrom,
  trimRange,
} from './clauses.ts';
import {
  BE,
  DEMONSTRATIVES,
  DETERMINERS,
  HEDGES,
  isAdverb,
  PARTIAL,
  SUBJECTS,
  type Token,
  wordAt,
  wordSet,
} from './lexicon.ts';
import { backward, isPlan } from './predicates.ts';
import type { Context } from './cues.ts';

/** "because", "due to": before both parts, between them, or after a form of "be". */
export function joined(context: Context, kind: 'noun' | 'clause'): Statement | undefined {
  const { tokens, match } = context;
  if (DENIALS.has(wordAt(tokens, match.from - 1)) || isPlan(context)) return undefined;
  const to = behindAdverbs(tokens, match.from);
  if (BE.has(wordAt(tokens, to - 1))) return behindBe(context, kind, to);
  const cause = phraseFrom(context, match.to, kind);
  if (isEmpty(cause)) return undefined;
  const modality = modalityOf(tokens, to, match.from);
  if (isInFront(context, to)) {
    const effect = afterComma(context, cause.to);
    if (effect) return { cause, effect, pattern: 'B', ...modality };
    return kind === 'noun' ? withoutComma(context, cause, modality) : undefined;
  }
  const effect = trimRange(tokens, clauseBefore(context, to));
  return isEmpty(effect) ? undefined : { cause, effect, pattern: 'B', ...modality };
}

/** "not because", and "a big thanks to" */
const DENIALS = wordSet('not just never a big huge many special warm');

/** Whether nothing precedes a cue that could be an effect. */
function isInFront(context: Context, to: number): boolean {
  const before = wordAt(context.tokens, to - 1);
  if (before === '' || isHard(context.tokens[to - 1])) return true;
  if (!OPENING.has(before)) return false;
  const left = trimRange(context.tokens, clauseBefore(context, to));
  return left.to - left.from < 2;
}
const OPENING = new Set([',', 'and', 'but', 'that']);

function behindAdverbs(tokens: readonly Token[], from: number): number {
  let to = from;
  while (to > 0 && isAdverb(wordAt(tokens, to - 1))) to -= 1;
  return to;
}

interface Modality {
  readonly hedged: boolean;
  readonly relation?: 'contributes_to';
}

function modalityOf(tokens: readonly Token[], from: number, to: number): Modality {
  const words = tokens.slice(from, to).map(({ word }) => word);
  return {
    hedged: words.some((word) => HEDGES.has(word)),
    ...(words.some((word) => PARTIAL.has(word)) && { relation: 'contributes_to' }),
  };
}

/** The range after the comma that ends an opening phrase. */
function afterComma(context: Context, comma: number): Range | undefined {
  if (wordAt(context.tokens, comma) !== ',') return undefined;
  const effect = phraseFrom(context, comma + 1, 'clause');
  return effect.to - effect.from > 1 ? effect : undefined;
}

/** "As a result of the rain the river rose": the second article begins the clause. */
function withoutComma(context: Context, whole: Range, modality: Modality): Statement | undefined {
  const { tokens } = context;
  for (let i = whole.from + 2; i < whole.to - 1; i++) {
    const begins = ARTICLES.has(wordAt(tokens, i)) || SUBJECTS.has(wordAt(tokens, i));
    if (!begins || LINKS.has(wordAt(tokens, i - 1))) continue;
    const effect = { from: i, to: whole.to };
    return isClause(context, effect)
      ? { cause: { from: whole.from, to: i }, effect, pattern: 'B', ...modality }
      : undefined;
  }
  return undefined;
}
const ARTICLES = wordSet('the a an his her its our their my your this these');
const LINKS = wordSet(
  'of in on at by for from with to and or between into over under than as that who which',
);

/** "The delay was due to", "It was because of the noise that". */
function behindBe(context: Context, kind: 'noun' | 'clause', to: number): Statement | undefined {
  const subject = wordAt(context.tokens, to - 2);
  return ['it', 'that', 'this'].includes(subject) ? cleft(context, kind) : backward(context);
}

/** "It was because of the noise that they moved out." */
function cleft(context: Context, kind: 'noun' | 'clause'): Statement | undefined {
  const { tokens, match } = context;
  const that = tokens.findIndex(({ word }, i) => i > match.to && word === 'that');
  if (that < 0 || kind !== 'noun') return undefined;
  const cause = trimRange(tokens, { from: match.to, to: that });
  const effect = phraseFrom(context, that + 1, 'clause');
  return isEmpty(cause) || isEmpty(effect) ? undefined : { cause, effect, pattern: 'B' };
}

/** "therefore", "as a result": after a clause, after a sentence, or at its end. */
export function connective(context: Context): Statement | undefined {
  const { tokens, match } = context;
  const word = wordAt(tokens, match.from);
  if (word === 'so') return resultClause(context);
  if (isGerund(tokens, match.to)) return withGerund(context);
  if (word === 'thereby' || wordAt(tokens, match.to + 1) === 'name') return undefined;
  const behind = skipComma(tokens, match.to);
  const effect = phraseFrom(context, behind, 'clause');
  if (effect.to - effect.from < 2) return atTheEnd(context);
  return clauseEnd(tokens, match.from) === 0
    ? fromPrevious(context, isInverted(tokens, behind) ? undefined : effect)
    : fromClause(context, effect);
}

/** The preceding clause, separated by a comma, a semicolon, "and" or "which". */
function fromClause(context: Context, effect: Range): Statement | undefined {
  const { tokens, match } = context;
  const before = clauseEnd(tokens, match.from);
  const isSeparate = before < match.from || wordAt(tokens, match.from) === 'which';
  if (!isSeparate) return within(context, effect.to);
  const cause = trimRange(tokens, clauseBefore(context, before));
  return says(context, cause) ? { cause, effect, pattern: 'C' } : undefined;
}

/** Whether the range before a connective is long enough for a clause. */
const says = (context: Context, cause: Range) =>
  hasFinite(context, cause) || cause.to - cause.from > 2;

const fromPrevious = ({ hasPrevious }: Context, effect?: Range): Statement | undefined =>
  hasPrevious && effect ? { cause: 'previous', effect, pattern: 'D' } : undefined;

/** "Thus spoke the king." */
const isInverted = (tokens: readonly Token[], at: number) =>
  isFinite(tokens, at) && wordAt(tokens, at - 1) !== ',';

/** "Was therefore closed": the whole clause is the effect. */
function within(context: Context, to: number): Statement | undefined {
  const effect = { from: clauseBefore(context, context.match.from).from, to };
  const opens = clauseEnd(context.tokens, effect.from) === 0;
  return opens && context.hasPrevious ? { cause: 'previous', effect, pattern: 'D' } : undefined;
}

/**
 * The end of the clause before a connective: before its comma, semicolon or "and"; the connective
 * itself if there is none.
 */
function clauseEnd(tokens: readonly Token[], at: number): number {
  let to = at;
  while (to > 0 && isLink(tokens[to - 1])) to -= 1;
  return to;
}
const isLink = (token: Token | undefined) =>
  token !== undefined && (!token.isWord || ['and', 'but', 'so'].includes(token.word));

const skipComma = (tokens: readonly Token[], at: number) =>
  wordAt(tokens, at) === ',' ? at + 1 : at;
const isGerund = (tokens: readonly Token[], at: number) => /...ing$/.test(wordAt(tokens, at));

function withGerund(context: Context): Statement | undefined {
  const { tokens, match } = context;
  const cause = trimRange(tokens, clauseBefore(context, match.from));
  const effect = phraseFrom(context, match.to, 'noun');
  return cause.to - cause.from > 1 && !isEmpty(effect)
    ? { cause, effect, pattern: 'C' }
    : undefined;
}

function atTheEnd(context: Context): Statement | undefined {
  const { tokens, match } = context;
  const sentence = /^(?:as|because|for)$/.test(wordAt(tokens, match.from));
  if (!sentence || !isStop(tokens[match.to]) || !context.hasPrevious) return undefined;
  const effect = trimRange(tokens, clauseBefore(context, match.from));
  return effect.to - effect.from > 1 ? { cause: 'previous', effect, pattern: 'D' } : undefined;
}

/** ", so that" introduces a result; without the comma, or with "can", a purpose. */
function resultClause(context: Context): Statement | undefined {
  const { tokens, match } = context;
  if (wordAt(tokens, match.from - 1) !== ',') return undefined;
  const cause = trimRange(tokens, clauseBefore(context, match.from));
  const effect = phraseFrom(context, match.to, 'clause');
  const isPurpose = tokens
    .slice(effect.from, effect.to)
    .some(({ word }) => ['can', 'could', 'may', 'might', 'would'].includes(word));
  return isPurpose || isEmpty(cause) || isEmpty(effect)
    ? undefined
    : { cause, effect, pattern: 'C' };
}

/** ", so", "and so", a sentence that begins with "So", or "so cold that". */
export function so(context: Context): Statement | undefined {
  const { tokens, match } = context;
  const degree = ofDegree(context);
  if (degree || wordAt(tokens, match.from) === 'such') return degree;
  if (NOT_SO.has(wordAt(tokens, match.to))) return undefined;
  const effect = phraseFrom(context, skipComma(tokens, match.to), 'clause');
  const before = clauseEnd(tokens, match.from);
  if (before === match.from && before > 0) return undefined;
  if (!hasSubject(context, effect) || isComparison(context)) return undefined;
  if (before === 0) return fromPrevious(context, effect);
  const cause = trimRange(tokens, clauseBefore(context, before));
  return says(context, cause) ? { cause, effect, pattern: 'C' } : undefined;
}

/** "so good as to", and "in such a way that" express manner, not cause. */
const NO_DEGREE = new Set(['as', 'way', 'manner', 'fashion']);

/** Whether a range begins as a clause does; "so wildly", "so soon" and "and so remain" do not. */
function hasSubject(context: Context, effect: Range): boolean {
  const first = wordAt(context.tokens, effect.from);
  if (SUBJECTS.has(first) || DETERMINERS.has(first)) return effect.to - effect.from > 1;
  return isClause(context, effect) && !/..ly$/.test(first) && !QUALITIES.has(first);
}
const QUALITIES = wordSet(
  'soon sudden great few little high low big small strong weak hard fast near late early',
);

/** "As the sea surpasses the land, so", "so soon as". */
function isComparison({ tokens, match }: Context): boolean {
  return wordAt(tokens, 0) === 'as' || wordAt(tokens, match.to + 1) === 'as';
}

const NOT_SO = wordSet(
  'far much many do did does is am are was as on forth called long to that good well , . ?',
);

function ofDegree(context: Context): Statement | undefined {
  const { tokens, match } = context;
  for (let i = match.to; i < Math.min(tokens.length, match.to + 9); i++) {
    const token = tokens[i];
    if (!token?.isWord || NO_DEGREE.has(token.word)) return undefined;
    if (token.word !== 'that') continue;
    const cause = trimRange(tokens, { from: clauseBefore(context, match.from).from, to: i });
    const effect = phraseFrom(context, i + 1, 'clause');
    if (isEmpty(effect) || DEMONSTRATIVES.has(wordAt(tokens, match.to))) return undefined;
    return { cause, effect, pattern: 'C', strength: 'medium' };
  }
  return undefined;
}
