import * as z from 'zod/mini';
import { type CharacterTokenizer, createCharacterTokenizer } from './character-tokenizer.ts';
import {
  damagedTokenizer,
  decodeSteps,
  encodeSteps,
  FILE_HEAD,
  parsePart,
} from './tokenizer-json.ts';

/** Every character is a piece, line breaks too. */
const SPLIT = {
  type: 'Split',
  pattern: { Regex: '[\\s\\S]' },
  behavior: 'Isolated',
  invert: false,
} as const;

const CharacterFile = z.object({
  added_tokens: z.optional(z.array(z.unknown()).check(z.maxLength(0))),
  normalizer: z.optional(z.unknown()),
  pre_tokenizer: z.object({ type: z.literal('Split'), pattern: z.object({ Regex: z.string() }) }),
  model: z.object({
    type: z.literal('WordLevel'),
    vocab: z.custom<object>((value) => typeof value === 'object' && value !== null),
  }),
});

/**
 * Writes an alphabet as `tokenizer.json` of the Hugging Face tokenizers library: words of one character,
 * without a token for unknown ones.
 */
export function encodeCharacters({ characters, steps }: CharacterTokenizer): string {
  const file = {
    ...FILE_HEAD,
    normalizer: encodeSteps(steps),
    pre_tokenizer: SPLIT,
    post_processor: null,
    decoder: { type: 'Fuse' },
    model: {
      type: 'WordLevel',
      vocab: Object.fromEntries(characters.map((character, id) => [character, id])),
      unk_token: '<unk>',
    },
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** Reads it again. Throws EngineError `checkpoint-damaged` for words that are not single characters in order. */
export function decodeCharacters(json: unknown): CharacterTokenizer {
  const { normalizer, pre_tokenizer, model } = parsePart(CharacterFile, json);
  if (pre_tokenizer.pattern.Regex !== SPLIT.pattern.Regex) {
    throw damagedTokenizer(
      `pre_tokenizer.pattern.Regex: got ${JSON.stringify(pre_tokenizer.pattern.Regex)}, expected ` +
        `${JSON.stringify(SPLIT.pattern.Regex)}, as words of WordLevel are single characters here`,
    );
  }
  const entries: [string, unknown][] = Object.entries(model.vocab);
  const tokenizer = createCharacterTokenizer(
    entries.map(([character]) => character),
    decodeSteps(normalizer),
  );
  for (const [character, id] of entries) {
    if (typeof id === 'number' && tokenizer.characters[id] === character) continue;
    throw damagedTokenizer(
      `model.vocab: the id of ${JSON.stringify(character)} is ${JSON.stringify(id)}: expected distinct ` +
        'single characters in code point order',
    );
  }
  return tokenizer;
}
