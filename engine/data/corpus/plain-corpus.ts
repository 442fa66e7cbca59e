import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { EngineError } from '../../errors.ts';
import { type ByteSource, readInChunks } from '../files/byte-source.ts';
import {
  type CharacterTokenizer,
  createCharacterTokenizer,
  unknownCharacter,
} from '../tokenizers/character-tokenizer.ts';
import type { Corpus, CorpusOptions } from './corpus.ts';
import { CODE_POINTS, LAST_SINGLE_UNIT, markedCharacters } from '../text/character-count.ts';
import { emptyText } from './token-corpus.ts';

export interface PlainOptions {
  readonly tokenizer: CharacterTokenizer | undefined;
  readonly onProgress: CorpusOptions['onProgress'] | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Characters between two entries of the index from characters to bytes. */
const MARK_CHARACTERS = 1 << 14;
const BYTE_ORDER_MARK = 0xfeff;
const BYTE_ORDER_MARK_BYTES = 3;

/**
 * Opens a text of one file in UTF-8 whose tokens are its characters: it needs no store, as the index of a
 * character leads to its byte. Reads it once: counts its characters, collects the alphabet, indexes and
 * hashes it. Throws EngineError `text-too-short` for an empty text, `text-invalid` if it is not UTF-8,
 * `unknown-character` for one that a given tokenizer lacks.
 */
export async function openPlainCorpus(source: ByteSource, options: PlainOptions): Promise<Corpus> {
  const { characters, alphabet, marks, digest } = await scan(source, options);
  if (characters === 0) throw emptyText(source.name);
  const tokenizer = options.tokenizer ?? createCharacterTokenizer(alphabet);
  return {
    name: source.name,
    digest,
    length: characters,
    characters,
    distinct: alphabet.length,
    unknown: 0,
    encodings: ['utf-8'],
    preparation: {},
    tokenizer,
    async read(start, end) {
      const tokens = new Uint32Array(Math.max(0, Math.min(end, characters) - start));
      // Mark by mark: the text of a long range would be garbage of several times its size.
      for (let mark = Math.floor(start / MARK_CHARACTERS); mark * MARK_CHARACTERS < end; mark++) {
        const bytes = await source.read(marks[mark] ?? source.size, marks[mark + 1] ?? source.size);
        const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
        const first = mark * MARK_CHARACTERS;
        const between = tokenizer.encode(text).subarray(Math.max(0, start - first), end - first);
        tokens.set(between, Math.max(0, first - start));
      }
      return tokens;
    },
    async close() {},
  };
}

interface Scan {
  readonly characters: number;
  readonly alphabet: readonly string[];
  /** Byte offset of every MARK_CHARACTERS-th character. */
  readonly marks: readonly number[];
  readonly digest: string;
}

async function scan(source: ByteSource, options: PlainOptions): Promise<Scan> {
  const { onProgress, signal, tokenizer } = options;
  const hash = sha256.create();
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const seen = new Uint8Array(CODE_POINTS);
  const marks: number[] = [];
  let characters = 0;
  let byte = 0;
  const take = (text: string) => {
    // By index, as iterating a string allocates one for every character: 130 MB of garbage at a time.
    for (let i = 0, code = 0; i < text.length; i += code > LAST_SINGLE_UNIT ? 2 : 1) {
      code = text.codePointAt(i) ?? 0;
      if (byte === 0 && code === BYTE_ORDER_MARK) {
        byte = BYTE_ORDER_MARK_BYTES;
        continue;
      }
      if (characters % MARK_CHARACTERS === 0) marks.push(byte);
      if (seen[code] === 0) {
        if (tokenizer && tokenizer.idOf(code) === undefined) {
          throw unknownCharacter(code, characters);
        }
        seen[code] = 1;
      }
      characters++;
      byte += encodedLength(code);
    }
  };
  for await (const { bytes, start, end } of readInChunks(source, signal)) {
    hash.update(bytes);
    take(decodeChunk(decoder, bytes, { start, name: source.name }));
    onProgress?.(end);
  }
  take(decodeChunk(decoder, undefined, { start: source.size, name: source.name }));
  return { characters, alphabet: markedCharacters(seen), marks, digest: bytesToHex(hash.digest()) };
}

function decodeChunk(
  decoder: TextDecoder,
  bytes: Uint8Array | undefined,
  { start, name }: { start: number; name: string },
): string {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch (error) {
    const end = start + (bytes?.length ?? 0);
    throw new EngineError(
      'text-invalid',
      `${name} is not UTF-8 text: bytes ${Math.max(0, start - 3)} to ${end} cannot be decoded`,
      { cause: error },
    );
  }
}

/** Bytes of a code point in UTF-8. */
function encodedLength(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}
