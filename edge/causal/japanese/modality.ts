const HEDGE =
  /可能性|おそれ|恐れ|かもしれ|だろう|でしょう|とみられ|と見られ|考えられ|思われ|らしい|ようだ|ようです|模様|とされ|推定|疑い|かねない|せいか/;
const NOT_CLAIMED =
  /という(?:主張|証拠|説|噂|うわさ|話|見方)[^。]{0,12}(?:否定|ない|なかった|退け|誤り)|かどうか|とは限らな|わけではな|と(?:は)?仮定|証明し(?:なければ|なくては|ようと)|を否定|否定され|とは(?:言え|いえ|考えにく)|かは不明|分かっていな|わかっていな|か調べ|だろうか|でしょうか|のなら|ならば|とは思え/;
const QUESTION = /(?:か|のか|かな|かしら)[。？?」』）)\s]*$|[？?][」』）)\s]*$/;
const CONDITION = /(?:^|[、。「])(?:もし|仮に|たとえ|万一)/;

/** Whether a sentence is asked rather than said. */
export const isQuestion = (sentence: string) => QUESTION.test(sentence);

/** Whether what is said behind `cue` leaves it open, or denies it. */
export const isDoubted = (sentence: string, cue: number) =>
  NOT_CLAIMED.test(sentence.slice(cue)) || CONDITION.test(sentence.slice(0, cue));

export const isHedged = (sentence: string, cue: number) => HEDGE.test(sentence.slice(cue));

/** Whether a cue is spoken of rather than used: 「ため」. */
export const isMentioned = (sentence: string, from: number, to: number) =>
  /[「『"“]/.test(sentence.charAt(from - 1)) && /[」』"”]/.test(sentence.charAt(to));

/** Whether a verb that begins before `at` is negated: 引き起こ|さなかった, but not つなが|りかねない. */
export function isNegated(sentence: string, at: number): boolean {
  const ending = /^[ぁ-ん]{0,14}/.exec(sentence.slice(at))?.[0] ?? '';
  if (/かもしれない|かねない|に違いない|にちがいない|ざるを得ない/.test(ending)) return false;
  return /(?:ない|なかった|なく|ません|ずに|ぬ)/.test(ending);
}

/** Whether a noun is denied: 原因|ではない. */
export const isDenied = (sentence: string, at: number) =>
  /^(?:だと|である|と)?(?:では|じゃ|でも|には|とは|とも)(?:な|あり|言え|いえ|考え|限)/.test(
    sentence.slice(at, at + 10),
  );
