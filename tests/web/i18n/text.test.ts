import { describe, expect, it } from 'vitest';
import { fc } from '../seeded.ts';
import { preferredLanguage } from '../../../web/i18n/language.ts';
import { fill, holesOf } from '../../../web/i18n/message.ts';
import { en as english } from '../../../web/i18n/en.ts';
import { ja as japanese } from '../../../web/i18n/ja.ts';
import { createTextOf } from '../../../web/i18n/text.ts';
import { enCharts } from '../../../web/widgets/chart/words/en-charts.ts';
import { jaCharts } from '../../../web/widgets/chart/words/ja-charts.ts';
import { enModels } from '../../../web/screens/models/words/en-models.ts';
import { jaModels } from '../../../web/screens/models/words/ja-models.ts';

const catalogues = {
  en: { ...english, ...enModels, ...enCharts },
  ja: { ...japanese, ...jaModels, ...jaCharts },
};
const en = createTextOf<typeof catalogues.en>(catalogues, 'en', 'UTC');
const ja = createTextOf<typeof catalogues.en>(catalogues, 'ja', 'UTC');

const models = (count: number) => en.t('models.shown', { shown: count, count });

describe('text', () => {
  it('chooses the plural form by the count', () => {
    expect(models(1)).toBe('1 of 1 model');
    expect(models(0)).toBe('0 of 0 models');
    expect(models(1234)).toBe('1,234 of 1,234 models');
  });

  it('has one form in Japanese', () => {
    expect(ja.t('models.shown', { shown: 1, count: 1 })).toBe('1 件中 1 件のモデル');
  });

  it('writes numbers as the language does and names as they are', () => {
    const values = { name: 'loss', value: 0.31234, axis: 'step', x: 1200 };

    expect(en.t('series.falling', values)).toBe('loss 0.312 at step 1,200, falling');
    expect(ja.t('series.falling', { ...values, name: '損失', axis: 'ステップ' })).toBe(
      'ステップ 1,200 で損失は 0.312、下降中',
    );
  });

  it('puts a value with braces in it into a hole without filling it again', () => {
    expect(en.t('notFound.lead', { path: '/{path}' })).toBe('There is no screen at /{path}.');
  });
});

describe('fill', () => {
  it('leaves no hole that has a value, whatever the value', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, value) => {
        const text = `${before.replaceAll(/[{}]/g, '')}{hole}`;

        expect(fill(text, { hole: value })).toBe(text.slice(0, -'{hole}'.length) + value);
      }),
    );
  });

  it('keeps the braces of a hole without a value, so that it is noticed', () => {
    expect(fill('{a} and {b}', { a: 'x' })).toBe('x and {b}');
  });

  it('names each hole once, over all plural forms', () => {
    expect(holesOf({ one: '{count} of {total}', other: '{total} {total}' })).toEqual([
      'count',
      'total',
    ]);
  });
});

describe('preferredLanguage', () => {
  it.each([
    [['ja-JP', 'en'], 'ja'],
    [['de-DE', 'ja'], 'ja'],
    [['EN-gb'], 'en'],
    [['de'], 'en'],
    [[], 'en'],
  ] as const)('of %j is %s', (tags, expected) => {
    expect(preferredLanguage(tags)).toBe(expected);
  });
});
