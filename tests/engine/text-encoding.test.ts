import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHUNK_BYTES } from '../../engine/data/files/byte-source.ts';
import {
  detectEncoding,
  readText,
  TEXT_ENCODINGS,
  type TextEncodingName,
} from '../../engine/data/text/encoding.ts';
import { memorySource } from './byte-sources.ts';
import { japaneseEncoder, readAll } from './japanese-bytes.ts';

const utf8 = new TextEncoder();
const shiftJis = japaneseEncoder('shift_jis');
const eucJp = japaneseEncoder('euc-jp');
const utf16 = (text: string, isLittle: boolean) => {
  const bytes = new Uint8Array(2 * text.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), isLittle);
  return bytes;
};
const encoders: Record<TextEncodingName, (text: string) => Uint8Array> = {
  'utf-8': (text) => utf8.encode(text),
  'utf-16le': (text) => utf16(`\u{FEFF}${text}`, true),
  'utf-16be': (text) => utf16(`\u{FEFF}${text}`, false),
  shift_jis: shiftJis,
  'euc-jp': eucJp,
};
const joined = (head: Uint8Array, tail: Uint8Array) => {
  const bytes = new Uint8Array(head.length + tail.length);
  bytes.set(head);
  bytes.set(tail, head.length);
  return bytes;
};
const STORY = '　雨の夜、駅に着いた。「遅かったね」とカエルが言う。abc 12\r\n';

describe('the encoding of a text', () => {
  it.each(TEXT_ENCODINGS)('is detected from its bytes and read: %s', async (encoding) => {
    const source = memorySource(encoders[encoding](STORY));

    expect(await detectEncoding(source)).toBe(encoding);
    expect(await readAll(readText(source))).toBe(STORY);
  });

  it('is detected for any text with kana in it', async () => {
    const kana = fc.constantFrom(...'あいうのはをんアイウ、。');
    const other = fc.constantFrom(...'雨夜駅着遅言亜熙瑤堯a1 \n');
    const text = fc
      .array(fc.oneof({ weight: 3, arbitrary: kana }, { weight: 2, arbitrary: other }), {
        minLength: 30,
        maxLength: 60,
      })
      .map((letters) => letters.join(''));
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(...TEXT_ENCODINGS), async (written, encoding) => {
        const source = memorySource(encoders[encoding](written));

        expect(await detectEncoding(source)).toBe(encoding);
        expect(await readAll(readText(source))).toBe(written);
      }),
    );
  });

  it('is UTF-8 for ASCII, for nothing and for a text behind its byte order mark', async () => {
    expect(await detectEncoding(memorySource(utf8.encode('plain')))).toBe('utf-8');
    expect(await detectEncoding(memorySource(new Uint8Array(0)))).toBe('utf-8');
    expect(await readAll(readText(memorySource(utf8.encode('\u{FEFF}雨'))))).toBe('雨');
  });

  it.each(['utf-8', 'shift_jis', 'euc-jp'] as const)(
    'is told across the edges of chunks, which cut no character: %s',
    async (encoding) => {
      const tail = STORY.repeat(3);
      for (const shift of [0, 1, 2]) {
        const head = 'x'.repeat(CHUNK_BYTES - 20 + shift);
        const source = memorySource(joined(utf8.encode(head), encoders[encoding](tail)));

        expect((await readAll(readText(source))) === head + tail).toBe(true);
        expect(await detectEncoding(source)).toBe(encoding);
        for (const [start, end] of source.reads) {
          expect(end - start).toBeLessThanOrEqual(CHUNK_BYTES);
        }
      }
    },
  );

  it('is not read to the end once it is certain', async () => {
    const source = memorySource(utf8.encode('雨'.repeat(CHUNK_BYTES / 2)));

    await detectEncoding(source);

    expect(source.reads.at(-1)).toEqual([0, CHUNK_BYTES]);
  });
});

describe('a text is refused', () => {
  it('when its bytes are well formed in no encoding, with where each of them ends', async () => {
    const bytes = Uint8Array.from([...utf8.encode('abc'), 0x82, 0xa0, 0xff, 0x20]);

    await expect(detectEncoding(memorySource(bytes, 'photo.jpg'))).rejects.toMatchObject({
      code: 'text-invalid',
      message:
        'photo.jpg is not a text in UTF-8 (up to byte 3), Shift_JIS (up to byte 5) or EUC-JP (up to byte 3)',
    });
  });

  it('when it may be Shift_JIS or EUC-JP, unless it is said which', async () => {
    const source = memorySource(shiftJis('abc ｶﾀｶﾅ'), 'note.txt');

    await expect(detectEncoding(source)).rejects.toMatchObject({
      code: 'text-invalid',
      message: 'note.txt may be Shift_JIS or EUC-JP from byte 4 on: say which of them it is',
    });
    expect(await readAll(readText(source, { encoding: 'shift_jis' }))).toBe('abc ｶﾀｶﾅ');
  });

  it.each([
    ['utf-8', [0xe3, 0x81, 0x20], 7, 9],
    ['utf-8', [0xff], CHUNK_BYTES + 5, CHUNK_BYTES + 5],
    ['euc-jp', [0xb0, 0xff], CHUNK_BYTES - 1, CHUNK_BYTES],
    ['shift_jis', [0xfd, 0x20], 3, 3],
  ] as const)('when a byte is no %s, naming the byte', async (encoding, bad, at, named) => {
    const bytes = new Uint8Array(CHUNK_BYTES + 100).fill(0x20);
    bytes.set(bad, at);

    const reading = readAll(readText(memorySource(bytes, 'bad.txt'), { encoding }));

    const value = bytes[named]!.toString(16).toUpperCase();
    await expect(reading).rejects.toMatchObject({
      code: 'text-invalid',
      message: `bad.txt is not ${encoding} text: byte ${named} (${value}) cannot be decoded`,
    });
  });

  it.each(TEXT_ENCODINGS)('when it ends within a character: %s', async (encoding) => {
    const bytes = encoders[encoding]('雨').slice(0, -1);

    await expect(
      readAll(readText(memorySource(bytes, 'cut.txt'), { encoding })),
    ).rejects.toMatchObject({
      code: 'text-invalid',
      message: `cut.txt is not ${encoding} text: it ends at byte ${bytes.length} within a character`,
    });
  });
});
