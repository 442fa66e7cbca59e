import {
  type Draft,
  draftsOf,
  MAX_CONJUNCTS,
  type Range,
  type Span,
  type Statement,
} from '../finding.ts';
import { withoutStop } from '../sentences.ts';
import { trim, withoutNominaliser } from './clauses.ts';
import { type Context, type CueKind, type CueMatch, matchCues } from './cues.ts';
import { attribute, clause, connective, de, final, kara, noun, tame } from './joins.ts';
import { isDenied, isDoubted, isHedged, isMentioned, isQuestion } from './lexicon.ts';
import { outcome, relation, topic, verb } from './predicates.ts';

const RULES: Record<CueKind, (context: Context) => Statement | undefined> = {
  noun,
  clause,
  tame,
  kara,
  de,
  verb,
  outcome,
  topic,
  final,
  connective,
  attribute,
  relation,
};

/**
 * The causes and effects stated in a Japanese sentence; `previous` is the preceding sentence, for
 * cues that refer back.
 */
export function readJapanese(text: string, { start, end }: Span, previous?: Span): Draft[] {
  const sentence = text.slice(start, end);
  if (isQuestion(sentence.slice(-40))) return [];
  const matches = matchCues(sentence);
  const drafts: Draft[] = [];
  let accepted: CueMatch | undefined;
  for (const [i, match] of matches.entries()) {
    const context = {
      sentence,
      match,
      least: leastOf(sentence, accepted, match.from),
      nextCue: matches[i + 1]?.from ?? sentence.length,
      hasPrevious: previous !== undefined,
    };
    const statement = isClaimed(sentence, match) ? RULES[match.cue.kind](context) : undefined;
    if (!statement) continue;
    accepted = match;
    const cue = {
      ...match.cue,
      cue: { start: start + match.from, end: start + match.to },
      hedged: isHedged(sentence, match.from),
    };
    const source = { text, sentence, start, previous };
    drafts.push(...draftsOf(statement, cue, (part) => partsOf(source, part)));
  }
  return drafts;
}

const isClaimed = (sentence: string, { from, to }: CueMatch) =>
  !isMentioned(sentence, from, to) && !isDoubted(sentence, to) && !isDenied(sentence, to);

/** A clause begins after the previous cue, or after the comma that ends that cue's own clause. */
function leastOf(sentence: string, before: CueMatch | undefined, from: number): number {
  if (!before) return 0;
  const comma = sentence.indexOf('、', before.to + 1);
  return comma >= 0 && comma < from - 1 ? comma + 1 : before.to;
}

interface Source {
  readonly text: string;
  readonly sentence: string;
  readonly start: number;
  readonly previous: Span | undefined;
}

function partsOf({ text, sentence, start, previous }: Source, part: Range | 'previous'): Span[] {
  if (part === 'previous') return previous ? [withoutStop(text, previous)] : [];
  if (part.to <= part.from) return [];
  return conjuncts(sentence, withoutNominaliser(sentence, part)).map(({ from, to }) => ({
    start: start + from,
    end: start + to,
  }));
}

const JOIN = /と|や|および|及び|ならびに|並びに|または|又は|、/gu;
/** と and や join nouns only between characters that are not kana. */
const BEFORE = /[\p{sc=Han}\p{sc=Katakana}ーA-Za-z0-9れりきみさけげ]/u;
const AFTER = /[\p{sc=Han}\p{sc=Katakana}A-Za-z0-9]/u;
const PREDICATE = /[がをはも]|から|まで|との|って|んで|関係|相関|間に/;

/** The parts of 大雨と強風; a single part where nothing is joined, or for a clause. */
function conjuncts(sentence: string, range: Range): Range[] {
  const words = sentence.slice(range.from, range.to);
  if (PREDICATE.test(words)) return [range];
  const parts: Range[] = [];
  let from = range.from;
  for (const { 0: join, index } of words.matchAll(JOIN)) {
    const at = range.from + index;
    if (!joins(sentence, at, join)) continue;
    parts.push(trim(sentence, { from, to: at }));
    from = at + join.length;
  }
  parts.push(trim(sentence, { from, to: range.to }));
  const stand = parts.every((part) => BEFORE.test(sentence.charAt(part.to - 1)));
  return stand && parts.length <= MAX_CONJUNCTS ? parts : [range];
}

function joins(sentence: string, at: number, join: string): boolean {
  const before = sentence.charAt(at - 1);
  const after = sentence.charAt(at + join.length);
  return BEFORE.test(before) && AFTER.test(after);
}
