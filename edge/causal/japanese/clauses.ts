import type { Range } from '../finding.ts';
/** The characters of a range. */
export const wordsOf = (sentence: string, { from, to }: Range) => sentence.slice(from, to);

const HARD = /[。！？!?「」『』（）()【】:：;；\n・|]/;
const isWordy = (char: string) =>
  /[\p{sc=Han}\p{sc=Katakana}A-Za-z0-9０-９ー々〇」』）)%％]/u.test(char);

/** The start of the range without punctuation that ends at `to`, not before `least`. */
export function hardStart(sentence: string, to: number, least: number): number {
  let from = to;
  while (from > least && !HARD.test(sentence.charAt(from - 1))) from -= 1;
  return from;
}

/** The end of the range without punctuation that begins at `from`. */
export function hardEnd(sentence: string, from: number): number {
  let to = from;
  while (to < sentence.length && !HARD.test(sentence.charAt(to))) to += 1;
  return to;
}

const ADVERBIAL =
  /(?:によると|によれば|によりますと|では|には|とき|時|際|後|まで|から|は|として|場合|ところ|一方|また|さらに|しかし|そして|なお|ただし|特に|実際|例えば|昨日|今日|昨年|今年|先月|先週|今朝|現在)$/;

/** The clause that ends at `to`, without a leading "今年、" or "報告書によると、". */
export function clauseBefore(sentence: string, to: number, least: number): Range {
  let from = withQuotation(sentence, hardStart(sentence, to, least), least);
  for (let comma = sentence.indexOf('、', from); ; comma = sentence.indexOf('、', from)) {
    if (comma < 0 || comma >= to - 1 || !ADVERBIAL.test(sentence.slice(from, comma))) break;
    from = comma + 1;
  }
  return trim(sentence, { from, to });
}

/** 「…」と言った begins with the quotation. */
function withQuotation(sentence: string, from: number, least: number): number {
  if (!/[」』]/.test(sentence.charAt(from - 1)) || sentence.charAt(from) !== 'と') return from;
  const opening = Math.max(sentence.lastIndexOf('「', from), sentence.lastIndexOf('『', from));
  return opening >= least ? opening : from;
}

/** The noun phrase that ends at `to`: after the last comma and the topic. */
export function nounBefore(sentence: string, to: number, least: number): Range {
  let from = hardStart(sentence, to, least);
  const comma = sentence.lastIndexOf('、', to - 2);
  if (comma >= from && comma < to) from = comma + 1;
  const topic = lastParticle(sentence, { from, to }, ['は']);
  if (topic) from = topic.to;
  return trim(sentence, { from, to });
}

interface Particle extends Range {
  readonly form: string;
}

const NOT_PARTICLE: Record<string, RegExp> = {
  は: /^は(?:ず|じめ|がき|いけ|ん)/,
  が: /^が(?:る|り|っ|ち|ん|ら|れ)/,
  も: /^も(?:の|と|し|っ|う|た|ら|ち)/,
  から: /^から(?:だ|か)/,
};
const NOT_BEFORE: Record<string, RegExp> = {
  は: /(?:で|に|(?<!こ)と|こん)$/,
  が: /(?:な|した|おそれ|(?:の|大|に|^)け)$/,
  も: /(?:で|に|と|て|く|い)$/,
};

/** The last of some particles in a range, with something on either side of it. */
export function lastParticle(
  sentence: string,
  { from, to }: Range,
  forms: readonly string[],
): Particle | undefined {
  for (let i = to - 1; i > from; i--) {
    const form = forms.find((candidate) => sentence.startsWith(candidate, i));
    if (form !== undefined && i + form.length <= to && isParticle(sentence, i, form)) {
      return { from: i, to: i + form.length, form };
    }
  }
  return undefined;
}

function isParticle(sentence: string, at: number, form: string): boolean {
  if (NOT_PARTICLE[form]?.test(sentence.slice(at, at + 4))) return false;
  if (form === 'から') return isWordy(sentence.charAt(at - 1));
  if (isWordy(sentence.charAt(at - 1))) return true;
  const before = sentence.slice(Math.max(0, at - 3), at);
  return (
    !NOT_BEFORE[form]?.test(before) &&
    /[のとられりけきみめさえつこげちいしうれびぎぐせねじ]$/.test(before)
  );
}

/** Sentence endings that express certainty or a source. */
const TAIL = new RegExp(
  '(?:と(?:[^、。「」]{0,12}[はが])?(?:みられ|見られ|考えられ|思われ|され|いわれ|言われ|伝え|話し|述べ|語っ|報じ|発表し|いう|推定|いいま)[^、。]{0,8}' +
    '|ことが(?:ある|あります|多い|少なくない|分かった|わかった)|可能性が(?:ある|あります|高い)|(?<!の)(?:おそれ|恐れ)が(?:ある|あります)|かもしれな[^、。]{0,4}' +
    '|(?:の|ん)(?:だ|です|である)|ようだ|ようです|らしい|模様だ|という)$',
);

/** The effect from `from` on: to the next punctuation, or to a comma before another cue. */
export function effectFrom(sentence: string, from: number, nextCue: number): Range {
  const start = skipMarks(sentence, from);
  let to = hardEnd(sentence, start);
  if (nextCue < to) {
    const comma = sentence.indexOf('、', start);
    if (comma >= 0 && comma < nextCue) to = comma;
  }
  return withoutTail(sentence, trim(sentence, { from: start, to }));
}

function skipMarks(sentence: string, from: number): number {
  let at = from;
  while (at < sentence.length && /[、,\s「『に]/.test(sentence.charAt(at))) {
    if (sentence.charAt(at) === 'に' && at > from) break;
    at += 1;
  }
  return at;
}

export function withoutTail(sentence: string, range: Range): Range {
  const kept = sentence.slice(range.from, range.to).replace(TAIL, '');
  return trim(sentence, { from: range.from, to: range.from + kept.length });
}

const isLoose = (char: string) => /[\s、。,.．・「」『』（）()：:！？!?\p{Cc}-]/u.test(char);

/** Without punctuation and spaces at both ends. */
export function trim(sentence: string, range: Range): Range {
  let { from, to } = range;
  while (from < to && isLoose(sentence.charAt(from))) from += 1;
  while (to > from && isLoose(sentence.charAt(to - 1))) to -= 1;
  return { from, to };
}

/** Without the nominaliser こと or の. */
export function withoutNominaliser(sentence: string, range: Range): Range {
  const kept = sentence.slice(range.from, range.to).replace(/(?:こと|という|の)$/, '');
  return kept.length > 1 ? { from: range.from, to: range.from + kept.length } : range;
}
