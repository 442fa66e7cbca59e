import type { Range } from '../statement.ts';
import { trim } from './clauses.ts';

const MOST_CONJUNCTS = 6;
const JOIN = /と|や|および|及び|ならびに|並びに|または|又は|、/gu;
/** と and や join nouns only between letters that are not kana; the rest says so itself. */
const BEFORE = /[\p{sc=Han}\p{sc=Katakana}ーA-Za-z0-9れりきみさけげ]/u;
const AFTER = /[\p{sc=Han}\p{sc=Katakana}A-Za-z0-9]/u;
const PREDICATE = /[がをはも]|から|まで|との|って|んで|関係|相関|間に/;

/** The parts of 大雨と強風; one part where nothing is joined or a clause stands. */
export function conjuncts(sentence: string, range: Range): Range[] {
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
  return stand && parts.length <= MOST_CONJUNCTS ? parts : [range];
}

function joins(sentence: string, at: number, join: string): boolean {
  const before = sentence.charAt(at - 1);
  const after = sentence.charAt(at + join.length);
  return BEFORE.test(before) && AFTER.test(after);
}
