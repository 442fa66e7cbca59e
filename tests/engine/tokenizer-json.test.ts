import { readFileSync } from 'node:fs';
import { Tokenizer as Peer } from '@huggingface/tokenizers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTokenizer, tokenizerFile } from '../../engine/checkpoint/tokenizer-bundle.ts';
import { openCorpus } from '../../engine/data/corpus/open-corpus.ts';
import type { Tokenizer } from '../../engine/data/tokenizers/tokenizer.ts';
import { textSource } from './byte-sources.ts';
import { partLengths, partsOf } from './text-parts.ts';

/* The reference is the library whose form the files have: its JavaScript sibling here, Python's in the fixture. */

interface Golden {
  readonly files: readonly {
    readonly name: string;
    readonly tokenizer: object;
    readonly cases: readonly { readonly text: string; readonly ids: readonly number[] }[];
  }[];
}
const golden = JSON.parse(
  readFileSync(new URL('../golden/tokenizers.json', import.meta.url), 'utf8'),
) as Golden;

const read = (file: object) => readTokenizer(new TextEncoder().encode(JSON.stringify(file)));

/** The ids of a text that comes in parts. */
function inParts(tokenizer: Tokenizer, text: string, lengths: readonly number[]): number[] {
  const encoder = tokenizer.openEncoder();
  const ids = partsOf(text, lengths).flatMap((part) => [...encoder.push(part)]);
  return [...ids, ...encoder.end()];
}

describe.each(golden.files)('a tokenizer.json of others: $name', ({ tokenizer: file, cases }) => {
  it('gives the ids that Python gives, in whatever parts a text comes', () => {
    const tokenizer = read(file);

    for (const { text, ids } of cases) expect([...tokenizer.encode(text)], text).toEqual(ids);
    fc.assert(
      fc.property(fc.constantFrom(...cases), partLengths, ({ text, ids }, lengths) => {
        expect(inParts(tokenizer, text, lengths)).toEqual(ids);
      }),
    );
  });

  it('is stored unchanged, to the byte', () => {
    const bytes = new TextEncoder().encode(JSON.stringify(file));
    expect(tokenizerFile(readTokenizer(bytes)).bytes).toEqual(bytes);
  });
});

const SAMPLE =
  "It's raining, 1234 years.\r\n　雨の夜に駅に着いた。ｶﾞ Ａ\n\u{1F600} é e\u0301 \u0085\u{FEFF}x\n".repeat(
    3,
  );
const words = fc.constantFrom(...["it's", ' rain', '雨の', '駅', '12', ' ', '\n', 'ｶﾞ', 'e\u0301']);
const text = fc.array(words, { maxLength: 30 }).map((parts) => parts.join(''));

describe.each([
  ['character', 'none'],
  ['character', 'nfkc'],
  ['bpe', 'none'],
  ['bpe', 'nfc'],
] as const)('a tokenizer.json of ours: %s, normalised to %s', (kind, normalise) => {
  const open = async () => {
    const learn = kind === 'bpe' ? { kind, vocabulary: 320 } : { kind };
    const { tokenizer } = await openCorpus(textSource(SAMPLE), {
      learn,
      preparation: { normalise },
    });
    return tokenizer;
  };

  it('is read by the library, which gives the same ids and texts', async () => {
    const tokenizer = await open();
    const json: unknown = JSON.parse(new TextDecoder().decode(tokenizerFile(tokenizer).bytes));
    const peer = new Peer(json as object, {});

    const whole = [...tokenizer.encode(SAMPLE)];
    expect(peer.decode(whole)).toBe(tokenizer.decode(whole));
    const written = fc.oneof(text, fc.constant(SAMPLE));
    fc.assert(
      fc.property(kind === 'bpe' ? written : fc.constant(SAMPLE), (sample) => {
        const ids = [...tokenizer.encode(sample)];
        expect(peer.encode(sample, { add_special_tokens: false }).ids).toEqual(ids);
      }),
    );
  });

  it('normalises what it is given as the text was that it was made of', async () => {
    const tokenizer = await open();
    const again = readTokenizer(tokenizerFile(tokenizer).bytes);
    const form =
      normalise === 'none'
        ? (plain: string) => plain
        : (plain: string) => plain.replaceAll(/\r\n?/g, '\n').normalize(normalise.toUpperCase());

    expect(again.encode(SAMPLE)).toEqual(tokenizer.encode(SAMPLE));
    expect(again.steps).toEqual(tokenizer.steps);
    expect(again.decode(again.encode(SAMPLE))).toBe(form(SAMPLE));
  });
});

describe('tokenizer.json', () => {
  const splitBy = (Regex: string) => ({
    type: 'Sequence',
    pretokenizers: [
      { type: 'Split', pattern: { Regex }, behavior: 'Isolated', invert: false },
      { type: 'ByteLevel', add_prefix_space: false, use_regex: false },
    ],
  });
  const gpt2 = golden.files[0]!.tokenizer as Record<string, object>;

  it('of characters is read in the form that it had before', () => {
    const old = read({ name: 'character', revision: '1', characters: ['a', 'b', '日'] });

    expect([...old.encode('b日a')]).toEqual([1, 2, 0]);
    expect(new TextDecoder().decode(tokenizerFile(old).bytes)).toContain('"revision":"1"');
  });

  it.each<[string, object, RegExp]>([
    [
      'a normalizer',
      { ...gpt2, normalizer: { type: 'StripAccents' } },
      /normalizer: got .*StripAcc/,
    ],
    ['a pre-tokenizer', { ...gpt2, pre_tokenizer: { type: 'Metaspace' } }, /type/],
    ['a pattern', { ...gpt2, pre_tokenizer: splitBy('[a') }, /the pattern \[a cannot be read/],
    [
      'words that are no characters',
      {
        pre_tokenizer: { type: 'Whitespace' },
        model: { type: 'WordLevel', vocab: { hello: 0 }, unk_token: '<unk>' },
      },
      /pre_tokenizer.type/,
    ],
    [
      'an added token that is not next',
      { ...gpt2, added_tokens: [{ id: 9999, content: '<|x|>' }] },
      /no token has the id/,
    ],
    [
      'an added token beyond all ids',
      { ...gpt2, added_tokens: [{ id: 2 ** 31, content: '<|x|>' }] },
      /added_tokens|0\.id/,
    ],
    ...['(\\s+)+$', '(a|ab)*c', 'a*a*a*b', '(a)\\1'].map((pattern): [string, object, RegExp] => [
      `the pattern ${pattern}, which may backtrack without end,`,
      { ...gpt2, pre_tokenizer: splitBy(pattern) },
      /the pattern .* cannot be read: SyntaxError: .*, at character \d+, is not taken/,
    ]),
  ])('is refused for %s that is not known, by name', (_name, file, message) => {
    expect(() => read(file)).toThrow(message);
  });

  it('of others cuts a long text in time that grows with it', () => {
    const tokenizer = read(gpt2);
    const long = 'a雨'.repeat(100_000);
    const started = performance.now();

    expect(tokenizer.decode(tokenizer.encode(long))).toBe(long);
    // In time of its square it would be hours.
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
