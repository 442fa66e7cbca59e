import { type RefuseFile, refuseFile } from '../files/bounded-reader.ts';

/** How the records of a CSV file are separated and named. */
export interface CsvOptions {
  /** One character; a comma by default. */
  readonly delimiter?: string;
  /** Whether the first record names the columns, true by default; otherwise they are "0", "1" … */
  readonly hasHeader?: boolean;
}

/** Columns that become numbers, and one that becomes classes. */
export interface CsvColumns {
  /** Names of the columns of numbers, in the order of the inputs; all but the label by default. */
  readonly inputs?: readonly string[];
  /** Name of the column with the class of each record: a name, or whole numbers from 0. */
  readonly label?: string;
}

/** Records of text. Every record has a field for each column. */
export interface CsvTable {
  /** For messages. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly records: readonly (readonly string[])[];
}

/** Numbers of a table, with the classes of its records. */
export interface CsvNumbers {
  /** `[records][inputs]` */
  readonly x: Float32Array;
  /** Names of the inputs. */
  readonly inputs: readonly string[];
  /** `[records]`; empty without a label column. */
  readonly labels: Uint32Array;
  /** Names of the classes by their number, in the order of code units; numbers as they are. */
  readonly classNames: readonly string[];
}

const FORMAT = 'CSV';
const [QUOTE, BYTE_ORDER_MARK] = ['"', '\ufeff'];
/** Fields of a table: each is a string of its own. */
const MAX_FIELDS = 2 ** 26;

/**
 * Reads CSV (RFC 4180) in UTF-8: quoted fields with quotes, delimiters and line breaks in them; lines end with
 * CRLF, LF or CR; empty lines are left out. Throws EngineError `dataset-invalid` with the line for a quote that
 * is not closed or stands within a field, for records of different lengths and for columns of the same name.
 */
export function parseCsv(name: string, file: Uint8Array, options: CsvOptions = {}): CsvTable {
  const { delimiter = ',', hasHeader = true } = options;
  const refuse = refuseFile(name, FORMAT);
  if (delimiter.length !== 1 || '"\r\n'.includes(delimiter)) {
    refuse('the option `delimiter`', JSON.stringify(delimiter), 'one character that is no quote');
  }
  const records = new Records(decodeText(file, refuse), delimiter, refuse).all();
  const [first] = records;
  if (!first) return refuse('line 1', 'the file is empty', 'at least one record');
  const columns = hasHeader ? first : first.map((_, i) => String(i));
  checkNames(columns, refuse);
  return { name, columns, records: hasHeader ? records.slice(1) : records };
}

function checkNames(columns: readonly string[], refuse: RefuseFile): void {
  const seen = new Set<string>();
  for (const column of columns) {
    if (seen.has(column)) refuse('line 1', `two columns are ${shown(column)}`, 'one');
    seen.add(column);
  }
}

const shown = (text: string | undefined) => JSON.stringify(text?.slice(0, 40));

function decodeText(file: Uint8Array, refuse: RefuseFile): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(file);
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  } catch {
    return refuse('its text', 'bytes are no UTF-8', 'UTF-8');
  }
}

/** A text that is read field by field. */
class Records {
  readonly #text: string;
  readonly #delimiter: string;
  readonly #refuse: RefuseFile;
  /** Ends a field that is not quoted. */
  readonly #stop: RegExp;
  #at = 0;
  #line = 1;
  #left = MAX_FIELDS;

  constructor(text: string, delimiter: string, refuse: RefuseFile) {
    this.#text = text;
    this.#delimiter = delimiter;
    this.#refuse = refuse;
    this.#stop = new RegExp(`[\\u{${delimiter.charCodeAt(0).toString(16)}}\r\n"]`, 'gu');
  }

  all(): readonly (readonly string[])[] {
    const records: (readonly string[])[] = [];
    while (this.#at < this.#text.length) {
      const line = this.#line;
      const fields = this.#record();
      if (fields.length === 1 && fields[0] === '') continue;
      const expected = records[0]?.length ?? fields.length;
      if (fields.length !== expected) {
        this.#refuse(`line ${line}`, `the record has ${fields.length} fields`, String(expected));
      }
      records.push(fields);
    }
    return records;
  }

  #record(): string[] {
    const fields: string[] = [];
    for (;;) {
      fields.push(this.#text[this.#at] === QUOTE ? this.#quoted() : this.#plain());
      if (--this.#left < 0) this.#fail('there are more fields', `at most ${MAX_FIELDS}`);
      const next = this.#text[this.#at];
      if (next !== undefined && !`${this.#delimiter}\r\n`.includes(next)) {
        this.#fail(`${JSON.stringify(next)} follows a field`, 'a delimiter or the end of the line');
      }
      this.#at += this.#text.startsWith('\r\n', this.#at) ? 2 : 1;
      if (next === this.#delimiter) continue;
      this.#line++;
      return fields;
    }
  }

  #plain(): string {
    this.#stop.lastIndex = this.#at;
    const end = this.#stop.exec(this.#text)?.index ?? this.#text.length;
    const field = this.#text.slice(this.#at, end);
    this.#at = end;
    return field;
  }

  #quoted(): string {
    const pieces: string[] = [];
    do {
      const quote = this.#text.indexOf(QUOTE, this.#at + 1);
      if (quote < 0) this.#fail('a quote is not closed', QUOTE);
      // From the second piece on with the first of two quotes, which stand for one.
      pieces.push(this.#text.slice(this.#at + (pieces.length === 0 ? 1 : 0), quote));
      this.#at = quote + 1;
    } while (this.#text[this.#at] === QUOTE);
    const field = pieces.join('');
    this.#line += field.split(/\r\n|\r|\n/).length - 1;
    return field;
  }

  #fail(found: string, expected: string): never {
    return this.#refuse(`line ${this.#line}`, found, expected);
  }
}

/** A number as programs write it: no hexadecimal, no empty text, which would be 0. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Takes columns of numbers and one of classes from a table. Throws EngineError `dataset-invalid` for a column
 * that is not there and for a field that is no number, with its record and column.
 */
export function csvNumbers(table: CsvTable, { inputs, label }: CsvColumns = {}): CsvNumbers {
  const { name, columns, records } = table;
  const refuse = refuseFile(name, FORMAT);
  const placesByName = new Map(columns.map((column, place) => [column, place]));
  const placeOf = (column: string) => {
    const place = placesByName.get(column);
    if (place !== undefined) return place;
    const found = `${columns.length} are named ${columns.slice(0, 10).join(', ').slice(0, 200)}`;
    return refuse('its columns', found, shown(column));
  };
  const names = inputs ?? columns.filter((column) => column !== label);
  const places = names.map(placeOf);
  const x = new Float32Array(records.length * places.length);
  for (const [i, record] of records.entries()) {
    for (const [j, place] of places.entries()) {
      const value = numberOf(record[place]);
      if (value === undefined) {
        const found = `the field is ${shown(record[place])}`;
        refuse(`record ${i + 1}, column ${shown(names[j])}`, found, 'a number');
      }
      x[i * places.length + j] = value ?? 0;
    }
  }
  const classes = label === undefined ? [] : fieldsOf(records, placeOf(label));
  return { x, inputs: names, ...classesOf(classes) };
}

const fieldsOf = (records: CsvTable['records'], place: number) =>
  records.map((record) => record[place] ?? '');

/** A number that 32 bits hold, undefined for other text. */
function numberOf(field: string | undefined): number | undefined {
  const text = field?.trim() ?? '';
  const value = Math.fround(Number(text));
  return NUMBER.test(text) && Number.isFinite(value) ? value : undefined;
}

/** Classes of names, or of numbers that count the classes already. */
function classesOf(texts: readonly string[]): Pick<CsvNumbers, 'labels' | 'classNames'> {
  if (texts.every((text) => /^\d{1,6}$/.test(text))) {
    const labels = Uint32Array.from(texts, Number);
    const classes = labels.reduce((max, one) => Math.max(max, one + 1), 0);
    return { labels, classNames: Array.from({ length: classes }, (_, i) => String(i)) };
  }
  const classNames = [...new Set(texts)].toSorted();
  const numbers = new Map(classNames.map((text, i) => [text, i]));
  return { labels: Uint32Array.from(texts, (text) => numbers.get(text) ?? 0), classNames };
}
