/** Characters of the longest pattern. */
const MAX_CHARACTERS = 4096;
/** Unbounded repeats in one alternative: each more raises the degree of the matching time. */
const MAX_ENDLESS = 2;

/** State of a group, or of the whole pattern, while it is read. */
interface Frame {
  /** Whether it matches in more than one way: it has a variable repeat or alternatives. */
  isOpen: boolean;
  /** Unbounded repeats of the current alternative, and the largest number of an earlier one. */
  endless: number;
  max: number;
}

interface Repeat {
  readonly length: number;
  readonly isVariable: boolean;
  readonly isEndless: boolean;
  readonly isRepeated: boolean;
}

const ONCE: Repeat = { length: 0, isVariable: false, isEndless: false, isRepeated: false };

/**
 * Refuses a pattern whose matching time is unbounded under backtracking: repeats of a group that itself
 * matches in several ways, back-references, look-behinds, and many unbounded repeats in a row. Throws
 * SyntaxError that names the construct and its position.
 */
export function checkPattern(pattern: string): void {
  if (pattern.length > MAX_CHARACTERS) {
    throw new SyntaxError(
      `it has ${pattern.length} characters, expected at most ${MAX_CHARACTERS}`,
    );
  }
  const frames: [Frame, ...Frame[]] = [newFrame()];
  for (let at = 0; at < pattern.length;) {
    at = readNext(pattern, at, frames);
    if (mostOf(frames.at(-1) ?? frames[0]) > MAX_ENDLESS) {
      throw refusal(`more than ${MAX_ENDLESS} endless repeats in a row`, at);
    }
  }
}

/** Reads a bar, a group's start or end, or an atom; returns the next index. */
function readNext(pattern: string, at: number, frames: [Frame, ...Frame[]]): number {
  const frame = frames.at(-1) ?? frames[0];
  switch (pattern[at]) {
    case '|':
      Object.assign(frame, { isOpen: true, max: mostOf(frame), endless: 0 });
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

/** Length of a group's opening with its modifiers. */
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
  const [whole, sign, min, comma, max] =
    /^(?:([*+?])|\{(\d+)(,?)(\d*)\})[?+]?/.exec(pattern.slice(at, at + 24)) ?? [];
  if (whole === undefined) return ONCE;
  const { length } = whole;
  if (sign === '?') return { length, isVariable: true, isEndless: false, isRepeated: false };
  if (sign !== undefined) return { length, isVariable: true, isEndless: true, isRepeated: true };
  const isEndless = comma !== '' && max === '';
  const isVariable = isEndless || (comma !== '' && max !== min);
  const isRepeated = isEndless || Math.max(Number(min), Number(max)) > 1;
  return { length, isVariable, isEndless, isRepeated };
}

const newFrame = (): Frame => ({ isOpen: false, endless: 0, max: 0 });
const mostOf = ({ endless, max }: Frame): number => Math.max(endless, max);

const refusal = (what: string, at: number) =>
  new SyntaxError(`${what}, at character ${at + 1}, is not taken`);
