import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_SENTENCE_CHARACTERS, splitSentences } from '../../edge/causal/sentences.ts';
import { anyUnits, hostileTexts } from './hostile-texts.ts';

const split = (text: string) =>
  splitSentences(text).map(({ start, end }) => text.slice(start, end));

describe('sentences', () => {
  it.each([
    ['Rain fell. The river rose!', ['Rain fell.', 'The river rose!']],
    [
      'Dr. Mori met Mr. Tanaka at 10.30 a.m. in Kyoto.',
      ['Dr. Mori met Mr. Tanaka at 10.30 a.m. in Kyoto.'],
    ],
    [
      'It cost $3.2 million. See Fig. 3, e.g. the U.S. data.',
      ['It cost $3.2 million.', 'See Fig. 3, e.g. the U.S. data.'],
    ],
    ['"It broke." He left. (So did I.) Then', ['"It broke."', 'He left.', '(So did I.)', 'Then']],
    ['Version 2.3.1 failed... Nobody knew why?!', ['Version 2.3.1 failed...', 'Nobody knew why?!']],
    ['雨が降った。川が増水した！本当？', ['雨が降った。', '川が増水した！', '本当？']],
    ['「雨が降った。」と彼は言った。帰った。', ['「雨が降った。」と彼は言った。', '帰った。']],
    [
      '「止まった。壊れたからだ。」記者は書いた。',
      ['「止まった。', '壊れたからだ。」', '記者は書いた。'],
    ],
  ])('of %s', (text, sentences) => {
    expect(split(text)).toEqual(sentences);
  });

  it('go on over a line that is only wrapped, and end at bullets and empty lines', () => {
    expect(split('The build failed\nbecause of a stale\r\ncache.')).toHaveLength(1);
    expect(split('Notes\n- one\n- two')).toEqual(['Notes', '- one', '- two']);
    expect(split('第二回線が落ちていたので\n通信量が減った。')).toHaveLength(1);
    expect(split('議題\n\n昼食')).toEqual(['議題', '昼食']);
  });

  it('follow one another within a paragraph of one language', () => {
    const text = 'A fell. B rose.\n\nC fell. 雨が降った。川が増えた。';

    expect(splitSentences(text).map(({ language, follows }) => [language, follows])).toEqual([
      ['en', false],
      ['en', true],
      ['en', false],
      ['ja', false],
      ['ja', true],
    ]);
  });

  it('are Japanese where Latin names stand in Japanese, and English around a Japanese word', () => {
    const languages = splitSentences('kernelの更新でdriverが止まった。\n\nThe word 雨 means rain.');

    expect(languages.map(({ language }) => language)).toEqual(['ja', 'en']);
  });

  it('are left out where there are no letters of either language', () => {
    expect(split('123 456. --- ??? Привет.')).toEqual([]);
  });
});

// A rule looks at one sentence and the one before it, so bounded sentences keep the work linear.
const MAX_MARKS = 16;

/** The first fault in the sentences of a text. */
function faultOf(text: string): string | undefined {
  let reached = 0;
  for (const { start, end } of splitSentences(text)) {
    if (start < reached) return `begins at ${start}, before ${reached}`;
    if (end <= start || end > text.length) return `ends at ${end} of ${text.length}`;
    if (end - start > MAX_SENTENCE_CHARACTERS + MAX_MARKS) return `has ${end - start} characters`;
    reached = end;
  }
  return undefined;
}

describe('any text', () => {
  it.each(hostileTexts(20_000))('of %s is split into bounded sentences', (_, text) => {
    expect(faultOf(text)).toBeUndefined();
  });

  it('is split into bounded sentences that follow one another', () => {
    const piece = fc.oneof(
      anyUnits(8),
      fc.constantFrom(
        '. ',
        '。',
        '\n',
        '\r\n',
        '「',
        '」',
        '"',
        ' ',
        'Rain fell',
        '雨が降った',
        'e.g. ',
      ),
    );
    const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

    fc.assert(
      fc.property(text, (any) => {
        expect(faultOf(any)).toBeUndefined();
      }),
    );
  });
});
