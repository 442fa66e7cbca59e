import { closureOf, type Expression, type ExpressionPool, type Operator } from './expression.ts';
import { callFunction, expectFunction } from './functions.ts';
import { equationError, type Token } from './tokens.ts';
import { alike, applyTo, expectType } from './typed-values.ts';

/** The meaning of names where an expression stands. */
export interface Scope {
  readonly pool: ExpressionPool;
  /** The value of a name, or of an element of an operand; undefined for a name that means nothing. */
  find(name: string, indices: readonly Expression[] | undefined): Expression | undefined;
  /** The coordinate along the last axis, where there is one. */
  readonly last?: string | undefined;
  /** Whether the value is one of a step, which all places take together. */
  readonly isInStep?: boolean;
  /** Names that could have been meant, for a message. */
  readonly names: readonly string[];
}

type Parsed = readonly [value: Expression, next: number];

const BINARY: readonly Readonly<Record<string, Operator>>[] = [
  { '||': 'or' },
  { '&&': 'and' },
  { '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge', '==': 'eq', '!=': 'ne' },
  { '+': 'add', '-': 'sub' },
  { '*': 'mul', '/': 'div', '%': 'rem' },
];

/** Deepest nesting that is read, so that no text overflows the stack. */
const MAX_DEPTH = 64;

/** The name in a slope of what the spike is called with. */
const SLOPE_ARGUMENT = 'x';

/** Largest exponent of `x^n`, which is multiplied out. */
const MAX_POWER = 8;

/**
 * Reads one expression that begins at token `first`; gives its value and the token behind it.
 * Throws EngineError `invalid-equation`.
 */
export function parseExpression(tokens: readonly Token[], first: number, scope: Scope): Parsed {
  const reader = new ExpressionReader(tokens, first, scope);
  return [reader.ternary(), reader.at];
}

/** Refuses an element whose place is known only when all values of the step are. */
export function expectOwnPlace(indices: readonly Expression[], name: Token): void {
  if (!closureOf(indices).some(({ kind }) => kind === 'mean')) return;
  throw equationError(`the place of ${name.text} depends on groupMean(...)`, name);
}

class ExpressionReader {
  at: number;
  #depth = 0;
  /** The meaning of the name `x` in the slope of a spike: how far above its threshold that is. */
  #excess: Expression | undefined;
  readonly #tokens: readonly Token[];
  readonly #scope: Scope;
  readonly #pool: ExpressionPool;

  constructor(tokens: readonly Token[], first: number, scope: Scope) {
    this.#tokens = tokens;
    this.at = first;
    this.#scope = scope;
    this.#pool = scope.pool;
  }

  ternary(): Expression {
    const start = this.#peek();
    return this.#nested(() => {
      const condition = this.#binary(0);
      if (this.#peek().text !== '?') return condition;
      expectType(condition, 'bool', start);
      this.at++;
      const whenTrue = this.ternary();
      this.#take(':');
      const sides = alike(this.#pool, [whenTrue, this.ternary()], start, true);
      return this.#pool.apply('select', condition, ...sides);
    });
  }

  #binary(level: number): Expression {
    const operators = BINARY[level];
    if (!operators) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      const sign = this.#peek();
      const operator = sign.kind === 'sign' ? operators[sign.text] : undefined;
      if (!operator) return left;
      this.at++;
      left = applyTo(this.#pool, operator, [left, this.#binary(level + 1)], sign);
    }
  }

  #unary(): Expression {
    const sign = this.#peek();
    if (sign.text !== '-' && sign.text !== '!') return this.#power();
    return this.#nested(() => {
      this.at++;
      return applyTo(this.#pool, sign.text === '-' ? 'neg' : 'not', [this.#unary()], sign);
    });
  }

  #power(): Expression {
    const base = this.#primary();
    if (this.#peek().text !== '^') return base;
    this.at++;
    const exponent = this.#peek();
    const count = Number(exponent.text);
    if (exponent.kind !== 'number' || !Number.isInteger(count) || count < 1 || count > MAX_POWER) {
      throw equationError(
        `the exponent is ${exponent.text}: expected a whole number from 1 to ${MAX_POWER}`,
        exponent,
      );
    }
    this.at++;
    let product = base;
    for (let factor = 1; factor < count; factor++) {
      product = this.#pool.apply('mul', product, base);
    }
    return product;
  }

  #primary(): Expression {
    const token = this.#peek();
    if (token.kind === 'number') {
      this.at++;
      return this.#pool.constant(Number(token.text));
    }
    if (token.text === '(') {
      this.at++;
      const inner = this.ternary();
      this.#take(')');
      return inner;
    }
    if (token.kind !== 'name') {
      throw equationError(`"${token.text}" stands where a value was expected`, token);
    }
    this.at++;
    return this.#named(token);
  }

  #named(name: Token): Expression {
    if (this.#peek().text === '(') {
      expectFunction(name);
      const args = name.text === 'spike' ? this.#spike() : this.#list('(', ')');
      return callFunction(this.#scope, name, args);
    }
    const indices = this.#peek().text === '[' ? this.#list('[', ']') : undefined;
    if (indices) expectOwnPlace(indices, name);
    const value = this.#valueOf(name, indices);
    if (value) return value;
    throw equationError(
      `${name.text} has no value here: expected one of ${this.#scope.names.join(', ')}`,
      name,
    );
  }

  #valueOf(name: Token, indices: readonly Expression[] | undefined): Expression | undefined {
    const value = this.#scope.find(name.text, indices);
    if (name.text !== SLOPE_ARGUMENT || indices || !this.#excess) return value;
    if (value === undefined || value === this.#excess) return this.#excess;
    throw equationError(
      `${name.text} in a slope is what spike(...) is called with, and has another value here: expected another name for that`,
      name,
    );
  }

  /** `(x)` or `(x, slope)`, where the slope may name the x. */
  #spike(): Expression[] {
    this.#take('(');
    const values = [this.ternary()];
    const outer = this.#excess;
    if (this.#peek().text === ',')
      this.#excess = this.#pool.convert(values[0] as Expression, 'f32');
    const all = this.#rest(values, ')');
    this.#excess = outer;
    return all;
  }

  #list(open: string, close: string): Expression[] {
    this.#take(open);
    return this.#rest([this.ternary()], close);
  }

  /** Values behind the first ones of a list. */
  #rest(values: Expression[], close: string): Expression[] {
    while (this.#peek().text === ',') {
      this.at++;
      values.push(this.ternary());
    }
    this.#take(close);
    return values;
  }

  #nested(read: () => Expression): Expression {
    if (++this.#depth > MAX_DEPTH) {
      throw equationError(`nested deeper than ${MAX_DEPTH} levels`, this.#peek());
    }
    const value = read();
    this.#depth--;
    return value;
  }

  /** The last token of a line is its end, and nothing reads beyond it. */
  #peek(): Token {
    return this.#tokens[this.at] as Token;
  }

  #take(text: string): void {
    const found = this.#peek();
    if (found.text !== text) {
      throw equationError(`"${found.text}" stands where "${text}" was expected`, found);
    }
    this.at++;
  }
}
