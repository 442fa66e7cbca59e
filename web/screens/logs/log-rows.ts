import type { LogBuffer, LogItem } from './log-buffer.ts';

/** Says which lines are shown; undefined where all are. */
export type LogTest = (item: LogItem) => boolean;

/** Rows from `start` to `end`, each the line at a place of the buffer. */
export interface LogRows {
  readonly start: number;
  readonly end: number;
  placeOf(row: number): number;
}

/** Searchable text of each line, computed once. */
const haystacks = new WeakMap<LogItem, string>();

function haystackOf(item: LogItem): string {
  const known = haystacks.get(item);
  if (known !== undefined || item.type === 'gap') return known ?? '';
  const { message, event, source, module_type: type, trace_id: trace, data } = item;
  const parts = [message, event, source, type, trace, data && JSON.stringify(data)];
  const made = parts.filter(Boolean).join('\n').normalize('NFKC');
  haystacks.set(item, made);
  return made;
}

/** The test that a text or a regular expression stands for. @throws SyntaxError for a wrong expression */
export function testOf(searched: string, mode: 'text' | 'regex'): LogTest | undefined {
  const wanted = searched.normalize('NFKC');
  if (wanted === '') return undefined;
  const pattern = new RegExp(mode === 'regex' ? wanted : escaped(wanted), 'imu');
  return (item) => pattern.test(haystackOf(item));
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** All lines of a buffer, each in its own place. */
export const allRows = (buffer: LogBuffer): LogRows => ({
  start: buffer.start,
  end: buffer.end,
  placeOf: (row) => row,
});

/** The lines that a test lets through; what came since the last look is all that is looked at. */
export class FoundRows {
  readonly #buffer: LogBuffer;
  readonly #test: LogTest;
  #places: number[] = [];
  #dropped = 0;
  #looked: number;

  constructor(buffer: LogBuffer, test: LogTest) {
    this.#buffer = buffer;
    this.#test = test;
    this.#looked = buffer.start;
  }

  look(): LogRows {
    const { start, end } = this.#buffer;
    for (let place = Math.max(this.#looked, start); place < end; place++) {
      const item = this.#buffer.at(place);
      if (item && this.#test(item)) this.#places.push(place);
    }
    this.#looked = end;
    const kept = this.#places.findIndex((place) => place >= start);
    const gone = kept === -1 ? this.#places.length : kept;
    if (gone > 0) this.#places = this.#places.slice(gone);
    this.#dropped += gone;
    const places = this.#places;
    const first = this.#dropped;
    return {
      start: first,
      end: first + places.length,
      placeOf: (row) => places[row - first] ?? -1,
    };
  }
}
