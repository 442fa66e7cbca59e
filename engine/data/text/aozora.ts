import type { TextFilter } from './filter.ts';

/**
 * The mark-up of Aozora Bunko, https://www.aozora.gr.jp/annotation/: 《ruby》, ｜ before what the ruby
 * belongs to, ［＃notes］, and ※［＃…］ for a character outside JIS X 0208.
 */
const RUBY = /《[^《》]*》|｜/g;
const NOTE = /(※?)［＃(?:[^［］]|［(?!＃)[^［］]*］)*］/g;
/** Replaces a character that could not be set, as in print. */
const GETA = '〓';
/** Notes within notes, the innermost first. */
const NOTE_DEPTH = 4;

/** Title and author, then the explanation of the mark-up between two rules. */
const HEADER =
  /^(?:(?!-{20})[^\n]*\n)*-{20,}\n【テキスト中に現れる記号について】\n(?:(?!-{20})[^\n]*\n)*-{20,}\n\n*/;
/** The header has to end before this. */
const HEADER_CHARACTERS = 1 << 14;
/** The source and the people behind the file, up to its end. */
const FOOTER = '底本：';
/** A longer line is cleaned in pieces. */
const LINE_CHARACTERS = 1 << 16;

/**
 * Removes mark-up, header and footer from one work of Aozora Bunko; lines with nothing but notes are
 * dropped, and \r
 *  becomes
 * . The brackets 〔〕 of decomposed accents stay, as do unclosed marks. Comes before NFKC, which changes the
 * marks.
 */
export function aozoraFilter(): TextFilter {
  let rest = '';
  let carriage = '';
  let isBody = false;
  let isLineStart = true;
  let isOver = false;
  const takeLines = (isLast: boolean) => {
    let out = '';
    let at = 0;
    while (!isOver && at < rest.length) {
      const limit = at + LINE_CHARACTERS;
      const newline = rest.indexOf('\n', at);
      const end = newline < 0 ? rest.length : newline + 1;
      if (newline < 0 && end < limit && !isLast) break;
      const line = rest.slice(at, Math.min(end, limit));
      isOver = isLineStart && line.startsWith(FOOTER);
      if (!isOver) out += cleanLine(line);
      isLineStart = line.endsWith('\n');
      at += line.length;
    }
    rest = isOver ? '' : rest.slice(at);
    return out;
  };
  const take = (text: string, isLast: boolean) => {
    if (isOver) return '';
    const unread = carriage + text;
    // A \r at the end of a piece may be half of a line end.
    carriage = !isLast && unread.endsWith('\r') ? '\r' : '';
    rest += unread.slice(0, unread.length - carriage.length).replaceAll(/\r\n?/g, '\n');
    if (!isBody) {
      if (rest.length < HEADER_CHARACTERS && !isLast) return '';
      const head = rest.slice(0, HEADER_CHARACTERS);
      rest = rest.slice(HEADER.exec(head)?.[0].length ?? 0);
      isBody = true;
    }
    return takeLines(isLast);
  };
  return { push: (text) => take(text, false), end: () => take('', true) };
}

function cleanLine(line: string): string {
  let cleaned = line;
  for (let depth = 0; depth < NOTE_DEPTH && cleaned.includes('［＃'); depth++) {
    cleaned = cleaned.replace(NOTE, (_, mark: string) => (mark === '' ? '' : GETA));
  }
  cleaned = cleaned.replace(RUBY, '');
  return cleaned.trim() === '' && line.trim() !== '' ? '' : cleaned;
}
