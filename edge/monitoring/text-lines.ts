/** One line of Prometheus text, read by itself. */
type Line =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'end' }
  | { readonly kind: 'help' | 'type' | 'unit'; readonly name: string; readonly text: string }
  | SampleLine
  | { readonly kind: 'wrong'; readonly detail: string };

export interface SampleLine {
  readonly kind: 'sample';
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
  /** As written: milliseconds in Prometheus text, seconds in OpenMetrics. */
  readonly timestamp: number | undefined;
}

const NAME = /[a-zA-Z_:][a-zA-Z0-9_:]*/y;
const LABEL = /[a-zA-Z_][a-zA-Z0-9_]*/y;
const QUOTED = /"(?:[^"\\]|\\[^])*"/y;
const BLANKS = /[ \t]*/y;
const WORD = /[^ \t]+/y;
const COMMENT = /^#[ \t]*(HELP|TYPE|UNIT)[ \t]+([^ \t]+)(?:[ \t]+([^]*))?$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The longest line that is read. */
const MAX_LINE = 65_536;

/** Reads a line without its end; blanks around its parts do not count. */
export function readLine(text: string): Line {
  if (text.length > MAX_LINE) {
    return { kind: 'wrong', detail: `the line holds more than ${MAX_LINE} characters` };
  }
  const line = text.replace(/^[ \t]+|[ \t\r]+$/g, '');
  if (line === '') return { kind: 'nothing' };
  if (line === '# EOF') return { kind: 'end' };
  if (line.startsWith('#')) return readComment(line);
  try {
    return readSample(new Scanner(line));
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: 'wrong', detail: error.message };
    throw error;
  }
}

function readComment(line: string): Line {
  const [, keyword = '', name = '', text = ''] = COMMENT.exec(line) ?? [];
  if (keyword === 'HELP') return { kind: 'help', name, text: unescapeText(text) };
  if (keyword === 'TYPE') return { kind: 'type', name, text: text.trim() };
  if (keyword === 'UNIT') return { kind: 'unit', name, text: text.trim() };
  return { kind: 'nothing' };
}

function readSample(scanner: Scanner): SampleLine {
  const name = scanner.take(NAME, 'the name of a metric');
  scanner.skip(BLANKS);
  const labels = scanner.has('{') ? readLabels(scanner) : new Map<string, string>();
  scanner.skip(BLANKS);
  const value = numberOf(scanner.take(WORD, 'a value'));
  scanner.skip(BLANKS);
  const rest = scanner.rest();
  // A # starts an exemplar of OpenMetrics: one example observation, which is not stored.
  const written = rest.startsWith('#') ? '' : (rest.split(/[ \t]/)[0] ?? '');
  const after = rest.slice(written.length).trim();
  if (after !== '' && !after.startsWith('#')) {
    throw new SyntaxError(`expected the end of the line after the timestamp, got ${cut(after)}`);
  }
  return { kind: 'sample', name, labels, value, timestamp: timestampOf(written) };
}

function readLabels(scanner: Scanner): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (;;) {
    scanner.skip(BLANKS);
    if (scanner.has('}')) return labels;
    const name = scanner.take(LABEL, 'the name of a label or }');
    if (labels.has(name)) throw new SyntaxError(`the label ${name} occurs twice`);
    scanner.skip(BLANKS);
    if (!scanner.has('=')) throw new SyntaxError(`expected = after the label ${cut(name)}`);
    scanner.skip(BLANKS);
    const quoted = scanner.take(QUOTED, `a value in double quotes for the label ${name}`);
    labels.set(name, unescapeLabel(quoted.slice(1, -1)));
    scanner.skip(BLANKS);
    if (scanner.has(',')) continue;
    if (scanner.has('}')) return labels;
    throw new SyntaxError(`expected , or } after the label ${name}, got ${cut(scanner.rest())}`);
  }
}

/** A number as Go writes and reads it, without hexadecimal digits. */
function numberOf(text: string): number {
  if (NUMBER.test(text)) return Number(text);
  if (/^nan$/i.test(text)) return NaN;
  const [, sign] = /^([+-]?)inf(?:inity)?$/i.exec(text) ?? [];
  if (sign === undefined) throw new SyntaxError(`expected a number as the value, got ${cut(text)}`);
  return sign === '-' ? -Infinity : Infinity;
}

function timestampOf(text: string): number | undefined {
  if (text === '') return undefined;
  if (NUMBER.test(text)) return Number(text);
  throw new SyntaxError(`expected a number as the timestamp, got ${cut(text)}`);
}

/** In a help text a backslash and a line end are escaped; other pairs stay as they are. */
const unescapeText = (text: string): string =>
  text.replace(/\\([\\n])/g, (_, escaped: string) => (escaped === 'n' ? '\n' : '\\'));

const unescapeLabel = (text: string): string =>
  text.replace(/\\([\\n"])/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));

const cut = (text: string): string =>
  JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The match of `pattern` here. @throws SyntaxError where there is none */
  take(pattern: RegExp, expected: string): string {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found === undefined) {
      throw new SyntaxError(`expected ${expected}, got ${cut(this.rest()) || 'nothing'}`);
    }
    this.#at += found.length;
    return found;
  }

  skip(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    this.#at += pattern.exec(this.#text)?.[0].length ?? 0;
  }

  has(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  rest(): string {
    return this.#text.slice(this.#at);
  }
}
