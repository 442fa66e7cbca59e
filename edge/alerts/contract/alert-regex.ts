/**
 * Regular expressions over label values, matched whole and in time linear in the value's length,
 * as in Prometheus: a pattern a person wrote must not stall the evaluation of all rules.
 * Taken are literals, `.`, classes, groups, `|`, `*`, `+`, `?` and `{n,m}`.
 */
interface Pattern {
  /** Whether the whole text matches. */
  matches(text: string): boolean;
}

type Test = (letter: string) => boolean;

type Step =
  | { readonly kind: 'letter'; readonly test: Test; readonly next: number }
  | { readonly kind: 'split'; readonly next: readonly number[] }
  | { readonly kind: 'end' };

type Tree =
  | { readonly kind: 'letter'; readonly test: Test }
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Tree[] }
  | { readonly kind: 'repeat'; readonly part: Tree; readonly least: number; readonly most: number };

const MAX_STEPS = 2000;
const MAX_REPEATS = 100;
const MAX_DEPTH = 20;

/** Compiles a pattern. @throws SyntaxError naming the unsupported construct and its position */
export function compilePattern(source: string): Pattern {
  const steps: Step[] = [{ kind: 'end' }];
  const start = build(new Parser(source).parse(), 0, steps);
  return {
    matches(text) {
      let states = closure(steps, [start]);
      for (const letter of text) {
        const next: number[] = [];
        for (const state of states) {
          const step = steps[state];
          if (step?.kind === 'letter' && step.test(letter)) next.push(step.next);
        }
        states = closure(steps, next);
        if (states.size === 0) return false;
      }
      return states.has(0);
    },
  };
}

/** Lays the steps of a tree out from its end backwards; answers where it begins. */
function build(tree: Tree, next: number, steps: Step[]): number {
  if (steps.length > MAX_STEPS) throw new SyntaxError('the pattern is too large');
  switch (tree.kind) {
    case 'letter':
      return steps.push({ kind: 'letter', test: tree.test, next }) - 1;
    case 'all':
      return tree.parts.reduceRight((after, part) => build(part, after, steps), next);
    case 'any':
      return (
        steps.push({ kind: 'split', next: tree.parts.map((part) => build(part, next, steps)) }) - 1
      );
    default:
      return buildRepeat(tree, next, steps);
  }
}

function buildRepeat(
  { part, least, most }: Extract<Tree, { kind: 'repeat' }>,
  next: number,
  steps: Step[],
): number {
  let start = next;
  if (most === Infinity) {
    start = steps.push({ kind: 'split', next: [] }) - 1;
    steps[start] = { kind: 'split', next: [build(part, start, steps), next] };
  } else {
    for (let i = least; i < most; i++) {
      start = steps.push({ kind: 'split', next: [build(part, start, steps), next] }) - 1;
    }
  }
  for (let i = 0; i < least; i++) start = build(part, start, steps);
  return start;
}

/** All steps reached without reading a letter. */
function closure(steps: readonly Step[], from: readonly number[]): ReadonlySet<number> {
  const found = new Set<number>();
  const open = [...from];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    if (found.has(state)) continue;
    found.add(state);
    const step = steps[state];
    if (step?.kind === 'split') open.push(...step.next);
  }
  return found;
}

const DIGIT: Test = (c) => c >= '0' && c <= '9';
const SPACE: Test = (c) => c === ' ' || (c >= '\t' && c <= '\r');
const WORD: Test = (c) => /^[A-Za-z0-9_]$/.test(c);
const not =
  (test: Test): Test =>
  (c) =>
    !test(c);
const CLASSES: Readonly<Record<string, Test>> = {
  d: DIGIT,
  D: not(DIGIT),
  s: SPACE,
  S: not(SPACE),
  w: WORD,
  W: not(WORD),
};
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

class Parser {
  readonly #letters: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#letters = Array.from(source);
  }

  parse(): Tree {
    const tree = this.#choice();
    if (this.#peek() !== undefined) throw this.#fault(`unexpected ${this.#peek()}`);
    return tree;
  }

  #choice(): Tree {
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'any', parts };
  }

  #sequence(): Tree {
    const parts: Tree[] = [];
    for (let next = this.#peek(); next !== undefined; next = this.#peek()) {
      if (next === '|' || next === ')') break;
      // The whole value is matched anyway.
      if ((next === '^' && parts.length === 0) || next === '$') this.#at++;
      else parts.push(this.#repeated());
    }
    return { kind: 'all', parts };
  }

  #repeated(): Tree {
    const part = this.#atom();
    const counts = this.#counts();
    if (!counts) return part;
    // Lazy and greedy repeats are equivalent where the whole value is matched.
    this.#take('?');
    if (this.#counts()) throw this.#fault('a repeat of a repeat');
    return { kind: 'repeat', part, ...counts };
  }

  #counts(): { readonly least: number; readonly most: number } | undefined {
    if (this.#take('*')) return { least: 0, most: Infinity };
    if (this.#take('+')) return { least: 1, most: Infinity };
    if (this.#take('?')) return { least: 0, most: 1 };
    return this.#writtenCounts();
  }

  /** `{2}`, `{2,}` or `{2,3}`. */
  #writtenCounts(): { readonly least: number; readonly most: number } | undefined {
    const written = /^\{(\d{1,3})(,\d{0,3})?\}/.exec(this.#letters.slice(this.#at).join(''));
    if (!written) return undefined;
    this.#at += written[0].length;
    const [, from = '', to = `,${from}`] = written;
    const least = Number(from);
    const most = to === ',' ? least : Number(to.slice(1));
    if (most > MAX_REPEATS || most < least) {
      throw this.#fault(`the repeat ${written[0]}, expected at most ${MAX_REPEATS}`);
    }
    return { least, most: to === ',' ? Infinity : most };
  }

  #atom(): Tree {
    const next = this.#next();
    switch (next) {
      case '(':
        return this.#group();
      case '[':
        return { kind: 'letter', test: this.#class() };
      case '.':
        return { kind: 'letter', test: (c) => c !== '\n' };
      case '\\':
        return { kind: 'letter', test: this.#escape() };
      case '*':
      case '+':
      case '?':
      case '{':
        throw this.#fault(`nothing to repeat before ${next}`);
      default:
        return { kind: 'letter', test: (c) => c === next };
    }
  }

  #group(): Tree {
    if (this.#take('?') && !this.#take(':')) throw this.#fault('a group other than (?:…)');
    if (++this.#depth > MAX_DEPTH) throw this.#fault('groups nested too deep');
    const tree = this.#choice();
    if (!this.#take(')')) throw this.#fault('a group without its end');
    this.#depth--;
    return tree;
  }

  #class(): Test {
    const isNegated = this.#take('^');
    const tests: Test[] = [];
    while (tests.length === 0 || this.#peek() !== ']') {
      const from = this.#classLetter();
      if (typeof from === 'string' && this.#peek() === '-' && this.#letters[this.#at + 1] !== ']') {
        this.#at++;
        const to = this.#classLetter();
        if (typeof to !== 'string' || to < from) throw this.#fault('a range that is not one');
        tests.push((c) => c >= from && c <= to);
      } else {
        tests.push(typeof from === 'string' ? (c) => c === from : from);
      }
    }
    this.#at++;
    const isIn: Test = (c) => tests.some((test) => test(c));
    return isNegated ? not(isIn) : isIn;
  }

  #classLetter(): string | Test {
    const next = this.#next();
    if (next === '[' && this.#peek() === ':') throw this.#fault('a named class');
    if (next !== '\\') return next;
    const escaped = this.#next();
    return CLASSES[escaped] ?? this.#literal(escaped);
  }

  #escape(): Test {
    const escaped = this.#next();
    const known = CLASSES[escaped];
    if (known) return known;
    const literal = this.#literal(escaped);
    return (c) => c === literal;
  }

  /** Escaped letters and digits have a meaning in other dialects. */
  #literal(escaped: string): string {
    const control = CONTROLS[escaped];
    if (control !== undefined) return control;
    if (/^[A-Za-z0-9]$/.test(escaped)) throw this.#fault(`\\${escaped}`);
    return escaped;
  }

  #peek(): string | undefined {
    return this.#letters[this.#at];
  }

  #next(): string {
    const next = this.#letters[this.#at++];
    if (next === undefined) throw this.#fault('the end in the middle');
    return next;
  }

  #take(letter: string): boolean {
    if (this.#peek() !== letter) return false;
    this.#at++;
    return true;
  }

  #fault(what: string): SyntaxError {
    return new SyntaxError(`${what} is not supported, at character ${this.#at}`);
  }
}
