import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aozoraFilter } from '../../engine/data/text/aozora.ts';
import { filterText, type TextFilter } from '../../engine/data/text/filter.ts';
import { NORMAL_FORMS, normaliser } from '../../engine/data/text/normalise.ts';
import { extent } from './extent.ts';
import { readAll } from './japanese-bytes.ts';
import { anyCharacter, partLengths, partsOf } from './text-parts.ts';

const RULE = '-'.repeat(55);
const HEADER = `雨の駅\r\n山田花子\r\n\r\n${RULE}\r\n【テキスト中に現れる記号について】\r\n\r\n《》：ルビ\r\n（例）駅《えき》\r\n${RULE}\r\n\r\n`;
const FOOTER = '底本：「短編」\r\n入力：某\r\n';

const through = (filter: TextFilter, text: string) => filter.push(text) + filter.end();

/** The output for a text that is pushed in parts of the given lengths. */
const inParts = (filter: TextFilter, text: string, lengths: readonly number[]) =>
  partsOf(text, lengths)
    .map((part) => filter.push(part))
    .join('') + filter.end();

describe('the filter of Aozora Bunko', () => {
  it.each([
    ['ruby', '夜の駅《えき》に着いた', '夜の駅に着いた'],
    ['ruby with its start', 'この｜終着駅《しゅうちゃくえき》', 'この終着駅'],
    ['notes', '昔［＃「昔」に傍点］の話', '昔の話'],
    ['notes with brackets in them', '昔［＃「［昔］」に傍点］の話', '昔の話'],
    ['notes in notes', '昔［＃「※［＃「木＋昔」、第3水準］」に傍点］の話', '昔の話'],
    ['characters that are not there', '※［＃「木＋昔」、第3水準1-1-1］の木《き》', '〓の木'],
    ['lines of notes', '一\r\n［＃ここから２字下げ］\r\n二\r\n', '一\n二\n'],
    ['accents, which stay', '〔Cafe'.concat("' noir〕に"), "〔Cafe' noir〕に"],
    ['what nothing closes', '駅《えき\r\n［＃注\r\n》', '駅《えき\n［＃注\n》'],
    ['blank lines, which stay', '一\n\n　\n二', '一\n\n　\n二'],
    ['rules in a text without header', `一\n${RULE}\n二\n`, `一\n${RULE}\n二\n`],
  ])('removes mark-up: %s', (_, marked, plain) => {
    expect(through(aozoraFilter(), marked)).toBe(plain);
    expect(through(aozoraFilter(), HEADER + marked)).toBe(plain);
  });

  it('removes the header and the footer', () => {
    const text = `${HEADER}　雨。底本：ではない。\r\n\r\n${FOOTER}雨\r\n`;

    expect(through(aozoraFilter(), text)).toBe('　雨。底本：ではない。\n\n');
    expect(through(aozoraFilter(), `${HEADER.replaceAll('\r', '')}雨\n`)).toBe('雨\n');
  });

  it('gives the same wherever the parts of a text end', () => {
    const marks = [
      '《',
      '》',
      '｜',
      '［＃',
      '］',
      '※',
      '雨',
      '\n',
      '\r\n',
      '\r',
      '底本：',
      '-',
      RULE,
    ];
    const text = fc
      .tuple(fc.constantFrom('', HEADER), fc.array(fc.constantFrom(...marks), { maxLength: 40 }))
      .map(([header, parts]) => header + parts.join(''));
    fc.assert(
      fc.property(text, partLengths, (written, parts) => {
        const whole = through(aozoraFilter(), written);
        expect(inParts(aozoraFilter(), written, parts)).toBe(whole);
      }),
    );
  });

  it('holds back no more than a line of 65,536 characters', () => {
    const filter = aozoraFilter();
    let held = 0;
    for (let i = 0; i < 100; i++) {
      held += 10_000 - filter.push('雨'.repeat(10_000)).length;
      expect(held).toBeLessThan((1 << 16) + 10_000);
    }
    expect(filter.end()).toHaveLength(held);
  });
});

describe('the normaliser', () => {
  const tricky = [
    ...'e\u0301か\u3099ｶﾞ\u1100\u1161\u11A8각\u3131\u314Fﾡￂ\r\n\u0323\u0307',
    '\u{1F600}',
    '\u{1D15E}',
    'ａ１㍍ﬁ',
  ];

  it.each(NORMAL_FORMS)('gives %s and \\n of any text, wherever its parts end', (form) => {
    const unit = fc.oneof(fc.constantFrom(...tricky), anyCharacter);
    const text = fc.array(unit, { maxLength: 40 }).map((letters) => letters.join(''));
    fc.assert(
      fc.property(text, partLengths, (written, parts) => {
        const expected = written.replaceAll(/\r\n?/g, '\n').normalize(form);
        expect(inParts(normaliser(form), written, parts)).toBe(expected);
      }),
      { numRuns: extent(500, 100) },
    );
  });

  it('makes half-width and full-width forms ordinary in NFKC alone', () => {
    expect(through(normaliser('NFKC'), 'ｶﾞＡ１')).toBe('ガA1');
    expect(through(normaliser('NFC'), 'ｶﾞＡ１か\u3099')).toBe('ｶﾞＡ１が');
  });

  it('refuses marks without end instead of holding them all', () => {
    const filter = normaliser('NFC');

    expect(() => filter.push(`e${'\u0301'.repeat(70_000)}`)).toThrow(
      expect.objectContaining({ code: 'text-invalid' }),
    );
    expect(() => normaliser('NFC').push('\n'.repeat(70_000))).not.toThrow();
  });
});

describe('filters', () => {
  it('run in order, each also on text that the ones before had withheld', async () => {
    async function* pieces() {
      yield* HEADER;
      yield* '｜ｶ';
      yield* 'ﾞ《が》\r\n';
      yield* FOOTER;
    }

    expect(await readAll(filterText(pieces(), [aozoraFilter(), normaliser('NFKC')]))).toBe('ガ\n');
  });
});
