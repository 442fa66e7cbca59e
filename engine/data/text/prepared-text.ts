import { EngineError } from '../../errors.ts';
import type { ByteSource } from '../files/byte-source.ts';
import { parseJson } from '../files/json.ts';
import { aozoraFilter } from './aozora.ts';
import { detectEncoding, readText, type TextEncodingName } from './encoding.ts';
import { filterText, type TextFilter } from './filter.ts';
import { type NormalForm, normaliser } from './normalise.ts';

export const TEXT_FORMATS = ['plain', 'jsonl'] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

export const NORMALISATIONS = ['none', 'nfc', 'nfkc'] as const;
type Normalisation = (typeof NORMALISATIONS)[number];

/** Preparation of the text in files for training. */
export interface TextPreparation {
  /** Detected for each file by default. */
  readonly encoding?: TextEncodingName;
  /** By the extension of each file by default. */
  readonly format?: TextFormat;
  /** Each file, and each line of JSONL, is a work of Aozora Bunko whose mark-up goes. */
  readonly aozora?: boolean;
  /** `none` by default, which leaves every character and line end as it is. */
  readonly normalise?: Normalisation;
}

/** Characters into and out of a filter. */
export interface FilterTally {
  readonly filter: 'jsonl' | 'aozora' | 'normalise';
  taken: number;
  given: number;
}

export interface ReadOptions {
  /** Called with the bytes of all files read so far. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Filled by the filters. */
  readonly tallies?: FilterTally[];
}

/** A text in one or more files, before it is tokens. */
export interface PreparedText {
  readonly name: string;
  /** Bytes of all files. */
  readonly bytes: number;
  /** Of each file. */
  readonly encodings: readonly TextEncodingName[];
  /** The text from its beginning, in pieces of whole characters; again with every call. */
  read(options?: ReadOptions): AsyncGenerator<string>;
}

/**
 * Determines how to read a text. The files are concatenated, with a line break after each that does not end
 * in one. Throws as `detectEncoding`; reading throws as `readText` and `jsonlTexts`.
 */
export async function prepareText(
  sources: readonly ByteSource[],
  preparation: TextPreparation,
  signal?: AbortSignal,
): Promise<PreparedText> {
  const encodings: TextEncodingName[] = [];
  for (const source of sources) {
    encodings.push(preparation.encoding ?? (await detectEncoding(source, signal)));
  }
  return {
    name: nameOf(sources),
    bytes: sources.reduce((sum, { size }) => sum + size, 0),
    encodings,
    async *read(options = {}) {
      let before = 0;
      let last = '\n';
      for (const [i, source] of sources.entries()) {
        const { onProgress } = options;
        const start = before;
        const pieces = readText(source, {
          ...(encodings[i] && { encoding: encodings[i] }),
          ...(options.signal && { signal: options.signal }),
          ...(onProgress && { onProgress: (bytes) => onProgress(start + bytes) }),
        });
        if (!last.endsWith('\n')) yield (last = '\n');
        const filters = filtersOf(source.name, preparation, options.tallies);
        for await (const piece of filterText(pieces, filters)) yield (last = piece);
        before += source.size;
      }
    },
  };
}

/** Whether a file is read as JSONL. */
export function isJsonl(name: string, { format }: TextPreparation): boolean {
  return format === undefined ? /\.(jsonl|ndjson)$/i.test(name) : format === 'jsonl';
}

function nameOf(sources: readonly ByteSource[]): string {
  const [first, ...others] = sources;
  if (!first) return 'no file';
  return others.length === 0 ? first.name : `${first.name} and ${others.length} more`;
}

function filtersOf(
  name: string,
  preparation: TextPreparation,
  tallies: FilterTally[] | undefined,
): TextFilter[] {
  const counted = (filter: FilterTally['filter'], made: TextFilter) =>
    tallies ? countedFilter(made, tallyOf(tallies, filter)) : made;
  const { aozora = false, normalise = 'none' } = preparation;
  const aozoraOf = () => counted('aozora', aozoraFilter());
  const filters: TextFilter[] = [];
  if (isJsonl(name, preparation)) {
    const clean = (text: string) => {
      const filter = aozoraOf();
      return filter.push(text) + filter.end();
    };
    filters.push(counted('jsonl', aozora ? jsonlTexts(name, clean) : jsonlTexts(name)));
  } else if (aozora) filters.push(aozoraOf());
  if (normalise !== 'none') {
    const form = normalise.toUpperCase() as NormalForm;
    filters.push(counted('normalise', normaliser(form)));
  }
  return filters;
}

function tallyOf(tallies: FilterTally[], filter: FilterTally['filter']): FilterTally {
  const known = tallies.find((tally) => tally.filter === filter);
  if (known) return known;
  const added: FilterTally = { filter, taken: 0, given: 0 };
  tallies.push(added);
  return added;
}

function countedFilter(filter: TextFilter, tally: FilterTally): TextFilter {
  const given = (text: string) => {
    tally.given += charactersOf(text);
    return text;
  };
  return {
    push(text) {
      tally.taken += charactersOf(text);
      return given(filter.push(text));
    },
    end: () => given(filter.end()),
  };
}

/** Code points: units less the second halves of pairs. */
function charactersOf(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xdc00) count--;
  return count;
}

/** A line that is longer is taken for no line at all. */
const LINE_CHARACTERS = 1 << 24;

/**
 * Joins the texts of the lines of a JSONL file by newlines: the `text` of a line, or its `prompt` followed
 * by its `completion`. Empty lines are skipped. `clean` is applied to each text. Throws EngineError `text-
 * invalid` that names the file, the line and what is wrong.
 */
function jsonlTexts(name: string, clean: (text: string) => string = (text) => text): TextFilter {
  let rest = '';
  let line = 0;
  let isStart = true;
  const take = (json: string) => {
    line++;
    const text = clean(parseLine(json, (what) => malformed(name, line, what)) ?? '');
    if (json.trim() === '') return '';
    const joined = isStart ? text : `\n${text}`;
    isStart &&= text === '';
    return joined;
  };
  return {
    push(text) {
      // A long line comes in many pieces: the buffered part is not searched again for its end.
      const [head = '', ...others] = text.split('\n');
      const lines = [rest + head, ...others];
      rest = lines.pop() ?? '';
      const out = lines.map(take).join('');
      if (rest.length <= LINE_CHARACTERS) return out;
      throw malformed(name, line + 1, `it is longer than ${LINE_CHARACTERS} characters`);
    },
    end: () => (rest === '' ? '' : take(rest)),
  };
}

function parseLine(json: string, refusal: (what: string) => EngineError): string | undefined {
  if (json.trim() === '') return undefined;
  let value: unknown;
  try {
    value = parseJson(json);
  } catch (error) {
    throw refusal(`it is not JSON (${error instanceof Error ? error.message : ''})`);
  }
  const fields = { ...(typeof value === 'object' && value) } as Record<string, unknown>;
  const names = 'text' in fields ? ['text'] : ['prompt', 'completion'];
  const [first = '', second] = names;
  if (!(first in fields) || (second !== undefined && !(second in fields))) {
    throw refusal(
      'it has neither "text" nor "prompt" and "completion": expected an object such as {"text": "…"}',
    );
  }
  return names
    .map((field) => {
      const text = fields[field];
      if (typeof text === 'string') return text;
      throw refusal(`its "${field}" is ${JSON.stringify(text)}: expected a string`);
    })
    .join('');
}

function malformed(name: string, line: number, what: string): EngineError {
  return new EngineError('text-invalid', `${name}, line ${line}: ${what}`);
}
