import * as z from 'zod/mini';
import { EngineError } from '../../errors.ts';
import { type BpeModel, BYTE_TOKENS, type Merge } from './bpe-model.ts';
import { MOST_TOKENS } from './pair-queue.ts';
import { PIECE_PATTERN } from './pieces.ts';

const ABSENT = z.nullish(z.null());
const SWITCHED_OFF = z.optional(z.literal(false));

/** `tokenizer.json` of the Hugging Face tokenizers library, as far as its parts mean what ours do. */
const TokenizerFile = z.object({
  added_tokens: z.optional(z.array(z.unknown()).check(z.maxLength(0))),
  normalizer: ABSENT,
  pre_tokenizer: z.object({
    type: z.literal('Sequence'),
    pretokenizers: z.tuple([
      z.object({
        type: z.literal('Split'),
        pattern: z.object({ Regex: z.literal(PIECE_PATTERN) }),
        behavior: z.literal('Isolated'),
        invert: z.literal(false),
      }),
      z.object({
        type: z.literal('ByteLevel'),
        add_prefix_space: z.literal(false),
        use_regex: z.literal(false),
      }),
    ]),
  }),
  decoder: z.object({ type: z.literal('ByteLevel') }),
  model: z.object({
    type: z.literal('BPE'),
    dropout: ABSENT,
    unk_token: ABSENT,
    continuing_subword_prefix: ABSENT,
    end_of_word_suffix: ABSENT,
    byte_fallback: SWITCHED_OFF,
    ignore_merges: SWITCHED_OFF,
    // Not a record: that would lose a token named __proto__.
    vocab: z.custom<object>((value) => typeof value === 'object' && value !== null),
    /** Two tokens with a space between, or in newer files a pair of them. */
    merges: z.array(z.union([z.string(), z.tuple([z.string(), z.string()])])),
  }),
});

/**
 * The letter that stands for each byte in the file, so that every token can be printed: itself
 * where it can be seen in Latin-1, one from U+0100 on for the others, in order.
 */
const LETTERS: readonly string[] = (() => {
  let next = 0x100;
  return Array.from({ length: BYTE_TOKENS }, (_, byte) => {
    const isSeen = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
    return String.fromCharCode(isSeen ? byte : next++);
  });
})();
const BYTE_OF = new Map(LETTERS.map((letter, byte) => [letter, byte]));

const lettersOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => LETTERS[byte]).join('');

/** Writes a model as `tokenizer.json`. */
export function encodeTokenizer({ tokens, merges }: BpeModel): string {
  const names = tokens.map(lettersOf);
  const file = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [
        { type: 'Split', pattern: { Regex: PIECE_PATTERN }, behavior: 'Isolated', invert: false },
        { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false },
      ],
    },
    post_processor: null,
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: false,
      vocab: Object.fromEntries(names.map((name, id) => [name, id])),
      merges: merges.map(({ left, right }) => `${names[left]} ${names[right]}`),
    },
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/**
 * Reads what `encodeTokenizer` or another writer of the same parts has written. Throws EngineError
 * `checkpoint-damaged` that says what in it is not as expected.
 */
export function decodeTokenizer(json: string): BpeModel {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw damaged('it is not JSON', error);
  }
  const parsed = z.safeParse(TokenizerFile, value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw damaged(`${issue?.path.join('.')}: ${issue?.message}`);
  }
  const { vocab, merges } = parsed.data.model;
  const ids = readVocabulary(vocab);
  const tokens: Uint8Array[] = [];
  for (const [name, id] of ids) tokens[id] = bytesNamed(name);
  for (const letter of LETTERS) idNamed(ids, letter);
  return { tokens, merges: merges.map((merge) => readMerge(ids, merge)) };
}

/** Ids by name, numbered from 0 on without a gap. */
function readVocabulary(vocab: object): ReadonlyMap<string, number> {
  const entries: [string, unknown][] = Object.entries(vocab);
  const ids = new Map<string, number>();
  const taken = new Set<number>();
  if (entries.length > MOST_TOKENS) {
    throw damaged(`it has ${entries.length} tokens, expected at most ${MOST_TOKENS}`);
  }
  for (const [name, id] of entries) {
    if (typeof id !== 'number' || !Number.isInteger(id) || id < 0 || id >= entries.length) {
      throw damaged(
        `the id of ${JSON.stringify(name)} is ${JSON.stringify(id)}, expected 0 to ${entries.length - 1}`,
      );
    }
    if (taken.has(id)) throw damaged(`two tokens have the id ${id}`);
    taken.add(id);
    ids.set(name, id);
  }
  return ids;
}

function bytesNamed(name: string): Uint8Array {
  const bytes = Array.from(name, (letter) => {
    const byte = BYTE_OF.get(letter);
    if (byte === undefined) {
      throw damaged(`${JSON.stringify(letter)} in ${JSON.stringify(name)} stands for no byte`);
    }
    return byte;
  });
  if (bytes.length === 0) throw damaged('a token is empty');
  return Uint8Array.from(bytes);
}

function readMerge(ids: ReadonlyMap<string, number>, merge: string | [string, string]): Merge {
  const parts = typeof merge === 'string' ? merge.split(' ') : merge;
  const [left, right] = parts;
  if (left === undefined || right === undefined || parts.length !== 2) {
    throw damaged(`the merge ${JSON.stringify(merge)} is not of two tokens`);
  }
  return {
    left: idNamed(ids, left),
    right: idNamed(ids, right),
    merged: idNamed(ids, left + right),
  };
}

function idNamed(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw damaged(`the token ${JSON.stringify(name)} is missing`);
  return id;
}

function damaged(message: string, cause?: unknown): EngineError {
  return new EngineError('checkpoint-damaged', `tokenizer.json cannot be read: ${message}`, {
    cause,
  });
}
