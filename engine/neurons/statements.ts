import { equationError, readLines, type Token } from '../kernel-language/tokens.ts';

const METHODS = ['euler', 'exponential_euler', 'rk4'] as const;
export type Method = (typeof METHODS)[number];

/** A statement of a neuron's text. `tokens` are those of its right side, up to an end. */
export type Statement =
  | { readonly kind: 'state'; readonly name: Token; readonly value: number }
  | { readonly kind: 'parameter'; readonly name: Token; readonly value: number }
  | ({ readonly kind: 'learned'; readonly name: Token; readonly value: number } & Learning)
  | { readonly kind: 'method'; readonly name: Token; readonly method: Method }
  /** `dv/dt = …` */
  | {
      readonly kind: 'rate';
      readonly name: Token;
      readonly state: string;
      readonly tokens: readonly Token[];
    }
  | { readonly kind: 'equation'; readonly name: Token; readonly tokens: readonly Token[] };

interface Learning {
  readonly spread?: number | undefined;
  readonly range?: { readonly lowest: number; readonly highest: number } | undefined;
  readonly per: 'neuron' | 'layer';
}

/** The statements of a text: lines, or parts of a line between semicolons. */
export function readStatements(text: string): Statement[] {
  const states = new Set<string>();
  let hasBegun = false;
  const statements: Statement[] = [];
  for (const tokens of readLines(text).flatMap(splitLine)) {
    const read = readStatement(tokens, hasBegun);
    for (const statement of read) {
      if (statement.kind === 'state') states.add(statement.name.text);
      if ('tokens' in statement) {
        hasBegun ||= statement.tokens.some((token) => token.text === 'I' || states.has(token.text));
      }
    }
    statements.push(...read);
  }
  return statements;
}

/** The same text with one space between words and without comments: equal neurons have equal ones. */
export function normalise(text: string): string {
  return readLines(text)
    .flatMap(splitLine)
    .map((tokens) => tokens.slice(0, -1).map(spell).join(' '))
    .join('\n');
}

const spell = ({ kind, text }: Token) => (kind === 'number' ? String(Number(text)) : text);

function splitLine(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (token.text !== ';') parts.at(-1)?.push(token);
    else {
      parts.at(-1)?.push({ ...token, kind: 'end', text: 'the end of the statement' });
      parts.push([]);
    }
  }
  return parts.filter((part) => part.length > 1);
}

function readStatement(tokens: readonly Token[], hasBegun: boolean): Statement[] {
  // A part has a token before its end.
  const [first, second] = tokens as [Token, Token];
  if (first.kind !== 'name') {
    throw equationError(`"${first.text}" stands where a name was expected`, first);
  }
  const declared = second.kind === 'name' ? readDeclaration(tokens) : undefined;
  if (declared) return declared;
  if (second.text === '/' && tokens[2]?.text === 'dt') return [readRate(tokens)];
  expectSign(second, '=');
  const literal = readLiteral(tokens, 2);
  if (literal?.end === tokens.length - 1 && !hasBegun) {
    return [{ kind: 'parameter', name: first, value: literal.value }];
  }
  return [{ kind: 'equation', name: first, tokens: tokens.slice(2) }];
}

/** A statement that begins with a word; undefined where it is none. */
function readDeclaration(tokens: readonly Token[]): Statement[] | undefined {
  if (tokens[0]?.text === 'state') return readStates(tokens);
  if (tokens[0]?.text === 'learn') return [readLearned(tokens)];
  return tokens[0]?.text === 'method' ? [readMethod(tokens)] : undefined;
}

/** `state u = 0, w = 0` */
function readStates(tokens: readonly Token[]): Statement[] {
  const statements: Statement[] = [];
  let at = 0;
  do {
    const name = expectName(tokens[at + 1]);
    expectSign(tokens[at + 2], '=');
    const { value, end } = expectLiteral(tokens, at + 3);
    statements.push({ kind: 'state', name, value });
    at = end;
  } while (tokens[at]?.text === ',');
  expectEnd(tokens[at], '","');
  return statements;
}

/** `learn beta = 0.95 spread 0.02 in [0, 1] per neuron` */
function readLearned(tokens: readonly Token[]): Statement {
  const name = expectName(tokens[1]);
  expectSign(tokens[2], '=');
  const { value, end } = expectLiteral(tokens, 3);
  let at = end;
  const learning: Writable<Learning> = { per: 'neuron' };
  if (tokens[at]?.text === 'spread') {
    const spread = expectLiteral(tokens, at + 1);
    learning.spread = spread.value;
    at = spread.end;
  }
  if (tokens[at]?.text === 'in') {
    expectSign(tokens[at + 1], '[');
    const lowest = expectLiteral(tokens, at + 2);
    expectSign(tokens[lowest.end], ',');
    const highest = expectLiteral(tokens, lowest.end + 1);
    expectSign(tokens[highest.end], ']');
    learning.range = { lowest: lowest.value, highest: highest.value };
    at = highest.end + 1;
  }
  if (tokens[at]?.text === 'per') {
    const unit = tokens[at + 1] as Token;
    if (unit.text !== 'neuron' && unit.text !== 'layer') {
      throw equationError(`"${unit.text}" stands where neuron or layer was expected`, unit);
    }
    learning.per = unit.text;
    at += 2;
  }
  expectEnd(tokens[at], learning.range ? '"per neuron" or "per layer"' : '"in [lowest, highest]"');
  checkStart(name, value, learning);
  return { kind: 'learned', name, value, ...learning };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** The numbers that training begins with lie within the range, and differ where there are several. */
function checkStart(name: Token, value: number, { spread, range, per }: Learning): void {
  if (spread !== undefined) checkSpread(name, spread, per);
  if (!range) return;
  const { lowest, highest } = range;
  const outside = [0, -1, 1]
    .map((sign) => value + sign * (spread ?? 0))
    .find((start) => !(start > lowest && start < highest));
  if (outside === undefined) return;
  const expected = `expected a number between ${lowest} and ${highest}`;
  throw equationError(`${name.text} starts at ${outside}: ${expected}`, name);
}

function checkSpread(name: Token, spread: number, per: Learning['per']): void {
  if (!(spread > 0)) {
    throw equationError(`${name.text} is spread by ${spread}: expected a number above 0`, name);
  }
  if (per === 'neuron') return;
  throw equationError(`${name.text} is one number: expected a spread per neuron alone`, name);
}

function readMethod(tokens: readonly Token[]): Statement {
  const name = tokens[1] as Token;
  const method = METHODS.find((one) => one === name.text);
  if (!method) {
    throw equationError(
      `there is no method ${name.text}: expected one of ${METHODS.join(', ')}`,
      name,
    );
  }
  expectEnd(tokens[2], 'the end of the line');
  return { kind: 'method', name, method };
}

/** `dv/dt = …` */
function readRate(tokens: readonly Token[]): Statement {
  const [name] = tokens as [Token];
  if (!/^d\w/.test(name.text)) {
    throw equationError(
      `"${name.text}" stands where d and the name of a state were expected`,
      name,
    );
  }
  expectSign(tokens[3], '=');
  return { kind: 'rate', name, state: name.text.slice(1), tokens: tokens.slice(4) };
}

/** A number with its sign, and `ms` behind it, which is the unit of all times. */
function readLiteral(tokens: readonly Token[], first: number) {
  const isNegative = tokens[first]?.text === '-';
  const at = isNegative ? first + 1 : first;
  const number = tokens[at];
  if (number?.kind !== 'number') return undefined;
  const value = (isNegative ? -1 : 1) * Number(number.text);
  if (!Number.isFinite(value)) throw equationError(`${number.text} is too large`, number);
  return { value, end: at + (tokens[at + 1]?.text === 'ms' ? 2 : 1) };
}

function expectLiteral(tokens: readonly Token[], first: number) {
  const literal = readLiteral(tokens, first);
  if (literal) return literal;
  const token = tokens[first] as Token;
  throw equationError(`"${token.text}" stands where a number was expected`, token);
}

function expectName(token: Token | undefined): Token {
  if (token?.kind === 'name') return token;
  const place = token as Token;
  throw equationError(`"${place.text}" stands where a name was expected`, place);
}

function expectSign(token: Token | undefined, sign: string): void {
  if (token?.text === sign) return;
  const place = token as Token;
  throw equationError(`"${place.text}" stands where "${sign}" was expected`, place);
}

function expectEnd(token: Token | undefined, expected: string): void {
  if (token?.kind === 'end') return;
  const place = token as Token;
  throw equationError(`"${place.text}" stands where ${expected} was expected`, place);
}
