import type { NewReading } from '../../edge/sensors/contract/reading.ts';
import { Problem } from '../../edge/contract/refusal.ts';

/** Which columns hold what; by their names, or found by themselves where they are left out. */
interface Columns {
  readonly value?: string | undefined;
  readonly time?: string | undefined;
}

/** Reads one line after the other; a line without a reading gives none. */
type ReadLine = (line: string) => NewReading | undefined;

const VALUE_NAMES = ['value', 'reading'];
const TIME_NAMES = ['at', 'time', 'timestamp', 'date'];

/** Where a line has its value and its time; -1 where it has no time. */
interface Places {
  readonly value: number;
  readonly time: number;
}

/**
 * Reads numbers, one a line, or CSV with or without a line of names. Without names a line is a number, or
 * a time and a number. Empty lines and those that begin with # hold nothing.
 */
export function createLineReader(columns: Columns = {}): ReadLine {
  let number = 0;
  let places: Places | undefined;
  return (line) => {
    number += 1;
    const text = (number === 1 ? line.replace(/^\uFEFF/, '') : line).trim();
    if (text === '' || text.startsWith('#')) return undefined;
    const fields = fieldsOf(text, number);
    if (!places) {
      const named = placesByName(fields, columns, number);
      places = named ?? { value: fields.length - 1, time: fields.length > 1 ? 0 : -1 };
      if (named) return undefined;
    }
    return readingOf(fields, places, number);
  };
}

/** RFC 4180, of one line: a field in quotes may hold commas and, doubled, quotes. */
function fieldsOf(text: string, line: number): string[] {
  const fields: string[] = [];
  let rest = text;
  for (;;) {
    const [whole, quoted, plain = ''] =
      /^\s*(?:"((?:[^"]|"")*)"\s*|([^",]*))(?=,|$)/.exec(rest) ?? [];
    if (whole === undefined) throw refused(line, `"${rest}" is no field of CSV`);
    fields.push(quoted?.replaceAll('""', '"') ?? plain.trim());
    if (whole.length === rest.length) return fields;
    rest = rest.slice(whole.length + 1);
  }
}

/** Undefined where the line holds no names but a reading. */
function placesByName(
  fields: readonly string[],
  columns: Columns,
  line: number,
): Places | undefined {
  const names = fields.map((field) => field.toLowerCase());
  const isNamed = columns.value !== undefined || columns.time !== undefined;
  if (!isNamed && isNumber(names.at(-1) ?? '')) return undefined;
  const place = (asked: string | undefined, usual: readonly string[]) =>
    names.findIndex((name) =>
      asked === undefined ? usual.includes(name) : name === asked.toLowerCase(),
    );
  const value = place(columns.value, VALUE_NAMES);
  const time = place(columns.time, TIME_NAMES);
  const missing = value < 0 ? (columns.value ?? VALUE_NAMES.join(' or ')) : columns.time;
  if (value < 0 || (columns.time !== undefined && time < 0)) {
    throw refused(line, `the columns are ${fields.join(', ')}: expected one named ${missing}`);
  }
  return { value, time };
}

function readingOf(fields: readonly string[], { value, time }: Places, line: number): NewReading {
  const text = fields[value] ?? '';
  if (!isNumber(text)) throw refused(line, `"${text}" is no finite number`);
  const reading = { value: Number(text) };
  const at = fields[time];
  return at === undefined ? reading : { ...reading, at: timeOf(at, line) };
}

const isNumber = (text: string): boolean => text !== '' && Number.isFinite(Number(text));

/** ISO 8601, or seconds or milliseconds since 1970. */
function timeOf(text: string, line: number): string {
  const number = Number(text);
  const ms = isNumber(text) ? number * (Math.abs(number) < 1e11 ? 1000 : 1) : Date.parse(text);
  const isTime = Math.abs(ms) <= 8.64e15;
  if (isTime) return new Date(ms).toISOString();
  throw refused(line, `"${text}" is no time: expected ISO 8601, or seconds since 1970`);
}

const refused = (line: number, detail: string) =>
  new Problem('validation_failed', `line ${line}: ${detail}`);
