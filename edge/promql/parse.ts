import { type Matcher, Matcher as MatcherSchema } from '../alerts/contract/alert-matcher.ts';
import { METRIC_LIMITS, MetricName } from '../monitoring/contract/metrics.ts';
import {
  AGGREGATORS,
  checkAggregate,
  checkBinary,
  checkCall,
  checkNegate,
  COMPARISONS,
  type Expr,
  isFunction,
  type Matching,
  SETS,
} from './ast.ts';
import { PROMQL_LIMITS, PromqlError } from './limits.ts';
import { expected, secondsOf, type Token, TokenCursor, tokensOf, unquoted } from './tokens.ts';

/** The binary operators in order of precedence, lowest first; all but ^ associate to the left. */
const PRECEDENCE: readonly (readonly string[])[] = [
  ['or'],
  ['and', 'unless'],
  ['==', '!=', '>', '<', '>=', '<='],
  ['+', '-'],
  ['*', '/', '%', 'atan2'],
];
const KEYWORDS: ReadonlySet<string> = new Set([
  'by',
  'without',
  'on',
  'ignoring',
  'group_left',
  'group_right',
  'bool',
  'offset',
  'and',
  'or',
  'unless',
  'atan2',
]);

/** Reads a query in the part of PromQL that docs/design/telemetry.md lists. @throws PromqlError */
export function parsePromql(query: string): Expr {
  const parser = new Parser(tokensOf(query));
  const expr = parser.expression();
  parser.expectEnd();
  return expr;
}

class Parser extends TokenCursor {
  #depth = 0;
  #selectors = 0;

  expression(level = 0): Expr {
    const operators = PRECEDENCE[level];
    if (!operators) return this.#unary();
    let left = this.expression(level + 1);
    // An operator's left side is one deeper for each that follows it.
    const depth = this.#depth;
    while (operators.includes(this.peek().text.toLowerCase()) && this.peek().kind !== 'text') {
      this.#enter();
      const { text, at } = this.take();
      const op = text.toLowerCase();
      const { isBool, matching } = this.#modifiers(op);
      const right = this.expression(level + 1);
      left = checkBinary({ kind: 'binary', op, isBool, matching, left, right, at });
    }
    this.#depth = depth;
    return left;
  }

  expectEnd(): void {
    if (this.peek().kind !== 'end') throw this.unexpected('an operator or the end');
  }

  /** `-a ^ b` is `-(a ^ b)`, and `a ^ -b` may be written. */
  #unary(): Expr {
    const { text, at, kind } = this.peek();
    if (kind !== 'sign' || (text !== '-' && text !== '+')) return this.#power();
    this.take();
    const arg = this.#within(() => this.#unary());
    return text === '+' ? arg : checkNegate({ kind: 'negate', arg, at });
  }

  #power(): Expr {
    const left = this.#postfix();
    if (this.peek().text !== '^') return left;
    const { at } = this.take();
    const { isBool, matching } = this.#modifiers('^');
    const right = this.#within(() => this.#unary());
    return checkBinary({ kind: 'binary', op: '^', isBool, matching, left, right, at });
  }

  /** A range and an offset follow a selector only. */
  #postfix(): Expr {
    let expr = this.#primary();
    for (;;) {
      const { text, at, kind } = this.peek();
      if (text === '[') expr = { ...this.#selectorOnly(expr, at), rangeS: this.#range() };
      else if (kind === 'name' && text.toLowerCase() === 'offset') {
        this.take();
        expr = { ...this.#selectorOnly(expr, at), offsetS: this.#offset() };
      } else if (text === '@') throw new PromqlError('@ is not supported', at);
      else return expr;
    }
  }

  #selectorOnly(expr: Expr, at: number) {
    if (expr.kind === 'selector') return expr;
    throw new PromqlError(
      'a range or an offset only follows a selector: subqueries are not supported',
      at,
    );
  }

  #range(): number {
    this.take();
    const token = this.take();
    if (token.kind !== 'duration') throw expected('a range such as [5m]', token);
    if (this.peek().text.startsWith(':')) {
      throw new PromqlError('subqueries are not supported', this.peek().at);
    }
    this.expect(']');
    return bounded(token, PROMQL_LIMITS.rangeS, 'the range');
  }

  #offset(): number {
    const isAhead = this.peek().text === '-';
    if (isAhead) this.take();
    const token = this.take();
    if (token.kind !== 'duration') throw expected('an offset such as 5m', token);
    const seconds = bounded(token, PROMQL_LIMITS.offsetS, 'the offset');
    return isAhead ? -seconds : seconds;
  }

  #primary(): Expr {
    const token = this.peek();
    if (token.text === '(') {
      this.take();
      const inner = this.#within(() => this.expression());
      this.expect(')');
      return inner;
    }
    if (token.kind === 'number') {
      return { kind: 'number', value: Number(this.take().text), at: token.at };
    }
    if (token.text === '{') return this.#selector(undefined, token.at);
    if (token.kind !== 'name') throw this.unexpected('a metric, a function, a number or (');
    return this.#named(this.take());
  }

  #named(token: Token): Expr {
    const { text, at } = token;
    const word = text.toLowerCase();
    if (/^(?:nan|inf)$/.test(word))
      return { kind: 'number', value: word === 'inf' ? Infinity : NaN, at };
    const next = this.peek().text;
    if (AGGREGATORS.has(word) && (next === '(' || /^(?:by|without)$/i.test(next))) {
      return this.#aggregate(word, at);
    }
    if (next === '(') {
      if (!isFunction(text)) throw new PromqlError(`the function ${text} is not supported`, at);
      const args = this.#within(() => this.#arguments());
      return checkCall({ kind: 'call', name: text, args, at });
    }
    if (KEYWORDS.has(word)) throw expected('a metric, a function, a number or (', token);
    return this.#selector(text, at);
  }

  #aggregate(name: string, at: number): Expr {
    const before = this.#grouping();
    const args = this.#within(() => this.#arguments());
    const grouping = before ?? this.#grouping() ?? { isWithout: false, labels: [] };
    return checkAggregate(name, { grouping, args, at });
  }

  #grouping() {
    const word = this.peek().text.toLowerCase();
    if (this.peek().kind !== 'name' || (word !== 'by' && word !== 'without')) return undefined;
    this.take();
    return { isWithout: word === 'without', labels: this.#labels() };
  }

  #arguments(): Expr[] {
    return this.list('(', ')', () => this.expression());
  }

  #modifiers(op: string): { readonly isBool: boolean; readonly matching: Matching } {
    const isBool = this.takeWord('bool');
    if (isBool && !COMPARISONS.has(op))
      throw this.fault(`bool goes with a comparison, not with ${op}`);
    return { isBool, matching: this.#matching(op) };
  }

  #matching(op: string): Matching {
    const isOn = this.takeWord('on');
    const isNamed = isOn || this.takeWord('ignoring');
    const labels = isNamed ? this.#labels() : [];
    const many = (['left', 'right'] as const).find((side) => this.takeWord(`group_${side}`));
    if (!many) return { isOn, labels, many, included: [] };
    if (!isNamed || SETS.has(op)) {
      const where = 'on or ignoring of an arithmetic or comparison operator';
      throw this.fault(`group_${many} follows ${where}`);
    }
    return { isOn, labels, many, included: this.peek().text === '(' ? this.#labels() : [] };
  }

  /** `(a, b)` */
  #labels(): readonly string[] {
    return this.list('(', ')', () => {
      const token = this.take();
      if (token.kind !== 'name') throw expected('the name of a label', token);
      return token.text;
    });
  }

  /** `name{a="b"}`; a metric may also be named as `{__name__="name"}`. */
  #selector(name: string | undefined, at: number): Expr {
    if (++this.#selectors > PROMQL_LIMITS.selectors) {
      throw new PromqlError(`more than ${PROMQL_LIMITS.selectors} selectors`, at);
    }
    const written = this.peek().text === '{' ? this.#matchers() : [];
    const metric = metricOf(name, written, at);
    const matchers = written.filter((matcher) => matcher.name !== '__name__');
    if (matchers.length > METRIC_LIMITS.labelsPerSeries) {
      throw new PromqlError(`more than ${METRIC_LIMITS.labelsPerSeries} matchers`, at);
    }
    return { kind: 'selector', metric, matchers, rangeS: undefined, offsetS: 0, at };
  }

  #matchers(): Matcher[] {
    return this.list('{', '}', () => {
      const [label, op, value] = [this.take(), this.take(), this.take()];
      if (label.kind !== 'name') throw expected('the name of a label', label);
      if (!/^(?:=|!=|=~|!~)$/.test(op.text)) throw expected('=, !=, =~ or !~', op);
      if (value.kind !== 'text') throw expected('a text in quotes', value);
      const written = { name: label.text, op: op.text, value: unquoted(value.text) };
      return matcherOf(written, value);
    });
  }

  #within<T>(read: () => T): T {
    this.#enter();
    const inner = read();
    this.#depth -= 1;
    return inner;
  }

  #enter(): void {
    if (++this.#depth <= PROMQL_LIMITS.depth) return;
    throw this.fault(
      `more than ${PROMQL_LIMITS.depth} operators and parentheses within each other`,
    );
  }
}

function bounded({ text, at }: Token, mostS: number, what: string): number {
  const seconds = secondsOf(text);
  if (seconds > 0 && seconds <= mostS) return seconds;
  throw new PromqlError(
    `${what} ${text.slice(0, 40)}, expected more than 0 and at most ${mostS / 86_400}d`,
    at,
  );
}

/** The one metric that a selector names, before its braces or in them. */
function metricOf(name: string | undefined, written: readonly Matcher[], at: number): string {
  const named = written.filter((matcher) => matcher.name === '__name__');
  const [own] = named;
  if (named.length > (name === undefined ? 1 : 0) || (own && own.op !== '=')) {
    throw new PromqlError('a selector names one metric, as name{…} or {__name__="name"}', at);
  }
  const metric = name ?? own?.value ?? '';
  if (MetricName.safeParse(metric).success) return metric;
  throw new PromqlError('expected the name of one metric of at most 200 letters', at);
}

interface WrittenMatcher {
  readonly name: string;
  readonly op: string;
  readonly value: string;
}

function matcherOf(written: WrittenMatcher, { at }: Token): Matcher {
  const isName = written.name === '__name__';
  // No series has this label, and no matcher names it elsewhere.
  const parsed = MatcherSchema.safeParse(isName ? { ...written, name: 'name' } : written);
  if (parsed.success) return { ...parsed.data, name: written.name };
  throw new PromqlError(parsed.error.issues[0]?.message ?? 'not a matcher', at);
}
