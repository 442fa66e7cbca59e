import { isEmpty, type Range, type Statement } from '../finding.ts';
import {
  clauseBefore,
  effectFrom,
  hardEnd,
  hardStart,
  lastParticle,
  nounBefore,
  trim,
  withoutNominaliser,
  withoutTail,
  wordsOf,
} from './clauses.ts';
import {
  AGENTIVE,
  BACKDROP,
  BENEFIT,
  EVENT,
  GROUND,
  HAPPENS,
  HARM,
  PERSON,
  RECEIVED,
} from './lexicon.ts';
import type { Context } from './cues.ts';

/** 大雨により橋が閉まった, and with the effect as its topic 洪水は大雨によって起きた. */
export function noun(context: Context): Statement | undefined {
  const { sentence, match, least, nextCue } = context;
  const whole = clauseBefore(sentence, match.from, least);
  const isClause = /(?:こと|た|い|る)$/.test(wordsOf(sentence, whole));
  const part = isClause ? whole : nounBefore(sentence, match.from, least);
  const cause = withoutNominaliser(sentence, part);
  const effect = effectFrom(sentence, match.to, nextCue);
  if (isEmpty(cause) || wordsOf(sentence, cause) === '気' || isExcluded(context, cause))
    return undefined;
  if (HAPPENS.test(sentence.slice(match.to))) return happens(context, cause);
  if (isEmpty(effect)) return undefined;
  return { cause, effect, pattern: 'B', ...asRelation(sentence, effect) };
}

/** The topic is the effect: 洪水はダムの決壊によって発生した. */
function happens({ sentence, match, least }: Context, cause: Range): Statement | undefined {
  const topic = lastParticle(sentence, { from: least, to: match.from }, ['は', 'が', 'も']);
  if (!topic) {
    return undefined;
  }
  const effect = clauseBefore(sentence, topic.from, least);
  return isEmpty(effect) ? undefined : { cause, effect, pattern: 'E' };
}

/** 高速な再起動が可能になる: the end of the effect says what is enabled or prevented. */
function asRelation(sentence: string, effect: Range): Partial<Statement> {
  const words = wordsOf(sentence, effect);
  const enabled =
    /(?:が可能に(?:な|し)|が可能と|が(?:できる|可能)|できるように(?:な|し)).{0,8}$/.exec(words);
  if (enabled) {
    return { relation: 'enables', effect: { from: effect.from, to: effect.from + enabled.index } };
  }
  const prevented = /(?:を防|が防がれ|を防止|を妨|が妨げられ|を抑|が抑えられ).{0,12}$/.exec(words);
  return prevented
    ? { relation: 'prevents', effect: { from: effect.from, to: effect.from + prevented.index } }
    : {};
}

function isExcluded({ sentence, match }: Context, cause: Range): boolean {
  const words = wordsOf(sentence, cause);
  const { form } = match.cue;
  if (form === 'により' || form === 'によって') {
    return GROUND.test(words) || AGENTIVE.test(sentence.slice(match.to));
  }
  if (form.startsWith('を受け')) return RECEIVED.test(words);
  if (form.startsWith('を背景')) return BACKDROP.test(words);
  return /^に(?:伴|とも)/.test(form) && PERSON.test(words);
}

/** 雨が降ったので橋が閉まった. */
export function clause(context: Context): Statement | undefined {
  const { sentence, match, least, nextCue } = context;
  const { form } = match.cue;
  const before = sentence.slice(Math.max(0, match.from - 2), match.from);
  if (form === 'ので' && !isReasonedNode(sentence, before, match.to)) return undefined;
  const cause = clauseBefore(sentence, match.from, least);
  const effect = effectFrom(sentence, match.to, nextCue);
  if (isEmpty(effect) || cause.to - cause.from < 2) return undefined;
  if (form.startsWith('くて')) return cannot(sentence, cause, effect);
  return { cause, effect, pattern: 'B' };
}

const isReasonedNode = (sentence: string, before: string, at: number) =>
  /[たいなるうくすつむぶぐぬん]$/.test(before) &&
  !/^(?:は|あ|す|し[たょ]|も|、と|ござ)/.test(sentence.slice(at, at + 2));

/** 重くて持てない: an adjective in て gives the reason why something is impossible. */
function cannot(sentence: string, cause: Range, effect: Range): Statement | undefined {
  const says = /(?:ない|なかった|ません|ませんでした)$/.test(wordsOf(sentence, effect));
  const adjective = { from: cause.from, to: cause.to + 2 };
  return says ? { cause: adjective, effect, pattern: 'B' } : undefined;
}

/**
 * ため is causal after a past form, an adjective, a state or an event noun; otherwise it expresses a
 * purpose.
 */
export function tame(context: Context): Statement | undefined {
  const { sentence, match, least, nextCue } = context;
  if (/^[らるたてなさのっじ]|^にな/.test(sentence.slice(match.to, match.to + 2))) return undefined;
  const whole = clauseBefore(sentence, match.from, least);
  const words = wordsOf(sentence, whole);
  if (!isReason(words, sentence.charAt(match.to) === 'に')) return undefined;
  const cause = words.endsWith('の')
    ? withoutNominaliser(sentence, nounBefore(sentence, match.from, least))
    : whole;
  const effect = effectFrom(sentence, match.to, nextCue);
  return isEmpty(cause) || isEmpty(effect) ? undefined : { cause, effect, pattern: 'B' };
}

function isReason(words: string, hasNi: boolean): boolean {
  if (/[をう]$/.test(words)) return false;
  if (words.endsWith('の')) {
    if (BENEFIT.test(words)) return false;
    return !hasNi || EVENT.test(words.slice(0, -1));
  }
  if (/(?:た|だ|な|い|である|ている|がある|いる|すぎる)$/.test(words)) {
    return !(hasNi && words.endsWith('ない'));
  }
  return !hasNi && /が[^を]*[るくすつむぶぐぬ]$/.test(words);
}

/**
 * から is causal after a verb, an adjective or the noun of a mishap; otherwise it marks a place or a
 * time.
 */
export function kara(context: Context): Statement | undefined {
  const { sentence, match, least, nextCue } = context;
  if (/^(?:と[い云言]|って|こそ|には|の|は|も|が|か)/.test(sentence.slice(match.to, match.to + 2)))
    return undefined;
  const whole = clauseBefore(sentence, match.from, least);
  const words = wordsOf(sentence, whole);
  const effect = effectFrom(sentence, match.to, nextCue);
  if (isEmpty(effect) || isParticle(wordsOf(sentence, effect))) return undefined;
  if (EVENT.test(words)) {
    const cause = nounBefore(sentence, match.from, least);
    return { cause, effect, pattern: 'B' };
  }
  const isPredicate =
    /(?:た|だ|い|る|ん|です|ます|う)$/.test(words) &&
    !/(?:あなた|ほう|[こ向]う|どう|くらい|ぐらい|あいだ|世代|かた)$/.test(words);
  return isPredicate && words.length > 2 ? { cause: whole, effect, pattern: 'B' } : undefined;
}

/** Sentence-final particles such as ね and のう. */
const isParticle = (words: string) => /^[ねなよさわぞぜのうえあ…―—ー]+$/u.test(words);

/** 停電で止まった: only after an event noun. */
export function de(context: Context): Statement | undefined {
  const { sentence, match, least, nextCue } = context;
  const cause = nounBefore(sentence, match.from, least);
  const effect = effectFrom(sentence, match.to, nextCue);
  if (!EVENT.test(wordsOf(sentence, cause)) || effect.to - effect.from < 3) return undefined;
  return { cause, effect, pattern: 'B' };
}

/** その結果: after a sentence, or after the comma of a clause. */
export function connective(context: Context): Statement | undefined {
  const { sentence, match, least, nextCue, hasPrevious } = context;
  if (
    /^(?:と[い云言]|いい|いて|なけ|なく|見る|みる|結構|[はもす])/.test(
      sentence.slice(match.to, match.to + 2),
    )
  )
    return undefined;
  const effect = effectFrom(sentence, match.to, nextCue);
  if (effect.to - effect.from < 2 || isParticle(wordsOf(sentence, effect))) return undefined;
  const before = clauseBefore(sentence, match.from, least);
  if (before.to - before.from > 1) {
    const comma = sentence.charAt(match.from - 1) === '、';
    return comma ? { cause: before, effect, pattern: 'C' } : undefined;
  }
  return hasPrevious ? { cause: 'previous', effect, pattern: 'D' } : undefined;
}

/** 石綿による肺の障害: causal where one of the two is a harm. */
export function attribute(context: Context): Statement | undefined {
  const statement = modifier(context, context.match.to);
  if (!statement) return undefined;
  const [from, to] = [statement.cause, statement.effect].map((part) =>
    wordsOf(context.sentence, part),
  );
  return HARM.test(to ?? '') || EVENT.test(from ?? '') ? statement : undefined;
}

/** Cause and cue before the noun that is the effect. */
function modifier({ sentence, match, least }: Context, at: number) {
  const cause = nounBefore(sentence, match.from, least);
  const end = /[はがをもにで、と]/.exec(sentence.slice(at));
  const effect = trim(sentence, { from: at, to: end ? at + end.index : hardEnd(sentence, at) });
  return isEmpty(cause) || isEmpty(effect) ? undefined : { cause, effect, pattern: 'E' as const };
}

/** 漏れに起因する故障, 断線が原因とみられる障害: where a noun follows the predicate. */
function beforeNoun(context: Context): Statement | undefined {
  const rest = context.sentence.slice(context.match.to);
  const ending =
    /^(?:みられる|見られる|考えられる|なる|なった|る|た|された|いる)?(?=[\p{sc=Han}\p{sc=Katakana}A-Za-z])/u.exec(
      rest,
    );
  return ending && !/^(?:事|物|為)/.test(rest.slice(ending[0].length))
    ? modifier(context, context.match.to + ending[0].length)
    : undefined;
}

/** Xのは Yからだ, and 。Yからだ, which explains the preceding sentence. */
export function final(context: Context): Statement | undefined {
  const { sentence, match, least } = context;
  const modified = beforeNoun(context);
  if (modified) return modified;
  const start = hardStart(sentence, match.from, least);
  if (!explains(sentence.slice(start, match.from), match.cue.form)) return undefined;
  const topic = lastParticle(sentence, { from: start, to: match.from }, ['のは', 'は']);
  if (topic && !/^(?:なぜなら|というの)$/.test(sentence.slice(start, topic.from))) {
    const effect = withoutNominaliser(sentence, clauseBefore(sentence, topic.from, start));
    const cause = nounOf(sentence, { from: topic.to, to: match.from });
    return isEmpty(effect) || isEmpty(cause) ? undefined : { cause, effect, pattern: 'E' };
  }
  return explanation(context, start);
}

/** からだ follows a predicate (as a noun it is "body"), and ためだ may express a purpose. */
function explains(words: string, form: string): boolean {
  if (form.startsWith('から')) return /[たいるだすんうくむぶぐつ]$/.test(words);
  return !form.startsWith('ため') || isReason(words, false);
}

/** なぜなら…からだ, …ためだ: the reason for the preceding sentence. */
function explanation(
  { sentence, match, hasPrevious }: Context,
  start: number,
): Statement | undefined {
  const opening = /^(?:[\s、]*(?:なぜなら(?:ば)?|というのも|というのは)[、]?)/.exec(
    sentence.slice(start),
  );
  const cause = nounOf(sentence, { from: start + (opening?.[0].length ?? 0), to: match.from });
  const isReasonGiven = opening !== null || /^(?:から|ため)/.test(match.cue.form);
  return isReasonGiven && hasPrevious && !isEmpty(cause)
    ? { cause, effect: 'previous', pattern: 'D' }
    : undefined;
}

function nounOf(sentence: string, range: Range): Range {
  const words = sentence.slice(range.from, range.to).replace(/の$/, '');
  return withoutTail(sentence, trim(sentence, { from: range.from, to: range.from + words.length }));
}
