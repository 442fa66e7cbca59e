import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  readTokenizer,
  tokenizerFile,
  tokenizerOf,
  tokenizerReferenceOf,
  vocabularyOf,
} from '../../engine/checkpoint/tokenizer-bundle.ts';
import { createCharacterTokenizer } from '../../engine/data/tokenizers/character-tokenizer.ts';
import {
  learnTokenizer,
  type Tokenizer,
  TOKENIZER_KINDS,
} from '../../engine/data/tokenizers/tokenizer.ts';
import { partLengths, partsOf } from './text-parts.ts';

const SAMPLE =
  'It rains. 山の駅に雨が降る、雨の駅に。\n\u{1F600}\u{20BB7} \u{FEFF}雨 the rain, the rain\n';
const text = fc
  .array(fc.constantFrom(...SAMPLE, '雨の駅', ' the', '\u{1F600}'), { maxLength: 40 })
  .map((parts) => parts.join(''));

const learned = async (kind: Tokenizer['kind'], sample = SAMPLE): Promise<Tokenizer> =>
  learnTokenizer(
    kind === 'bpe' ? { kind, vocabulary: 280 } : { kind },
    (async function* () {
      yield sample;
    })(),
  );

describe.each(TOKENIZER_KINDS)('a tokenizer of the kind %s', (kind) => {
  let tokenizer: Tokenizer;
  beforeAll(async () => {
    tokenizer = await learned(kind);
  });

  it('gives the same tokens of a text in parts, wherever they end, in pairs of surrogates too', () => {
    fc.assert(
      fc.property(text, partLengths, (written, lengths) => {
        const encoder = tokenizer.openEncoder();
        const ids = partsOf(written, lengths).flatMap((part) => [...encoder.push(part)]);
        expect([...ids, ...encoder.end()]).toEqual([...tokenizer.encode(written)]);
      }),
    );
  });

  it('gives the text back token by token, with no half of a character in between', () => {
    fc.assert(
      fc.property(text, (written) => {
        const decoder = tokenizer.openDecoder();
        const pieces = Array.from(tokenizer.encode(written), (id) => decoder.push([id]));

        expect(pieces.join('') + decoder.end()).toBe(written);
        expect(pieces.join('')).not.toContain('\u{FFFD}');
        expect(tokenizer.decode(tokenizer.encode(written))).toBe(written);
      }),
    );
  });

  it('gives the bytes of each token, which together are the text in UTF-8', () => {
    fc.assert(
      fc.property(text, (written) => {
        const bytes = Array.from(tokenizer.encode(written), (id) => [...tokenizer.bytesOf(id)]);
        expect(bytes.flat()).toEqual([...new TextEncoder().encode(written)]);
      }),
    );
    expect([...tokenizer.bytesOf(tokenizer.size)]).toEqual([0xef, 0xbf, 0xbd]);
  });

  it('begins a text that nothing is before as after a line break', () => {
    expect(tokenizer.decode([tokenizer.start])).toBe('\n');
  });

  it('is the same again from its file, which has the digest that the model_spec names', () => {
    const { bytes, digest } = tokenizerFile(tokenizer);
    const reference = tokenizerReferenceOf(tokenizer);

    const read = tokenizerOf({ tokenizer: reference, vocab_size: tokenizer.size }, bytes);

    expect(reference).toMatchObject({ name: kind, files_sha256: { 'tokenizer.json': digest } });
    expect(read.kind).toBe(kind);
    expect(vocabularyOf(read)).toEqual(vocabularyOf(tokenizer));
    expect(read.encode(SAMPLE)).toEqual(tokenizer.encode(SAMPLE));
  });

  it('is refused by name where the model_spec says another kind or size', () => {
    const { bytes } = tokenizerFile(tokenizer);
    const reference = tokenizerReferenceOf(tokenizer);
    const other = kind === 'bpe' ? 'character' : 'bpe';

    expect(() =>
      tokenizerOf({ tokenizer: { ...reference, name: other }, vocab_size: 1 }, bytes),
    ).toThrow(`tokenizer.json is of the kind ${kind}, model_spec.json says ${other}`);
    expect(() => tokenizerOf({ tokenizer: reference, vocab_size: 7 }, bytes)).toThrow(
      /^tokenizer.json has \d+ (characters|tokens), model_spec.json says 7$/,
    );
  });
});

describe('the identity of a vocabulary', () => {
  it('differs between two tokenizers of the same size', async () => {
    const bpe = [SAMPLE, 'x y z x y z x y z x y z'.repeat(9)].map((sample) =>
      learned('bpe', sample),
    );
    const characters = ['abc', 'abd'].map((alphabet) => createCharacterTokenizer(alphabet));
    for (const [a, b] of [await Promise.all(bpe), characters]) {
      expect(vocabularyOf(a!)).not.toEqual(vocabularyOf(b!));
    }
  });

  it('is read only from a tokenizer.json whose parts are known', () => {
    const bytes = new TextEncoder().encode('{"model": {"type": "Unigram"}}');
    expect(() => readTokenizer(bytes)).toThrow('tokenizer.json cannot be read: pre_tokenizer');
  });
});
