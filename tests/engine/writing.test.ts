import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBpeTokenizer } from '../../engine/data/tokenizers/bpe-tokenizer.ts';
import type { BpeModel } from '../../engine/data/tokenizers/bpe-model.ts';
import { type Sequence, Writing } from '../../engine/models/language/writing.ts';

const utf8 = new TextEncoder();
const greedy = { temperature: 0, topK: 0, topP: 1, seed: 1 };

/** Tokens of all single bytes, then these. */
const longer = ['雨の', 'の駅', 'end', ' the end.', '\u{1F600}'].map((word) => utf8.encode(word));
const model: BpeModel = {
  tokens: [...Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte)), ...longer],
  merges: [],
};
const tokenizer = createBpeTokenizer(model);

/** Writes the given tokens, as a model would that is sure of each. */
function write(tokens: readonly number[], given: Partial<Sequence> = {}) {
  const stops = given.stops ?? [];
  const sequence: Sequence = {
    prompt: Uint32Array.of(10),
    most: tokens.length,
    sampling: greedy,
    isStreamed: true,
    hasRaster: false,
    ...given,
    stops,
  };
  const writing = new Writing(sequence, tokenizer);
  const pieces: string[] = [];
  let counted = 0;
  for (const token of tokens) {
    if (writing.reason) break;
    const logits = new Float32Array(tokenizer.size);
    logits[token] = 1;
    writing.advance(logits);
    const { text, tokens: count } = writing.take();
    pieces.push(text);
    counted += count;
  }
  return { pieces, text: pieces.join(''), counted, reason: writing.reason };
}

const bytes = (text: string) => [...utf8.encode(text)];

describe('a text that is written in tokens of bytes', () => {
  it('is shown in whole characters, however many tokens each of them takes', () => {
    const { pieces, counted } = write([256, ...bytes('雨'), ...bytes('\u{1F600}')]);

    expect(pieces).toEqual(['雨の', '', '', '雨', '', '', '', '\u{1F600}']);
    expect(counted).toBe(8);
  });

  it('leaves out the character that its last token begins and nothing ends', () => {
    expect(write([...bytes('a雨').slice(0, -1)])).toMatchObject({ text: 'a', reason: 'length' });
  });

  it('ends before a stop sequence that begins and ends within tokens', () => {
    const stops = [utf8.encode('the')];

    const { text, counted, reason } = write([...bytes('At'), 259, ...bytes('more')], { stops });

    // The token ` the end.` begins in what is shown: a space of it.
    expect({ text, counted, reason }).toEqual({ text: 'At ', counted: 3, reason: 'stop' });
  });

  it('is returned at once at its end where it is not streamed', () => {
    const { pieces, counted } = write([256, 257], { isStreamed: false });

    expect(pieces).toEqual(['', '雨のの駅']);
    expect(counted).toBe(2);
  });

  it('never shows any part of a stop sequence, and all before it, whatever its tokens are', () => {
    const token = fc.constantFrom(256, 257, 258, 259, ...bytes('the end 駅'));
    const stop = fc.constantFrom('end', 'the', '駅', 'の', ' t', 'nd');
    fc.assert(
      fc.property(fc.array(token, { maxLength: 30 }), stop, (tokens, word) => {
        const { text, reason } = write(tokens, { stops: [utf8.encode(word)] });
        const whole = new TextDecoder().decode(
          Uint8Array.from(tokens.flatMap((id) => [...tokenizer.bytesOf(id)])),
        );

        const expected = whole.includes(word) ? whole.slice(0, whole.indexOf(word)) : undefined;
        if (expected === undefined || expected.includes('\u{FFFD}')) return;
        expect({ text, reason }).toEqual({ text: expected, reason: 'stop' });
      }),
    );
  });
});
