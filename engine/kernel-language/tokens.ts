import { EngineError } from '../errors.ts';

/** A word, number or sign of a kernel's text, with its place, both from 1. */
export interface Token {
  readonly kind: 'name' | 'number' | 'sign' | 'end';
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

const SIGNS = String.raw`\(\+\)=|<=|>=|==|!=|&&|\|\||[-+*/%^<>=?:()[\],!;]`;
const TOKEN = new RegExp(
  String.raw`(?<space>[ \t]+|#[^\n]*)|(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|(?<name>[A-Za-z]\w*)|(?<sign>${SIGNS})`,
  'y',
);

/** Longest text that is read: equations come from users, too. */
const MAX_LENGTH = 16_384;

/** The lines of a text as tokens; empty lines are left out. Throws EngineError `invalid-equation`. */
export function readLines(text: string): Token[][] {
  if (text.length > MAX_LENGTH) {
    throw new EngineError(
      'invalid-equation',
      `the equations are ${text.length} characters long: expected at most ${MAX_LENGTH}`,
    );
  }
  return text
    .split('\n')
    .map((line, index) => tokensOf(line, index + 1))
    .filter((tokens) => tokens.length > 1);
}

function tokensOf(source: string, line: number): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < source.length;) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(source);
    if (!found) {
      throw equationError(
        `"${String.fromCodePoint(source.codePointAt(at) ?? 0)}" means nothing here`,
        {
          line,
          column: at + 1,
        },
      );
    }
    const { number, name, sign } = found.groups ?? {};
    const text = number ?? name ?? sign;
    if (text !== undefined) {
      const kind = number === undefined ? (name === undefined ? 'sign' : 'name') : 'number';
      tokens.push({ kind, text, line, column: at + 1 });
    }
    at = TOKEN.lastIndex;
  }
  tokens.push({ kind: 'end', text: 'the end of the line', line, column: source.length + 1 });
  return tokens;
}

/** EngineError `invalid-equation` that names the place. */
export function equationError(
  message: string,
  { line, column }: Pick<Token, 'line' | 'column'>,
): EngineError {
  return new EngineError('invalid-equation', `line ${line}, column ${column}: ${message}`);
}
