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
import { BE, DEMONSTRATIVES, HEDGES, PARTIAL, PLANS, SUBJECTS } from './lexicon.ts';
import { backward } from './predicates.ts';
import type { Context, Statement } from './statement.ts';
import type { Range, Token } from './tokens.ts';

/** "because", "due to": in front of both, between them, or behind a form of "be". */
export function joined(context: Context, kind: 'noun' | 'clause'): Statement | undefined {
  const { tokens, match } = context;
  const next = tokens[match.to]?.word ?? '';
  if (isDenied(context) || (next === 'to' && kind === 'noun')) return undefined;
  if (tokens[match.to - 2]?.word === 'due' && PLANS.has(next)) return undefined;
  const to = behindAdverbs(tokens, match.from);
  const before = tokens[to - 1];
  if (before && BE.has(before.word)) {
    return to > 1 && /^(?:it|that|this)$/.test(tokens[to - 2]?.word ?? '')
      ? cleft(context, kind)
      : backward({ ...context, match: { ...match, from: match.from } });
  }
  const cause = phraseFrom(context, match.to, kind);
  if (isEmpty(cause)) return undefined;
  const modality = modalityOf(tokens, to, match.from);
  const opens =
    before === undefined || isHard(before) || (isOpening(before) && !leftClause(context, to));
  if (opens) {
    const effect = afterComma(context, cause.to);
    return effect && { cause, effect, pattern: 'B', ...modality };
  }
  const effect = trimRange(tokens, clauseBefore(context, to));
  return isEmpty(effect) ? undefined : { cause, effect, pattern: 'B', ...modality };
}

const isEmpty = ({ from, to }: Range) => to <= from;
const isOpening = ({ word }: Token) =>
  word === ',' || word === 'and' || word === 'but' || word === 'that';

function leftClause(context: Context, to: number): boolean {
  const left = trimRange(context.tokens, clauseBefore(context, to));
  return left.to - left.from > 1;
}

function isDenied({ tokens, match }: Context): boolean {
  const before = tokens[match.from - 1]?.word ?? '';
  return before === 'not' || before === 'just' || before === "n't" || before === 'never';
}

function behindAdverbs(tokens: readonly Token[], from: number): number {
  let to = from;
  while (to > 0 && isAdverb(tokens[to - 1]?.word ?? '')) to -= 1;
  return to;
}
const isAdverb = (word: string) =>
  /..ly$/.test(word) || HEDGES.has(word) || word === 'only' || word === 'also' || word === 'most';

function modalityOf(tokens: readonly Token[], from: number, to: number) {
  const words = tokens.slice(from, to).map(({ word }) => word);
  return {
    hedged: words.some((word) => HEDGES.has(word)),
    ...(words.some((word) => PARTIAL.has(word)) && { relation: 'contributes_to' as const }),
  };
}

/** What stands behind the comma that ends an opening phrase. */
function afterComma(context: Context, comma: number): Range | undefined {
  if (context.tokens[comma]?.word !== ',') return undefined;
  const effect = phraseFrom(context, comma + 1, 'clause');
  return effect.to - effect.from > 1 ? effect : undefined;
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

/** "therefore", "as a result": behind a clause, behind a sentence, or at its end. */
export function connective(context: Context): Statement | undefined {
  const { tokens, match } = context;
  const word = tokens[match.from]?.word ?? '';
  if (word === 'hence' && tokens[match.to + 1]?.word === 'name') return undefined;
  if (word === 'so') return resultClause(context);
  if (isGerund(tokens, match.to)) return withGerund(context);
  const behind = skipComma(tokens, match.to);
  const effect = phraseFrom(context, behind, 'clause');
  const before = clauseEnd(tokens, match.from);
  if (effect.to - effect.from < 2) return atTheEnd(context);
  if (before === 0) {
    const isInverted = isFinite(tokens, behind) && !tokens[behind - 1]?.word.includes(',');
    return context.hasPrevious && !isInverted
      ? { cause: 'previous', effect, pattern: 'D' }
      : undefined;
  }
  if (before < match.from || word === 'which') {
    const cause = trimRange(tokens, clauseBefore(context, before));
    return hasFinite(context, cause) ? { cause, effect, pattern: 'C' } : undefined;
  }
  return within(context, effect.to);
}

/** "Was therefore closed": the whole clause is the effect. */
function within(context: Context, to: number): Statement | undefined {
  const effect = { from: clauseBefore(context, context.match.from).from, to };
  const opens = clauseEnd(context.tokens, effect.from) === 0;
  return opens && context.hasPrevious ? { cause: 'previous', effect, pattern: 'D' } : undefined;
}

/** Where the clause before a connective ends: behind its comma, semicolon or "and"; its own place if it has none. */
function clauseEnd(tokens: readonly Token[], at: number): number {
  let to = at;
  while (to > 0 && isLink(tokens[to - 1])) to -= 1;
  return to;
}
const isLink = (token: Token | undefined) =>
  token !== undefined && (!token.isWord || ['and', 'but', 'so'].includes(token.word));

const skipComma = (tokens: readonly Token[], at: number) =>
  tokens[at]?.word === ',' ? at + 1 : at;
const isGerund = (tokens: readonly Token[], at: number) => /...ing$/.test(tokens[at]?.word ?? '');

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
  const sentence = /^(?:as|because|for)$/.test(tokens[match.from]?.word ?? '');
  if (!sentence || !isStop(tokens[match.to]) || !context.hasPrevious) return undefined;
  const effect = trimRange(tokens, clauseBefore(context, match.from));
  return effect.to - effect.from > 1 ? { cause: 'previous', effect, pattern: 'D' } : undefined;
}

/** ", so that" tells a result; without the comma, or with "can", a purpose. */
function resultClause(context: Context): Statement | undefined {
  const { tokens, match } = context;
  if (tokens[match.from - 1]?.word !== ',') return undefined;
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
  if (degree || tokens[match.from]?.word === 'such') return degree;
  const next = tokens[match.to]?.word ?? '';
  if (NOT_SO.has(next)) return undefined;
  const effect = phraseFrom(context, skipComma(tokens, match.to), 'clause');
  const isSaid = isClause(context, effect) || startsLikeClause(context, effect);
  if (!isSaid) return undefined;
  const before = clauseEnd(tokens, match.from);
  if (before === 0)
    return context.hasPrevious ? { cause: 'previous', effect, pattern: 'D' } : undefined;
  if (before === match.from) return undefined;
  const cause = trimRange(tokens, clauseBefore(context, before));
  return hasFinite(context, cause) ? { cause, effect, pattern: 'C' } : undefined;
}
const NOT_SO = new Set(
  'far much many do did does is am are was as on forth called long to that good well , . ?'.split(
    ' ',
  ),
);

const startsLikeClause = ({ tokens }: Context, { from, to }: Range) =>
  to - from > 2 || (to - from === 2 && SUBJECTS.has(tokens[from]?.word ?? ''));

function ofDegree(context: Context): Statement | undefined {
  const { tokens, match } = context;
  for (let i = match.to + 1; i < Math.min(tokens.length, match.to + 9); i++) {
    const token = tokens[i];
    if (!token || !token.isWord) return undefined;
    if (token.word !== 'that') continue;
    const cause = trimRange(tokens, { from: clauseBefore(context, match.from).from, to: i });
    const effect = phraseFrom(context, i + 1, 'clause');
    if (isEmpty(effect) || DEMONSTRATIVES.has(tokens[match.to]?.word ?? '')) return undefined;
    return { cause, effect, pattern: 'C', strength: 'medium' };
  }
  return undefined;
}
