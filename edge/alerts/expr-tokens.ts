import { type Matcher, parseMatcher } from './contract/alert-matcher.ts';

const TOKEN =
  /\s*(?:([a-zA-Z_:][a-zA-Z0-9_:]*)|([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(?![a-zA-Z0-9_])|("(?:[^"\\]|\\.)*")|(\d+[a-z][\da-z]*)|(>=|<=|==|!=|=~|!~|[-+*/(){}[\],<>=]))/iy;
const UNITS_S: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** The words of a PromQL expression, one after the other. */
export class ExprTokens {
  readonly #tokens: readonly string[];
  #at = 0;

  /** @throws SyntaxError at a letter no expression has */
  constructor(text: string) {
    const tokens: string[] = [];
    for (let at = 0; text.slice(at).trim() !== '';) {
      TOKEN.lastIndex = at;
      const found = TOKEN.exec(text);
      if (!found) throw new SyntaxError(`unexpected ${text.slice(at).trim().slice(0, 20)}`);
      tokens.push(found[0].trim());
      at = TOKEN.lastIndex;
    }
    this.#tokens = tokens;
  }

  peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  next(): string | undefined {
    return this.#tokens[this.#at++];
  }

  isAtEnd(): boolean {
    return this.peek() === undefined;
  }

  take(token: string): boolean {
    if (this.peek() !== token) return false;
    this.#at++;
    return true;
  }

  expect(token: string): void {
    if (!this.take(token)) throw this.fault(`expected ${token}`);
  }

  end(): void {
    if (!this.isAtEnd()) throw this.fault('expected the end');
  }

  identifier(): string {
    const name = this.next();
    if (name === undefined || !/^[a-z_:]/i.test(name)) throw this.#faultBefore('expected a name');
    return name;
  }

  number(): number {
    const number = Number(this.next() ?? 'none');
    if (!Number.isFinite(number)) throw this.#faultBefore('expected a number');
    return number;
  }

  /** `(a, b)` */
  names(): readonly string[] {
    this.expect('(');
    const names: string[] = [];
    while (!this.take(')')) {
      names.push(this.identifier());
      if (this.peek() !== ')') this.expect(',');
    }
    return names;
  }

  /** `{a="b", c=~"d"}`, or nothing. */
  matchers(): readonly Matcher[] {
    if (!this.take('{')) return [];
    const matchers: Matcher[] = [];
    while (!this.take('}')) {
      const text = [this.next(), this.next(), this.next()].join('');
      const matcher = parseMatcher(text);
      if (!matcher) throw this.#faultBefore(`expected a matcher such as a="b", got ${text}`);
      matchers.push(matcher);
      if (this.peek() !== '}') this.expect(',');
    }
    return matchers;
  }

  /** `[5m]` in seconds. */
  range(): number {
    this.expect('[');
    const written = this.next() ?? '';
    this.expect(']');
    const parts = written.match(/\d+[smhdw]/g) ?? [];
    if (parts.join('') !== written || written === '') {
      throw this.#faultBefore(`the range ${written}, expected one such as 5m`);
    }
    return parts.reduce(
      (sum, part) => sum + Number(part.slice(0, -1)) * (UNITS_S[part.slice(-1)] ?? 0),
      0,
    );
  }

  fault(what: string): SyntaxError {
    return new SyntaxError(`${what}, got ${this.peek() ?? 'the end'} at word ${this.#at + 1}`);
  }

  #faultBefore(what: string): SyntaxError {
    this.#at--;
    return this.fault(what);
  }
}
