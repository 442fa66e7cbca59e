import { PROMQL_LIMITS, PromqlError } from './limits.ts';

export interface Token {
  readonly kind: 'name' | 'number' | 'duration' | 'text' | 'sign' | 'end';
  readonly text: string;
  /** Its first character, counted from 1. */
  readonly at: number;
}

const SKIPPED = /(?:\s+|#[^\n]*)*/y;
const TOKENS: readonly (readonly [Token['kind'], RegExp])[] = [
  ['duration', /(?:\d+(?:ms|[smhdwy]))+(?![\w.])/y],
  ['number', /(?:0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(?![\w.])/iy],
  ['name', /[a-zA-Z_:][\w:]*/y],
  ['text', /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/y],
  ['sign', /==|!=|=~|!~|>=|<=|[-+*/%^(){}[\],<>=:@]/y],
];

/** The words of a query; the last one is its end. @throws PromqlError */
export function tokensOf(query: string): readonly Token[] {
  if (query.length > PROMQL_LIMITS.characters) {
    const why = `the query has ${query.length} characters, expected at most ${PROMQL_LIMITS.characters}`;
    throw new PromqlError(why, PROMQL_LIMITS.characters + 1);
  }
  const tokens: Token[] = [];
  for (let at = skip(query, 0); at < query.length;) {
    const token = tokenAt(query, at);
    tokens.push(token);
    at = skip(query, at + token.text.length);
  }
  return [...tokens, { kind: 'end', text: '', at: query.length + 1 }];
}

function skip(query: string, at: number): number {
  SKIPPED.lastIndex = at;
  return at + (SKIPPED.exec(query)?.[0].length ?? 0);
}

function tokenAt(query: string, at: number): Token {
  for (const [kind, pattern] of TOKENS) {
    pattern.lastIndex = at;
    const [text] = pattern.exec(query) ?? [];
    if (text !== undefined) return { kind, text, at: at + 1 };
  }
  const rest = query.slice(at, at + 20);
  const isText = /^["'`]/.test(rest);
  throw new PromqlError(isText ? `the text ${rest} has no end` : `unexpected ${rest}`, at + 1);
}

const UNITS_S: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  y: 31_536_000,
};

/** `1h30m` in seconds. */
export const secondsOf = (duration: string): number =>
  [...duration.matchAll(/(\d+)(ms|[smhdwy])/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (UNITS_S[unit] ?? 0),
    0,
  );

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** The content of a quoted text; backquotes have no escapes. */
export function unquoted(text: string): string {
  const inner = text.slice(1, -1);
  if (text.startsWith('`')) return inner;
  return inner.replace(/\\(.)/g, (_, letter: string) => ESCAPES[letter] ?? letter);
}

/** Reads the tokens of a query one after the other. */
export class TokenCursor {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  protected peek(): Token {
    // The end is never consumed.
    return this.#tokens[this.#next] ?? { kind: 'end', text: '', at: 1 };
  }

  protected take(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.#next += 1;
    return token;
  }

  protected expect(text: string): void {
    const token = this.take();
    if (token.text !== text || token.kind === 'text') throw expected(text, token);
  }

  /** Consumes a keyword, in any case, if it is next. */
  protected takeWord(word: string): boolean {
    const { kind, text } = this.peek();
    if (kind !== 'name' || text.toLowerCase() !== word) return false;
    this.take();
    return true;
  }

  /** Items between two brackets, separated by commas. */
  protected list<T>(open: string, close: string, item: () => T): T[] {
    this.expect(open);
    const items: T[] = [];
    while (this.peek().text !== close) {
      items.push(item());
      if (this.peek().text !== close) this.expect(',');
    }
    this.take();
    return items;
  }

  protected unexpected(wanted: string): PromqlError {
    return expected(wanted, this.peek());
  }

  protected fault(why: string): PromqlError {
    return new PromqlError(why, this.peek().at);
  }
}

export const expected = (wanted: string, { text, at }: Token): PromqlError =>
  new PromqlError(`expected ${wanted}, got ${text === '' ? 'the end' : text.slice(0, 40)}`, at);
