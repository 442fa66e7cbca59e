import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { EngineError } from '../../errors.ts';
import type { ByteSource } from '../files/byte-source.ts';
import { CharacterCount } from '../text/character-count.ts';
import { type NormalStep, stepsOf } from '../text/normalise.ts';
import {
  type PreparedText,
  prepareText,
  type ReadOptions,
  type TextPreparation,
} from '../text/prepared-text.ts';
import { knownCharacters } from '../tokenizers/known-characters.ts';
import type { TokenEncoder } from '../tokenizers/text-tokenizer.ts';
import { learnTokenizer, type Tokenizer, wordsFor } from '../tokenizers/tokenizer.ts';
import type { TokenRange } from './corpus.ts';
import type { Corpus, CorpusOptions } from './corpus.ts';
import { openBlobStore, type TokenStore } from './token-store.ts';

/**
 * Opens any text as tokens. It is read once for its tokenizer, where none is given, and once to be
 * encoded, chunk by chunk, into a store; windows are read from that. Throws as `prepareText`,
 * `learnTokenizer` and the tokenizer's `encode`, and EngineError `text-too-short` for an empty text.
 */
export async function openTokenCorpus(
  sources: readonly ByteSource[],
  options: CorpusOptions,
): Promise<Corpus> {
  const { signal, preparation = {}, learn = { kind: 'character' } } = options;
  const hashed = sources.map(hashedSource);
  const text = await prepareText(hashed, preparation, signal);
  const passes = options.tokenizer ? 1 : 2;
  const pass = (index: number) => notEmpty(text, optionsOfPass(options, text, { index, passes }));
  const tokenizer =
    options.tokenizer ??
    (await learnTokenizer(learn, pass(0), { signal, steps: stepsFor(preparation) }));
  const store = await (options.openStore ?? openBlobStore)();
  try {
    const { encoder, unknown } = encoderFor(tokenizer, options);
    const Words = wordsFor(tokenizer);
    const { length, count } = await storeTokens(pass(passes - 1), { encoder, Words, store });
    return {
      name: text.name,
      digest: digestOfAll(hashed),
      length,
      characters: count.characters,
      distinct: count.distinct,
      unknown: unknown(),
      encodings: text.encodings,
      preparation,
      tokenizer,
      read: (start, end) => readTokens(store, tokenizer, { start, end }),
      close: () => store.close(),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The normalisation steps of a preparation, which prompts go through, too. */
function stepsFor({ normalise = 'none' }: TextPreparation): readonly NormalStep[] {
  return normalise === 'none' ? [] : stepsOf(normalise === 'nfc' ? 'NFC' : 'NFKC');
}

function encoderFor(tokenizer: Tokenizer, { unknown }: CorpusOptions) {
  if (unknown !== 'leave out') return { encoder: tokenizer.openEncoder(), unknown: () => 0 };
  const known = knownCharacters(tokenizer);
  return { encoder: known.openEncoder(), unknown: known.unknown };
}

/** Progress goes from nothing to all bytes once, over all passes. */
function optionsOfPass(
  { signal, onProgress }: CorpusOptions,
  { bytes: size }: PreparedText,
  { index, passes }: { readonly index: number; readonly passes: number },
): ReadOptions {
  const told = (bytes: number) => onProgress?.(Math.floor((index * size + bytes) / passes));
  return { signal, onProgress: told };
}

async function* notEmpty(text: PreparedText, options: ReadOptions): AsyncGenerator<string> {
  let isEmpty = true;
  for await (const piece of text.read(options)) {
    isEmpty &&= piece === '';
    yield piece;
  }
  if (isEmpty) throw emptyText(text.name);
}

export function emptyText(name: string): EngineError {
  return new EngineError('text-too-short', `${name} is empty: expected text to learn from`);
}

interface Storing {
  readonly encoder: TokenEncoder;
  readonly Words: ReturnType<typeof wordsFor>;
  readonly store: TokenStore;
}

async function storeTokens(
  pieces: AsyncIterable<string>,
  { encoder, Words, store }: Storing,
): Promise<{ readonly length: number; readonly count: CharacterCount }> {
  const count = new CharacterCount();
  let length = 0;
  const keep = async (tokens: Uint32Array) => {
    length += tokens.length;
    const words = new Words(tokens);
    await store.append(new Uint8Array(words.buffer));
  };
  for await (const piece of pieces) {
    count.take(piece);
    await keep(encoder.push(piece));
  }
  await keep(encoder.end());
  return { length, count };
}

async function readTokens(
  store: TokenStore,
  tokenizer: Tokenizer,
  { start, end }: TokenRange,
): Promise<Uint32Array> {
  const Words = wordsFor(tokenizer);
  const width = Words.BYTES_PER_ELEMENT;
  const bytes = await store.read(start * width, end * width);
  return new Uint32Array(new Words(bytes.buffer, 0, bytes.length / width));
}

interface HashedSource extends ByteSource {
  /** SHA-256 of the bytes in hexadecimal, once all of them were read. */
  digest(): string;
}

/** Hashes a source while it is read from end to end; bytes that are read twice count once. */
function hashedSource(source: ByteSource): HashedSource {
  const hash = sha256.create();
  let hashed = 0;
  return {
    name: source.name,
    size: source.size,
    async read(start, end, into) {
      const bytes = await source.read(start, end, into);
      if (start <= hashed && hashed < start + bytes.length) {
        hash.update(bytes.subarray(hashed - start));
        hashed = start + bytes.length;
      }
      return bytes;
    },
    digest: () => bytesToHex(hash.clone().digest()),
  };
}

/** The digest of several files in their order: of one, its own. */
function digestOfAll(sources: readonly HashedSource[]): string {
  const digests = sources.map((source) => source.digest());
  const [only, ...others] = digests;
  if (only !== undefined && others.length === 0) return only;
  return bytesToHex(sha256(new TextEncoder().encode(digests.join('\n'))));
}
