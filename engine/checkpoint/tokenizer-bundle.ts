import * as z from 'zod/mini';
import { createBpeTokenizer } from '../data/tokenizers/bpe-tokenizer.ts';
import { decodeTokenizer, encodeTokenizer } from '../data/tokenizers/bpe-file.ts';
import { decodeCharacters, encodeCharacters } from '../data/tokenizers/character-file.ts';
import { createCharacterTokenizer } from '../data/tokenizers/character-tokenizer.ts';
import { type Tokenizer, unitOf } from '../data/tokenizers/tokenizer.ts';
import { EngineError } from '../errors.ts';
import { decodeJson, digestOf, parseFile } from './files.ts';
import type { TokenizerReference } from './spec-members.ts';

/** The one file of a tokenizer, in the form of the Hugging Face tokenizers library. */
export const TOKENIZER_FILE = 'tokenizer.json';

/** Of the form of the file and of what its parts mean. */
const REVISION = '1';

/** The form of our own that characters had before 2026-11-23. */
const Characters = z.object({
  name: z.literal('character'),
  revision: z.literal(REVISION),
  characters: z.array(z.string()),
});

/** The files that tokenizers were read from, retained byte for byte so that digests do not change. */
const read = new WeakMap<Tokenizer, Uint8Array<ArrayBuffer>>();

/** The tokenizer's file and its digest, which the model_spec names. */
export function tokenizerFile(tokenizer: Tokenizer) {
  const bytes = encodeFile(tokenizer);
  return { bytes, digest: digestOf(bytes) };
}

function encodeFile(tokenizer: Tokenizer): Uint8Array<ArrayBuffer> {
  const known = read.get(tokenizer);
  if (known) return known;
  const utf8 = new TextEncoder();
  if (tokenizer.kind === 'character') return utf8.encode(encodeCharacters(tokenizer));
  if (!tokenizer.model.form) return utf8.encode(encodeTokenizer(tokenizer.model, tokenizer.steps));
  throw new Error('a tokenizer that is not ours was not read from a file');
}

/** The reference to a tokenizer in a model_spec. */
export function tokenizerReferenceOf(tokenizer: Tokenizer): TokenizerReference {
  const { digest } = tokenizerFile(tokenizer);
  return { name: tokenizer.kind, revision: REVISION, files_sha256: { [TOKENIZER_FILE]: digest } };
}

/**
 * Reads a tokenizer's file of either kind, which its contents tell. Throws EngineError
 * `checkpoint-damaged` that says what in it is not as expected.
 */
export function readTokenizer(bytes: Uint8Array): Tokenizer {
  const tokenizer = decodeFile(bytes);
  read.set(tokenizer, bytes.slice());
  return tokenizer;
}

const Kind = z.object({ model: z.object({ type: z.string() }) });

function decodeFile(bytes: Uint8Array): Tokenizer {
  const json = decodeJson(TOKENIZER_FILE, bytes);
  if (typeof json === 'object' && json !== null && 'characters' in json) return decodeOldForm(json);
  const { type } = parseFile(TOKENIZER_FILE, Kind, json).model;
  if (type === 'WordLevel') return decodeCharacters(json);
  const { model, steps } = decodeTokenizer(new TextDecoder().decode(bytes));
  return createBpeTokenizer(model, steps);
}

function decodeOldForm(json: object): Tokenizer {
  const { characters } = parseFile(TOKENIZER_FILE, Characters, json);
  const tokenizer = createCharacterTokenizer(characters);
  if (characters.some((character, id) => character !== tokenizer.characters[id])) {
    throw new EngineError(
      'checkpoint-damaged',
      `${TOKENIZER_FILE}: expected distinct single characters in code point order`,
    );
  }
  return tokenizer;
}

/**
 * Reads the tokenizer that belongs to a model. Throws as `readTokenizer`, and `checkpoint-mismatch`
 * where kind, size or digest are not those that the model_spec names.
 */
export function tokenizerOf(
  spec: { readonly tokenizer: TokenizerReference; readonly vocab_size: number },
  bytes: Uint8Array,
): Tokenizer {
  const tokenizer = readTokenizer(bytes);
  const { name, files_sha256 } = spec.tokenizer;
  if (tokenizer.kind !== name) {
    mismatch(`is of the kind ${tokenizer.kind}, model_spec.json says ${name}`);
  }
  if (tokenizer.size !== spec.vocab_size) {
    mismatch(`has ${tokenizer.size} ${unitOf(tokenizer)}, model_spec.json says ${spec.vocab_size}`);
  }
  const digest = digestOf(bytes);
  const expected = files_sha256[TOKENIZER_FILE];
  if (digest !== expected) mismatch(`has the sha256 ${digest}, model_spec.json names ${expected}`);
  return tokenizer;
}

/**
 * The identity of a vocabulary as JSON: the text of each id. The tokenizer's digest also covers
 * how text is cut.
 */
export function vocabularyOf(tokenizer: Tokenizer): Record<string, unknown> {
  const { size } = tokenizer;
  if (tokenizer.kind === 'character') {
    return { vocab_size: size, characters: tokenizer.characters };
  }
  const tokens = tokenizer.model.tokens.map((bytes) => Array.from(bytes));
  return { vocab_size: size, tokens };
}

function mismatch(what: string): never {
  throw new EngineError('checkpoint-mismatch', `${TOKENIZER_FILE} ${what}`);
}
