import type { TextTokenizer } from '../data/tokenizers/text-tokenizer.ts';
import { EngineError } from '../errors.ts';

/** Figures of a language model. Bits per character and byte compare models with different tokens. */
interface TextFigures {
  readonly tokens: number;
  readonly characters: number;
  readonly bytes: number;
  readonly natsPerToken: number;
  /** `exp(natsPerToken)`: the number of equally likely tokens that would be as hard to tell. */
  readonly perplexity: number;
  readonly natsPerCharacter: number;
  readonly bitsPerCharacter: number;
  readonly natsPerByte: number;
  readonly bitsPerByte: number;
}

/** The text that some tokens stand for. */
interface TextSize {
  /** Code points. */
  readonly characters: number;
  /** In UTF-8. */
  readonly bytes: number;
}

interface TextMeter {
  /** Negative log-likelihoods in nats of tokens, and the size of their text. Infinity is a loss, NaN is none. */
  add(losses: ArrayLike<number>, size: TextSize): void;
  /** Of all that has been added; null before anything was. */
  figures(): TextFigures | null;
}

/** Adds up a text of any length in constant memory. */
export function createTextMeter(): TextMeter {
  let [nats, tokens, characters, bytes] = [0, 0, 0, 0];
  return {
    add(losses, size) {
      checkSize(size, losses.length);
      const sum = sumOf(losses);
      nats += sum;
      tokens += losses.length;
      characters += size.characters;
      bytes += size.bytes;
    },
    figures() {
      if (tokens === 0) return null;
      return {
        tokens,
        characters,
        bytes,
        natsPerToken: nats / tokens,
        perplexity: Math.exp(nats / tokens),
        natsPerCharacter: nats / characters,
        bitsPerCharacter: nats / characters / Math.LN2,
        natsPerByte: nats / bytes,
        bitsPerByte: nats / bytes / Math.LN2,
      };
    },
  };
}

function sumOf(losses: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < losses.length; i++) {
    const loss = losses[i] ?? Number.NaN;
    if (!(loss >= 0)) {
      throw new EngineError(
        'invalid-setting',
        `the loss of token ${i} is ${loss}: expected at least 0 nats`,
      );
    }
    sum += loss;
  }
  return sum;
}

/** A token may stand for a part of a character, so that a piece may have tokens and bytes but no character. */
function checkSize({ characters, bytes }: TextSize, tokens: number): void {
  const areCounts = [characters, bytes].every((count) => Number.isSafeInteger(count) && count >= 0);
  if (!areCounts || bytes < characters || (tokens === 0) !== (bytes === 0)) {
    throw new EngineError(
      'invalid-setting',
      `a text of ${characters} characters and ${bytes} bytes for ${tokens} tokens: ` +
        'expected whole numbers, at least a byte for each character, and bytes where there are tokens',
    );
  }
}

/** The text that each token stands for, by its id. */
export interface TokenSizes {
  /** Code points that begin in the token: 0 for the later bytes of one. */
  readonly characters: Uint32Array;
  /** In UTF-8. */
  readonly bytes: Uint32Array;
}

export function tokenSizes({ size, bytesOf }: Pick<TextTokenizer, 'size' | 'bytesOf'>): TokenSizes {
  const sizes = { characters: new Uint32Array(size), bytes: new Uint32Array(size) };
  for (let id = 0; id < size; id++) {
    const bytes = bytesOf(id);
    sizes.bytes[id] = bytes.length;
    sizes.characters[id] = bytes.filter(beginsCharacter).length;
  }
  return sizes;
}

/** All but the continuation bytes of UTF-8. */
const beginsCharacter = (byte: number): boolean => (byte & 0xc0) !== 0x80;

/** The text that tokens stand for together, however they cut its characters. */
export function sizeOfTokens(tokens: ArrayLike<number>, sizes: TokenSizes): TextSize {
  let [characters, bytes] = [0, 0];
  for (let i = 0; i < tokens.length; i++) {
    const id = tokens[i] ?? 0;
    characters += sizes.characters[id] ?? 0;
    bytes += sizes.bytes[id] ?? 0;
  }
  return { characters, bytes };
}
