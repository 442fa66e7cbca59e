import type { ByteSource } from '../files/byte-source.ts';
import { CharacterCount } from '../text/character-count.ts';
import type { TextEncodingName } from '../text/encoding.ts';
import { type FilterTally, prepareText, type TextPreparation } from '../text/prepared-text.ts';
import { learnTokenizer, type Tokenizer, type TokenizerChoice } from '../tokenizers/tokenizer.ts';

/** Statistics of a text before training. */
export interface TextReport {
  readonly name: string;
  readonly bytes: number;
  readonly files: readonly {
    readonly name: string;
    readonly bytes: number;
    readonly encoding: TextEncodingName;
  }[];
  /** Of the prepared text. */
  readonly characters: number;
  readonly distinct: number;
  readonly lines: number;
  /** Characters into and out of each filter, in the order of the filters. */
  readonly filters: readonly Readonly<FilterTally>[];
  readonly tokenizer: { readonly kind: Tokenizer['kind']; readonly size: number };
  readonly tokens: number;
}

interface InspectOptions {
  readonly preparation: TextPreparation;
  readonly tokenizer?: Tokenizer;
  /** Tokenizer to learn if none is given. */
  readonly learn: TokenizerChoice;
}

/**
 * Reads a text once, in bounded memory, and reports on it. Throws as `openCorpus`, except for an empty text.
 */
export async function inspectText(
  sources: readonly ByteSource[],
  { preparation, learn, ...options }: InspectOptions,
): Promise<TextReport> {
  const text = await prepareText(sources, preparation);
  const tokenizer = options.tokenizer ?? (await learnTokenizer(learn, text.read()));
  const encoder = tokenizer.openEncoder();
  const filters: FilterTally[] = [];
  const count = new CharacterCount();
  let [tokens, lineEnds, last] = [0, 0, '\n'];
  for await (const piece of text.read({ tallies: filters })) {
    count.take(piece);
    tokens += encoder.push(piece).length;
    lineEnds += piece.split('\n').length - 1;
    last = piece;
  }
  tokens += encoder.end().length;
  return {
    name: text.name,
    bytes: text.bytes,
    files: sources.map(({ name, size }, i) => ({
      name,
      bytes: size,
      encoding: text.encodings[i] ?? 'utf-8',
    })),
    characters: count.characters,
    distinct: count.distinct,
    lines: lineEnds + (last.endsWith('\n') ? 0 : 1),
    filters,
    tokenizer: { kind: tokenizer.kind, size: tokenizer.size },
    tokens,
  };
}
