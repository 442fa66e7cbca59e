import { EngineError } from '../../errors.ts';
import { parseJson } from '../files/json.ts';
import type { TextFilter } from './filter.ts';

/** A line that is longer is taken for no line at all. */
const LINE_CHARACTERS = 1 << 24;

/**
 * Makes one text of the lines of a JSONL file, a newline between each: the `text` of a line, or its
 * `prompt` with its `completion` right behind it. Empty lines are passed over. `clean` is done to each
 * text by itself. Throws EngineError `text-invalid` that names the file, the line and what is wrong.
 */
export function jsonlTexts(
  name: string,
  clean: (text: string) => string = (text) => text,
): TextFilter {
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
      // A long line comes in many pieces: what came before is not searched again for its end.
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
