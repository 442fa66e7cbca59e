import { parseJson } from '../files/json.ts';
import { refuse } from './refuse.ts';

/** One line of the file, as far as it is read. */
export interface CaptionLine {
  /** In the file, counted from 1. */
  readonly number: number;
  readonly caption: string;
  readonly image?: string;
  readonly audio?: string;
  readonly split?: string;
  /** What kind of thing it is, such as `animals`. */
  readonly group?: string;
}

/** Reads the lines of a JSONL file, the caption of each under `key`. Throws EngineError `captions-invalid`. */
export function parseLines(name: string, text: string, key: string): CaptionLine[] {
  const lines = text
    .split('\n')
    .map((line, i) => ({ number: i + 1, line: line.trim() }))
    .filter(({ line }) => line !== '')
    .map(({ number, line }) => parseLine(`${name}, line ${number}`, number, { line, key }));
  if (lines.length === 0) refuse(`${name} has no lines: expected one for each caption`);
  return lines;
}

function parseLine(
  where: string,
  number: number,
  { line, key }: { readonly line: string; readonly key: string },
): CaptionLine {
  const fields = parseObject(where, line);
  const textOf = (name: string) => {
    const value = fields[name];
    if (value === undefined || typeof value === 'string') return value;
    return refuse(`${where}: ${name} is ${JSON.stringify(value)}: expected a text`);
  };
  // One line of text: line breaks are where captions end.
  const caption = textOf(key)?.replace(/\s+/g, ' ').trim();
  if (!caption) {
    const texts = Object.keys(fields).filter((field) => typeof fields[field] === 'string');
    return refuse(`${where}: there is no text under ${key}; it has [${texts.join(', ')}]`);
  }
  const [image, audio, split] = [textOf('image'), textOf('audio'), textOf('split')];
  const { group } = fields;
  return {
    number,
    caption,
    ...(image !== undefined && { image }),
    ...(audio !== undefined && { audio }),
    ...(split !== undefined && { split }),
    ...(typeof group === 'string' && { group }),
  };
}

function parseObject(where: string, line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = parseJson(line);
    // An object whose values are looked at one by one.
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  return refuse(`${where} is no JSON object: ${JSON.stringify(line.slice(0, 60))}`);
}
