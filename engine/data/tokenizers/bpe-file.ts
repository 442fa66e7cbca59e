import * as z from 'zod/mini';
import { parseJson, reasonOf } from '../files/json.ts';
import type { NormalStep } from '../text/normalise.ts';
import {
  damagedTokenizer,
  decodeAddedTokens,
  decodeSteps,
  encodeSteps,
  FILE_HEAD,
  parsePart,
} from './tokenizer-json.ts';
import { type BpeForm, type BpeModel, BYTE_TOKENS, type Merge } from './bpe-model.ts';
import { MAX_TOKENS } from './pair-queue.ts';
import { checkPattern } from './pattern-check.ts';
import { compilePattern, PIECE_PATTERN } from './splitters.ts';

/** `null`, or the empty text that older files have there. */
const ABSENT = z.nullish(z.literal(''));
const SWITCHED_OFF = z.optional(z.literal(false));

/** `tokenizer.json` of the Hugging Face tokenizers library, as far as it is BPE on bytes. */
const TokenizerFile = z.object({
  added_tokens: z.optional(z.unknown()),
  normalizer: z.optional(z.unknown()),
  pre_tokenizer: z.looseObject({ type: z.string() }),
  decoder: z.object({ type: z.literal('ByteLevel') }),
  model: z.object({
    type: z.literal('BPE'),
    dropout: z.nullish(z.literal(0)),
    // Every byte has a token, so that nothing is unknown.
    unk_token: z.nullish(z.string()),
    continuing_subword_prefix: ABSENT,
    end_of_word_suffix: ABSENT,
    byte_fallback: SWITCHED_OFF,
    ignore_merges: z.prefault(z.boolean(), false),
    // Not a record: that would lose a token named __proto__.
    vocab: z.custom<object>((value) => typeof value === 'object' && value !== null),
    /** Two tokens with a space between, or in newer files a pair of them. */
    merges: z.array(z.union([z.string(), z.tuple([z.string(), z.string()])])),
  }),
});

const ByteLevel = z.object({
  type: z.literal('ByteLevel'),
  add_prefix_space: z.boolean(),
  // Files of before the field was there cut by the pattern.
  use_regex: z.prefault(z.boolean(), true),
});
const Split = z.object({
  type: z.literal('Split'),
  pattern: z.object({ Regex: z.string() }),
  behavior: z.literal('Isolated'),
  invert: z.literal(false),
});
const PreTokenizers = z.object({ pretokenizers: z.tuple([Split, ByteLevel]) });

/** GPT-2's pattern, which ByteLevel uses with use_regex. */
const GPT2_PATTERN =
  "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

/** The printable letter of each byte: itself if it is visible in Latin-1, else one from U+0100 on, in order. */
const LETTERS: readonly string[] = (() => {
  let next = 0x100;
  return Array.from({ length: BYTE_TOKENS }, (_, byte) => {
    const isSeen = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
    return String.fromCharCode(isSeen ? byte : next++);
  });
})();
const BYTE_OF = new Map(LETTERS.map((letter, byte) => [letter, byte]));

const lettersOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => LETTERS[byte]).join('');

/** Writes a model of ours as `tokenizer.json`. */
export function encodeTokenizer(
  { tokens, merges }: BpeModel,
  steps: readonly NormalStep[] = [],
): string {
  const names = tokens.map(lettersOf);
  const file = {
    ...FILE_HEAD,
    normalizer: encodeSteps(steps),
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

/** A byte-level BPE model and its normalisation. */
interface DecodedBpe {
  readonly model: BpeModel;
  readonly steps: readonly NormalStep[];
}

/**
 * Reads byte-level BPE, ours or that of others such as GPT-2. Throws EngineError `checkpoint-damaged` that
 * says what is not as expected. Tokens that a post-processor would add are not added.
 */
export function decodeTokenizer(json: string): DecodedBpe {
  let value: unknown;
  try {
    value = parseJson(json);
  } catch (error) {
    throw damagedTokenizer(`it is not JSON (${reasonOf(error)})`, error);
  }
  const { model, pre_tokenizer, ...file } = parsePart(TokenizerFile, value);
  const added = decodeAddedTokens(file.added_tokens);
  const names = readVocabulary(model.vocab);
  const tokens: Uint8Array[] = [];
  for (const { id, content } of added) tokens[id] = new TextEncoder().encode(content);
  for (const [name, id] of names) tokens[id] ??= bytesNamed(name);
  checkIds(tokens, names.size + added.length);
  for (const letter of LETTERS) idNamed(names, letter);
  const merges = model.merges.map((merge) => readMerge(names, merge));
  const cut = readCut(pre_tokenizer);
  const isOurs = cut === undefined && added.length === 0 && !model.ignore_merges;
  const form = { ...(cut ?? OUR_CUT), prefersWhole: model.ignore_merges, added };
  return {
    model: { tokens, merges, ...(!isOurs && { form }) },
    steps: decodeSteps(file.normalizer),
  };
}

type Cut = Pick<BpeForm, 'pattern' | 'hasPrefixSpace'>;
const OUR_CUT: Cut = { pattern: compilePattern(PIECE_PATTERN, 'g'), hasPrefixSpace: false };

/** How a text is cut; undefined where it is as ours are. */
function readCut(preTokenizer: { readonly type: string }): Cut | undefined {
  if (preTokenizer.type !== 'Sequence') return ofByteLevel(undefined, preTokenizer);
  const [split, bytes] = parsePart(PreTokenizers, preTokenizer, 'pre_tokenizer').pretokenizers;
  const { Regex: pattern } = split.pattern;
  if (pattern === PIECE_PATTERN && !bytes.use_regex && !bytes.add_prefix_space) return undefined;
  return ofByteLevel(pattern, bytes);
}

function ofByteLevel(pattern: string | undefined, bytes: unknown): Cut {
  const { add_prefix_space: hasPrefixSpace, use_regex: isCut } = parsePart(
    ByteLevel,
    bytes,
    'pre_tokenizer',
  );
  if (pattern !== undefined && (isCut || hasPrefixSpace)) {
    throw damagedTokenizer(
      'pre_tokenizer: ByteLevel behind a Split has use_regex and add_prefix_space true: expected false',
    );
  }
  const regex = pattern ?? (isCut ? GPT2_PATTERN : undefined);
  try {
    if (pattern !== undefined) checkPattern(pattern);
    return { hasPrefixSpace, pattern: regex === undefined ? regex : compilePattern(regex, 'g') };
  } catch (error) {
    throw damagedTokenizer(`pre_tokenizer: the pattern ${regex} cannot be read: ${error}`, error);
  }
}

/** Every id from 0 on has a token: those of the vocabulary and of added tokens, which may be the same. */
function checkIds(tokens: readonly Uint8Array[], max: number): void {
  const missing = Array.from(tokens).findIndex((token) => token === undefined);
  if (missing < 0 && tokens.length <= Math.min(max, MAX_TOKENS)) return;
  throw damagedTokenizer(
    `no token has the id ${missing < 0 ? max : missing} of ${tokens.length}: expected one for each`,
  );
}

/** Ids by name. */
function readVocabulary(vocab: object): ReadonlyMap<string, number> {
  const entries: [string, unknown][] = Object.entries(vocab);
  const ids = new Map<string, number>();
  const taken = new Set<number>();
  if (entries.length > MAX_TOKENS) {
    throw damagedTokenizer(`it has ${entries.length} tokens, expected at most ${MAX_TOKENS}`);
  }
  for (const [name, id] of entries) {
    if (typeof id !== 'number' || !Number.isInteger(id) || id < 0 || id >= MAX_TOKENS) {
      throw damagedTokenizer(
        `the id of ${JSON.stringify(name)} is ${JSON.stringify(id)}, expected 0 to ${MAX_TOKENS - 1}`,
      );
    }
    if (taken.has(id)) throw damagedTokenizer(`two tokens have the id ${id}`);
    taken.add(id);
    ids.set(name, id);
  }
  return ids;
}

function bytesNamed(name: string): Uint8Array {
  const bytes = Array.from(name, (letter) => {
    const byte = BYTE_OF.get(letter);
    if (byte === undefined) {
      throw damagedTokenizer(
        `${JSON.stringify(letter)} in ${JSON.stringify(name)} stands for no byte`,
      );
    }
    return byte;
  });
  if (bytes.length === 0) throw damagedTokenizer('a token is empty');
  return Uint8Array.from(bytes);
}

function readMerge(ids: ReadonlyMap<string, number>, merge: string | [string, string]): Merge {
  const parts = typeof merge === 'string' ? merge.split(' ') : merge;
  const [left, right] = parts;
  if (left === undefined || right === undefined || parts.length !== 2) {
    throw damagedTokenizer(`the merge ${JSON.stringify(merge)} is not of two tokens`);
  }
  return {
    left: idNamed(ids, left),
    right: idNamed(ids, right),
    merged: idNamed(ids, left + right),
  };
}

function idNamed(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw damagedTokenizer(`the token ${JSON.stringify(name)} is missing`);
  return id;
}
