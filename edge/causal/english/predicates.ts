import type { CausalRelation } from '../../memory/contract/causal.ts';
import type { Range, Statement } from '../finding.ts';
import { clauseBefore, isFinite, isHard, phraseFrom, trimRange } from './clauses.ts';
import {
  BE,
  DEMONSTRATIVES,
  DETERMINERS,
  looksPast,
  PERSONAL,
  PLANS,
  PRONOUNS,
  SCORES,
  type Token,
  WAYS,
  wordAt,
  wordSet,
} from './lexicon.ts';
import { verbGroup, type VerbGroup } from './modality.ts';
import type { Context } from './cues.ts';

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
  const from = group.negated ? butInstead(context, group.subjectTo) : match.to;
  if (from === undefined || isNoun(context) || isPlan(context)) return undefined;
  if (wordAt(tokens, from) === 'default') return undefined;
  const subject = subjectOf(context, group.subjectTo);
  if (!subject) return undefined;
  return {
    cause: phraseFrom(context, from, 'noun'),
    effect: subject.part,
    pattern: subject.pattern ?? 'E',
    hedged: group.hedged,
    ...(group.partial && match.cue.relation === 'causes' && { relation: 'contributes_to' }),
  };
}

/** In "the results from the second run", it is not a verb. */
const isNoun = (context: Context) =>
  wordAt(context.tokens, context.match.from).startsWith('result') && isNotVerb(context);

/** "due to arrive" */
export const isPlan = ({ tokens, match }: Context) =>
  wordAt(tokens, match.to - 2) === 'due' && PLANS.has(wordAt(tokens, match.to));

/** The position of the cause in "not by x but by y". */
function butInstead({ tokens, match }: Context, subjectTo: number): number | undefined {
  if (tokens.slice(subjectTo, match.to).every(({ word }) => word !== 'not')) return undefined;
  const preposition = wordAt(tokens, match.to - 1);
  for (let i = match.to; i + 1 < tokens.length && !isHard(tokens[i]); i++) {
    if (wordAt(tokens, i) === 'but' && wordAt(tokens, i + 1) === preposition) return i + 2;
  }
  return undefined;
}

/** A clause, followed by its consequence in -ing. */
export function gerund(context: Context): Statement | undefined {
  const { tokens, match } = context;
  const group = verbGroup(tokens, match);
  if (group.negated) return undefined;
  const before = trimRange(tokens, clauseBefore(context, group.subjectTo));
  const effect = phraseFrom(context, match.to, 'noun');
  const last = wordAt(tokens, match.from - 1);
  if (before.to - before.from < 2 || last === 'by' || WAYS.has(last)) return undefined;
  return { cause: before, effect, pattern: 'C', hedged: group.hedged };
}

/** "made the lens stick", "made flights possible", but not "made a cake". */
export function make(context: Context): Statement | undefined {
  const { tokens, match } = context;
  const group = verbGroup(tokens, match);
  if (group.negated || isPassive(context, group) || isNotVerb(context)) return undefined;
  const subject = subjectOf(context, group.subjectTo);
  if (!subject || isPersonal(context, subject.part)) return undefined;
  const object = phraseFrom(context, match.to, 'noun');
  const { part, pattern = 'A' } = subject;
  const base = { cause: part, pattern, hedged: group.hedged } as const;
  const relation = POSSIBILITY.get(wordAt(tokens, object.to - 1));
  if (relation) return { ...base, effect: { from: object.from, to: object.to - 1 }, relation };
  const changes = DEFINITE.has(wordAt(tokens, match.to)) && object.to - object.from > 2;
  return changes ? { ...base, effect: object } : undefined;
}
const DEFINITE = wordSet('the his her its our their my your it him them us me people');
const POSSIBILITY = new Map<string, CausalRelation>([
  ['possible', 'enables'],
  ['impossible', 'prevents'],
]);

interface Subject {
  readonly part: Range | 'previous';
  readonly pattern?: 'C' | 'D';
}

/**
 * The subject that ends before `to`: a noun phrase, the antecedent of a relative pronoun, or the
 * preceding sentence.
 */
function subjectOf(context: Context, to: number): Subject | undefined {
  const { tokens } = context;
  const last = wordAt(tokens, to - 1);
  if (last === 'or') return undefined;
  if (RELATIVES.has(last) && to > 1) return relativeSubject(context, to - 1);
  const part = trimRange(tokens, clauseBefore(context, to));
  if (part.to <= part.from) return sharedSubject(context, to);
  const word = wordAt(tokens, part.from);
  if (part.to - part.from > 1) {
    const isPerson = PERSONAL.has(wordAt(tokens, part.to - 1));
    return isPerson || QUESTIONS.has(word) ? undefined : { part };
  }
  if (!PRONOUNS.has(word)) return { part };
  return DEMONSTRATIVES.has(word) ? demonstrative(context, part.from) : undefined;
}

/**
 * "that" without a comma refers to the preceding noun, "which" after one to the clause or the
 * effect before.
 */
function relativeSubject(context: Context, pronoun: number): Subject | undefined {
  const mark = wordAt(context.tokens, pronoun - 1);
  const part =
    mark === ',' || mark === '—' ? clauseTaken(context, pronoun - 1) : nounTaken(context, pronoun);
  if (!part || part.to <= part.from) return undefined;
  return mark === ',' || mark === '—' ? { part, pattern: 'C' } : { part };
}

const clauseTaken = (context: Context, comma: number): Range =>
  context.effects.find(({ to }) => to === comma) ??
  trimRange(context.tokens, clauseBefore(context, comma));

/** The noun phrase before "that": from its article on, including "of" phrases. */
function nounTaken({ tokens }: Context, pronoun: number): Range | undefined {
  let from = pronoun;
  while (from > 0 && !endsNoun(tokens, from)) from -= 1;
  const part = trimRange(tokens, { from, to: pronoun });
  return PRONOUNS.has(wordAt(tokens, part.from)) ? undefined : part;
}

function endsNoun(tokens: readonly Token[], from: number): boolean {
  const before = wordAt(tokens, from - 1);
  const isArticle = DETERMINERS.has(wordAt(tokens, from)) && before !== 'of';
  return isArticle || before === ',' || isHard(tokens[from - 1]) || isFinite(tokens, from - 1);
}

/** "Demand rose and caused unrest": the preceding clause is the cause. */
function sharedSubject(context: Context, to: number): Subject | undefined {
  if (wordAt(context.tokens, to - 1) !== 'and') return undefined;
  const part = trimRange(context.tokens, clauseBefore(context, to - 1));
  return part.to - part.from > 1 ? { part, pattern: 'C' } : undefined;
}

/** "This caused": the clause before a semicolon, else the preceding sentence. */
function demonstrative(context: Context, at: number): Subject | undefined {
  const { tokens } = context;
  const opens = at === 0 || (at === 1 && !tokens[0]?.isWord);
  if (opens) return context.hasPrevious ? { part: 'previous', pattern: 'D' } : undefined;
  if (![';', ',', 'and', '—'].includes(wordAt(tokens, at - 1))) return undefined;
  const part = trimRange(tokens, clauseBefore(context, at - 1));
  return part.to - part.from > 1 ? { part, pattern: 'C' } : undefined;
}

const QUESTIONS = wordSet('what who whatever nothing nobody neither no none');

function isPassive({ tokens, match }: Context, { words }: VerbGroup): boolean {
  const word = wordAt(tokens, match.from);
  const isParticiple = looksPast(word) || IRREGULAR.has(word);
  return isParticiple && !BE.has(word) && words.some((auxiliary) => BE.has(auxiliary));
}
const IRREGULAR = wordSet('led brought made set kept');

const NOUNS = wordSet(
  'cause causes trigger triggers block blocks results result leads lead sets set spark sparks',
);
const ADJECTIVES = wordSet(
  'good root common main first full basic probable likely possible known enabled',
);
const NO_OBJECT = wordSet('of for and or is was are were by in from , / .');

/** "The trigger rate", "two blocks from here": a noun in the place of a verb. */
function isNotVerb({ tokens, match }: Context): boolean {
  const word = wordAt(tokens, match.from);
  const before = wordAt(tokens, match.from - 1);
  if (BE.has(word)) return false;
  if (NO_OBJECT.has(wordAt(tokens, match.to))) return true;
  if (DETERMINERS.has(before) && !DEMONSTRATIVES.has(before)) return true;
  return NOUNS.has(word) && ADJECTIVES.has(before);
}

/** "This road leads to the harbour", "the match resulted in a draw". */
function isWay({ tokens, match }: Context, part: Subject['part'], object: Range): boolean {
  const cue = wordAt(tokens, match.from);
  if (cue.startsWith('lead') || cue === 'led') {
    return (
      part !== 'previous' && tokens.slice(part.from, part.to).some(({ word }) => WAYS.has(word))
    );
  }
  return cue.startsWith('result') && SCORES.has(wordAt(tokens, object.to - 1));
}

/** No effect, or an agent in its place. */
function isIdle({ tokens }: Context, { from, to }: Range): boolean {
  const first = wordAt(tokens, from);
  return to <= from || first === 'by' || first === 'of';
}

/** Persons make and lead all the time: as causes they are uninformative. */
const isPersonal = ({ tokens }: Context, part: Subject['part']) =>
  part !== 'previous' && part.to - part.from === 1 && PERSONAL.has(wordAt(tokens, part.from));
