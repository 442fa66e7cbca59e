/** Characters of the longest pattern. */
const MOST_CHARACTERS = 4096;
/** IdempotencyRecords without an end in one alternative: each more makes the time that a text may take grow by its length. */
const MOST_ENDLESS = 2;

/** What is known of a group, or of the whole pattern, as it is read. */
interface Frame {
  /** Whether it matches in more than one way: it has a repeat of several lengths or alternatives. */
  isOpen: boolean;
  /** Endless repeats of the alternative that is read, and of the one before with most. */
  endless: number;
  most: number;
}

interface Repeat {
  readonly length: number;
  readonly isVariable: boolean;
  readonly isEndless: boolean;
  readonly isRepeated: boolean;
}

const ONCE: Repeat = { length: 0, isVariable: false, isEndless: false, isRepeated: false };

/**
 * Refuses a pattern that could take time without bound, as JavaScript tries all ways of matching: repeats of a
 * group that itself matches in several ways, references back, looks behind, and many endless repeats in a row.
 * Throws SyntaxError that says what is not taken and where.
 */
export function checkPattern(pattern: string): void {
  if (pattern.length > MOST_CHARACTERS) {
    throw new SyntaxError(
      `it has ${pattern.length} characters, expected at most ${MOST_CHARACTERS}`,
    );
  }
  const frames: [Frame, ...Frame[]] = [newFrame()];
  for (let at = 0; at < pattern.length;) {
    at = readNext(pattern, at, frames);
    if (mostOf(frames.at(-1) ?? frames[0]) > MOST_ENDLESS) {
      throw refusal(`more than ${MOST_ENDLESS} endless repeats in a row`, at);
    }
  }
}

/** Reads a mark, a group's begin or end, or an atom; where the next one begins. */
function readNext(pattern: string, at: number, frames: [Frame, ...Frame[]]): number {
  const frame = frames.at(-1) ?? frames[0];
  switch (pattern[at]) {
    case '|':
      Object.assign(frame, { isOpen: true, most: mostOf(frame), endless: 0 });
      return at + 1;
    case '(':
      frames.push(newFrame());
      return at + beginOf(pattern, at);
    case ')':
      if (frames.length > 1) frames.pop();
      return closeGroup(pattern, at, { inner: frame, outer: frames.at(-1) ?? frames[0] });
    default:
      return readAtom(pattern, at, frame);
  }
}

/** Characters of a group's begin, with what it says of itself. */
function beginOf(pattern: string, at: number): number {
  const begin = pattern.slice(at, at + 20);
  if (/^\(\?P?</.test(begin)) throw refusal('a look behind or a name', at);
  return /^\((?:\?(?:[a-z-]*:|[=!]))?/i.exec(begin)?.[0].length ?? 1;
}

function closeGroup(
  pattern: string,
  at: number,
  { inner, outer }: Record<'inner' | 'outer', Frame>,
) {
  const repeat = repeatAt(pattern, at + 1);
  if (repeat.isRepeated && inner.isOpen)
    throw refusal('a repeat of what repeats or has choices', at);
  outer.isOpen ||= inner.isOpen || repeat.isVariable;
  outer.endless += mostOf(inner) + Number(repeat.isEndless);
  return at + 1 + repeat.length;
}

/** A letter, an escape or a class with its repeat; where the next one begins. */
function readAtom(pattern: string, at: number, frame: Frame): number {
  if (/^\\[1-9k]/.test(pattern.slice(at, at + 2))) throw refusal('a reference back', at);
  const end = at + (ATOM.exec(pattern.slice(at))?.[0].length ?? 1);
  const repeat = repeatAt(pattern, end);
  frame.isOpen ||= repeat.isVariable;
  frame.endless += Number(repeat.isEndless);
  return end + repeat.length;
}

const ATOM = /^(?:\\[pPu]\{[^}]*\}|\\[^]|\[(?:\\[^]|[^\]\\])*\]|[^])/u;

function repeatAt(pattern: string, at: number): Repeat {
  const [whole, sign, least, comma, most] =
    /^(?:([*+?])|\{(\d+)(,?)(\d*)\})[?+]?/.exec(pattern.slice(at, at + 24)) ?? [];
  if (whole === undefined) return ONCE;
  const { length } = whole;
  if (sign === '?') return { length, isVariable: true, isEndless: false, isRepeated: false };
  if (sign !== undefined) return { length, isVariable: true, isEndless: true, isRepeated: true };
  const isEndless = comma !== '' && most === '';
  const isVariable = isEndless || (comma !== '' && most !== least);
  const isRepeated = isEndless || Math.max(Number(least), Number(most)) > 1;
  return { length, isVariable, isEndless, isRepeated };
}

const newFrame = (): Frame => ({ isOpen: false, endless: 0, most: 0 });
const mostOf = ({ endless, most }: Frame): number => Math.max(endless, most);

const refusal = (what: string, at: number) =>
  new SyntaxError(`${what}, at character ${at + 1}, is not taken`);
