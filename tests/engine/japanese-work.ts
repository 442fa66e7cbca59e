/** A work as Aozora Bunko sets it, made up for the tests, and what is left of it without the mark-up. */
const RULE = '-'.repeat(55);
const HEAD = `山の駅\r\n某\r\n\r\n${RULE}\r\n【テキスト中に現れる記号について】\r\n\r\n《》：ルビ\r\n（例）峠《とうげ》\r\n${RULE}\r\n\r\n`;
const FOOT = '\r\n底本：「山の駅」\r\n入力：某\r\n';

const SENTENCES: readonly (readonly [marked: string, plain: string])[] = [
  ['峠《とうげ》の駅に、古い時計がありました。', '峠の駅に、古い時計がありました。'],
  ['この｜終着駅《しゅうちゃくえき》には誰も来ません。', 'この終着駅には誰も来ません。'],
  ['昔［＃「昔」に傍点］の汽車は１２両でした。', '昔の汽車は１２両でした。'],
  ['カエルが、ホームで鳴いていた。', 'カエルが、ホームで鳴いていた。'],
];

export const markedWork = (lines: number) => `${HEAD}${linesOf(lines, 0, '\r\n')}${FOOT}`;

/** As the filter of Aozora Bunko and NFKC leave it. */
export const plainWork = (lines: number) => `${linesOf(lines, 1, '\n').normalize('NFKC')}\n`;

function linesOf(count: number, column: 0 | 1, lineEnd: string): string {
  // Lines differ, so that no two windows are the same.
  const numerals = [...'〇一二三四五六七八九'];
  const numbered = (i: number) =>
    Array.from(String(i), (digit) => numerals[Number(digit)]).join('');
  return Array.from(
    { length: count },
    (_, i) => `　${numbered(i)}、${SENTENCES[(i * 7) % 4]?.[column]}${lineEnd}`,
  ).join('');
}
