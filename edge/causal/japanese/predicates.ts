import { isEmpty, type Range, type Statement } from '../finding.ts';
import {
  clauseBefore,
  hardEnd,
  hardStart,
  lastParticle,
  trim,
  withoutNominaliser,
  wordsOf,
} from './clauses.ts';
import { DEMONSTRATIVE, isDenied, isNegated, WAY } from './lexicon.ts';
import type { Context } from './cues.ts';

/** 大雨が洪水を引き起こした; これが… refers to what precedes it. */
export function verb(context: Context): Statement | undefined {
  const { sentence, match, least } = context;
  if (isNegated(sentence, match.to) || !isPredicative(context)) return undefined;
  const start = hardStart(sentence, match.from, least);
  const marker = markerBefore(sentence, { from: start, to: match.from });
  if (!marker) return fromClause(context, start);
  const effect = effectBetween(context, marker.to);
  const subject = clauseBefore(sentence, marker.from, least);
  if (isEmpty(effect) || isEmpty(subject) || leadsNowhere(context, subject)) return undefined;
  const cause = withoutNominaliser(sentence, subject);
  return demonstrative(context, subject, effect) ?? { cause, effect, pattern: 'A' };
}

const markerBefore = (sentence: string, range: Range) =>
  lastParticle(sentence, range, ['によって', 'により', 'が', 'は', 'も']) ??
  lastParticle(sentence, range, ['から']);

/** の原因 has to be predicated of the subject: 原因だ, 原因となった, 原因の一つ; and not 原因ではない. */
function isPredicative({ sentence, match }: Context): boolean {
  if (isDenied(sentence, match.to)) return false;
  const rest = sentence.slice(match.to, match.to + 3);
  return (
    !match.cue.form.startsWith('の') ||
    (/^(?:だ|で|に|と|の一|。|、|」|$)/.test(rest) && !/^と(?:結果|して)/.test(rest))
  );
}

function effectBetween({ sentence, match }: Context, from: number): Range {
  const main = sentence.slice(from, match.from).replace(/の(?:主な|最大の|直接の)?$/, '');
  return trim(sentence, { from, to: from + main.length });
}

function leadsNowhere({ sentence, match }: Context, subject: Range): boolean {
  const { form } = match.cue;
  return /^に(?:つな|繋)/.test(form) && WAY.test(wordsOf(sentence, subject));
}

function demonstrative(context: Context, subject: Range, effect: Range): Statement | undefined {
  const { sentence, least, hasPrevious } = context;
  const words = wordsOf(sentence, subject);
  const comma = words.lastIndexOf('、');
  if (!DEMONSTRATIVE.test(words.slice(comma + 1))) return undefined;
  if (comma > 0) {
    const cause = clauseBefore(sentence, subject.from + comma, least);
    return { cause, effect, pattern: 'C' };
  }
  // Without an antecedent, an edge from the bare pronoun would be meaningless: an empty cause drops
  // it.
  return hasPrevious
    ? { cause: 'previous', effect, pattern: 'D' }
    : { cause: { from: 0, to: 0 }, effect, pattern: 'D' };
}

/** 収穫が減り、価格の上昇につながった: without a subject, the clause before the comma is the cause. */
function fromClause(context: Context, start: number): Statement | undefined {
  const { sentence, match } = context;
  const comma = sentence.lastIndexOf('、', match.from);
  if (comma <= start) return undefined;
  const cause = clauseBefore(sentence, comma, start);
  const effect = trim(sentence, { from: comma + 1, to: match.from });
  return isEmpty(cause) || isEmpty(effect) ? undefined : { cause, effect, pattern: 'C' };
}

/** 船が座礁し、航路が閉まる結果となった. */
export function outcome(context: Context): Statement | undefined {
  if (isNegated(context.sentence, context.match.to)) return undefined;
  return fromClause(context, hardStart(context.sentence, context.match.from, context.least));
}

const UNKNOWN =
  /^(?:不明|いろいろ|色々|何|まだ|分か|わか|調|誰|特定|明らか|様々|さまざま|ない|なか|いま|未)/;

/** 洪水の原因は大雨だ. */
export function topic(context: Context): Statement | undefined {
  const { sentence, match, least } = context;
  const before = clauseBefore(sentence, match.from, least);
  const main = wordsOf(sentence, before).replace(
    /(?:の)?(?:主な|主たる|最大の|直接の|一番の)?$/,
    '',
  );
  const effect = { from: before.from, to: before.from + main.replace(/の$/, '').length };
  const cause = complement(sentence, match.to);
  if (effect.to - effect.from < 2 || isEmpty(cause) || UNKNOWN.test(wordsOf(sentence, cause)))
    return undefined;
  return isDenied(sentence, cause.to) ? undefined : { cause, effect, pattern: 'E' };
}

/** The complement of the topic, without the copula. */
function complement(sentence: string, from: number): Range {
  const end = hardEnd(sentence, from);
  const comma = sentence.indexOf('、', from + 2);
  const to = comma >= 0 && comma < end ? comma : end;
  const words = sentence
    .slice(from, to)
    .replace(
      /(?:である|であった|だった|でした|です|だ|で|とみられる|と考えられる|にある|にあった|とされる|ではない|ではなかった|という|ということ)+$/,
      '',
    );
  return withoutNominaliser(sentence, trim(sentence, { from, to: from + words.length }));
}

/** 身長と体重には相関がある, 身長は体重と相関する. */
export function relation(context: Context): Statement | undefined {
  const { sentence, match, least } = context;
  const after = sentence.slice(match.to, match.to + 12);
  if (
    !/^(?:性)?(?:が(?:ある|あり|強|高|見られ|認め)|関係が(?:ある|あり|見)|し(?:て|た)|する)/.test(
      after,
    )
  )
    return undefined;
  if (isNegated(sentence, match.to)) return undefined;
  const start = hardStart(sentence, match.from, least);
  const head = sentence
    .slice(start, match.from)
    .replace(/(?:に|の間)?(?:には|に|は|の|と|強い|弱い|正の|負の|高い)*$/, '');
  const range = { from: start, to: start + head.length };
  const joint = /^(.+?)(?:と|は)(.+?)(?:の間|と)?$/u.exec(head);
  if (!joint || isEmpty(range)) return undefined;
  const first = joint[1]?.length ?? 0;
  const cause = trim(sentence, { from: start, to: start + first });
  const rest = trim(sentence, { from: start + first + 1, to: range.to });
  const bare = wordsOf(sentence, rest).replace(/(?:の間|と|に)$/, '');
  return { cause, effect: { from: rest.from, to: rest.from + bare.length }, pattern: 'E' };
}
