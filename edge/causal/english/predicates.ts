import { clauseBefore, isFinite, isHard, phraseFrom, trimRange } from './clauses.ts';
import {
  BE,
  DEMONSTRATIVES,
  DETERMINERS,
  looksPast,
  PERSONAL,
  PRONOUNS,
  SCORES,
  WAYS,
} from './lexicon.ts';
import { verbGroup, type VerbGroup } from './modality.ts';
import type { Context, Statement } from './statement.ts';
import type { Range, Token } from './tokens.ts';

const RELATIVES = new Set(['which', 'that', 'who']);

/** Cause, verb, effect. */
export function forward(context: Context): Statement | undefined {
  const group = verbGroup(context.tokens, context.match);
  if (group.negated || isPassive(context, group) || isNotVerb(context)) return undefined;
  const subject = subjectOf(context, group.subjectTo);
  if (!subject) return undefined;
  const object = phraseFrom(context, context.match.to, 'noun');
  if (isWay(context, subject.part, object) || isIdle(context, object)) return undefined;
  return {
    cause: subject.part,
    effect: object,
    pattern: subject.pattern ?? 'A',
    hedged: group.hedged,
    ...(group.partial && { relation: 'contributes_to' }),
  };
}

/** Effect, verb, cause. */
export function backward(context: Context): Statement | undefined {
  const { tokens, match } = context;
  const group = verbGroup(tokens, match);
  const instead = group.words.includes('not') ? butInstead(context) : undefined;
  if (group.negated && instead === undefined) return undefined;
  if (PLAIN_NOUNS.has(tokens[match.from]?.word ?? '') && isNotVerb(context)) return undefined;
  const subject = subjectOf(context, group.subjectTo);
  if (!subject) return undefined;
  const object = phraseFrom(context, instead ?? match.to, 'noun');
  const { relation } = match.cue;
  const prevents = relation === 'prevents' || relation === 'enables';
  return {
    cause: object,
    effect: subject.part,
    pattern: subject.pattern ?? 'E',
    hedged: group.hedged,
    ...(group.partial && !prevents && { relation: 'contributes_to' }),
  };
}
const PLAIN_NOUNS = new Set(['result', 'results']);

/** Where the cause stands in "not by x but by y". */
function butInstead({ tokens, match }: Context): number | undefined {
  const preposition = tokens[match.to - 1]?.word;
  for (let i = match.to; i + 1 < tokens.length && !isHard(tokens[i]); i++) {
    if (tokens[i]?.word === 'but' && tokens[i + 1]?.word === preposition) return i + 2;
  }
  return undefined;
}

/** A clause, and what follows from it in -ing. */
export function gerund(context: Context): Statement | undefined {
  const { tokens, match } = context;
  const group = verbGroup(tokens, match);
  if (group.negated) return undefined;
  const before = trimRange(tokens, clauseBefore(context, group.subjectTo));
  const effect = phraseFrom(context, match.to, 'noun');
  if (before.to - before.from < 2) return undefined;
  return { cause: before, effect, pattern: 'C', hedged: group.hedged };
}

/** "made the lens stick", "made flights possible", but not "made a cake". */
export function make(context: Context): Statement | undefined {
  const { tokens, match } = context;
  const group = verbGroup(tokens, match);
  const first = tokens[match.to]?.word ?? '';
  if (group.negated || isPassive(context, group) || isNotVerb(context)) return undefined;
  const subject = subjectOf(context, group.subjectTo);
  const object = phraseFrom(context, match.to, 'noun');
  const last = tokens[object.to - 1]?.word ?? '';
  if (!subject || (subject.part !== 'previous' && isPersonal(context, subject.part)))
    return undefined;
  const base = {
    cause: subject.part,
    pattern: subject.pattern ?? 'A',
    hedged: group.hedged,
  } as const;
  if (last === 'possible' || last === 'impossible') {
    const effect = { from: object.from, to: object.to - 1 };
    return { ...base, effect, relation: last === 'possible' ? 'enables' : 'prevents' };
  }
  if (!DEFINITE.has(first) || object.to - object.from < 3) return undefined;
  return { ...base, effect: object };
}
const DEFINITE = new Set('the his her its our their my your it him them us me people'.split(' '));

interface Subject {
  readonly part: Range | 'previous';
  readonly pattern?: 'C' | 'D';
}

/** The subject that ends before `to`: a noun phrase, what a relative pronoun takes up, or the sentence before. */
function subjectOf(context: Context, to: number): Subject | undefined {
  const { tokens } = context;
  const last = tokens[to - 1]?.word ?? '';
  if (RELATIVES.has(last)) return relativeSubject(context, to - 1);
  const part = trimRange(tokens, clauseBefore(context, to));
  if (part.to <= part.from) return sharedSubject(context, to);
  if (part.to - part.from > 1) return startsNoSubject(tokens, part) ? undefined : { part };
  const word = tokens[part.from]?.word ?? '';
  if (!PRONOUNS.has(word)) return { part };
  return DEMONSTRATIVES.has(word) ? demonstrative(context, part.from) : undefined;
}

/** "that" without a comma takes up the noun before it, "which" behind one the clause or the effect before. */
function relativeSubject(context: Context, pronoun: number): Subject | undefined {
  const { tokens, effects } = context;
  const comma = tokens[pronoun - 1]?.word === ',' || tokens[pronoun - 1]?.word === '—';
  if (comma) {
    const taken = effects.find(({ to }) => to === pronoun - 1);
    const part = taken ?? trimRange(tokens, clauseBefore(context, pronoun - 1));
    return part.to > part.from ? { part, pattern: 'C' } : undefined;
  }
  let from = pronoun;
  while (from > 0 && !isHard(tokens[from - 1]) && !isFinite(tokens, from - 1)) from -= 1;
  const part = trimRange(tokens, { from, to: pronoun });
  const word = tokens[part.from]?.word ?? '';
  return part.to > part.from && !PRONOUNS.has(word) ? { part } : undefined;
}

/** "Demand rose and caused unrest": the clause before is the cause. */
function sharedSubject(context: Context, to: number): Subject | undefined {
  if (context.tokens[to - 1]?.word !== 'and') return undefined;
  const part = trimRange(context.tokens, clauseBefore(context, to - 1));
  return part.to - part.from > 1 ? { part, pattern: 'C' } : undefined;
}

/** "This caused": the clause before a semicolon, else the sentence before. */
function demonstrative(context: Context, at: number): Subject | undefined {
  const { tokens } = context;
  const before = tokens[at - 1]?.word ?? '';
  if (at === 0 || (at === 1 && !tokens[0]?.isWord)) {
    return context.hasPrevious ? { part: 'previous', pattern: 'D' } : undefined;
  }
  if (before !== ';' && before !== ',' && before !== 'and' && before !== '—') return undefined;
  const part = trimRange(tokens, clauseBefore(context, at - 1));
  return part.to - part.from > 1 ? { part, pattern: 'C' } : undefined;
}

const QUESTIONS = new Set([
  'what',
  'who',
  'whatever',
  'nothing',
  'nobody',
  'neither',
  'no',
  'none',
]);
const startsNoSubject = (tokens: readonly Token[], { from }: Range) =>
  QUESTIONS.has(tokens[from]?.word ?? '');

function isPassive({ tokens, match }: Context, { words }: VerbGroup): boolean {
  const word = tokens[match.from]?.word ?? '';
  const participle = looksPast(word) || ['led', 'brought', 'made', 'set', 'kept'].includes(word);
  return participle && words.some((auxiliary) => BE.has(auxiliary)) && !BE.has(word);
}

const NOUNS = new Set(
  'cause causes trigger triggers block blocks results result leads lead sets set spark sparks'.split(
    ' ',
  ),
);
const ADJECTIVES = new Set(
  'good root common main first full basic probable likely possible known enabled'.split(' '),
);

/** "The trigger rate", "two blocks from here": a noun where a verb was looked for. */
function isNotVerb({ tokens, match }: Context): boolean {
  const word = tokens[match.from]?.word ?? '';
  const before = tokens[match.from - 1]?.word ?? '';
  const after = tokens[match.to]?.word ?? '';
  if (BE.has(word)) return false;
  if (['of', 'for', 'and', 'or', 'is', 'was', 'are', 'were', 'by', 'in', 'from'].includes(after))
    return true;
  const named = DETERMINERS.has(before) && !DEMONSTRATIVES.has(before);
  if (named) return true;
  return NOUNS.has(word) && ADJECTIVES.has(before);
}

/** "This road leads to the harbour", "the match resulted in a draw". */
function isWay({ tokens, match }: Context, part: Subject['part'], object: Range): boolean {
  const cue = tokens[match.from]?.word ?? '';
  if (/^lead|^led$/.test(cue)) {
    return (
      part !== 'previous' && tokens.slice(part.from, part.to).some(({ word }) => WAYS.has(word))
    );
  }
  return /^result/.test(cue) && SCORES.has(tokens[object.to - 1]?.word ?? '');
}

/** Persons lead, contribute and stop: they are no causes in the sense of the graph. */
function isIdle(context: Context, object: Range): boolean {
  const first = context.tokens[object.from]?.word ?? '';
  return object.to <= object.from || first === 'by' || first === 'of';
}

const isPersonal = ({ tokens }: Context, { from, to }: Range) =>
  to - from === 1 && PERSONAL.has(tokens[from]?.word ?? '');
