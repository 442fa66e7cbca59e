import { describe, expect, it } from 'vitest';
import type { LayerActivity } from '../../../../engine/index.ts';
import { en } from '../../../../web/i18n/en.ts';
import { ja } from '../../../../web/i18n/ja.ts';
import { createTextOf } from '../../../../web/i18n/text.ts';
import type { ProgressFacts } from '../../../../web/lab/protocol.ts';
import { failureWords } from '../../../../web/screens/lab/failure-words.ts';
import type { LabText } from '../../../../web/screens/lab/lab-text.ts';
import { announceRun, progressWords } from '../../../../web/screens/lab/run/run-words.ts';
import { hasManyDead, ratesOf } from '../../../../web/screens/lab/views/activity-rates.ts';
import { layerWords } from '../../../../web/widgets/spike-raster/layer-words.ts';
import { markOf, probeLine } from '../../../../web/screens/lab/views/probe-words.ts';
import { shapeWords } from '../../../../web/screens/lab/setup/shape-words.ts';
import { enLab } from '../../../../web/screens/lab/words/en-lab.ts';
import { jaLab } from '../../../../web/screens/lab/words/ja-lab.ts';

const catalogues = { en: { ...en, ...enLab }, ja: { ...ja, ...jaLab } };
const english: LabText = createTextOf(catalogues, 'en', 'UTC');
const japanese: LabText = createTextOf(catalogues, 'ja', 'UTC');

describe('a run in words', () => {
  const progress: ProgressFacts = {
    step: 120,
    epoch: 0.0287,
    fraction: 0.4,
    loss: 2.5,
    tokensPerSecond: 4000,
    secondsLeft: 12.3,
  };

  it('says how far it is and how long it will take', () => {
    expect(progressWords(english, progress, 300)).toEqual([
      'Step 120 of 300',
      '40% done',
      'Epoch 0.0287',
      'about 12 seconds left',
    ]);
    expect(progressWords(japanese, progress, 300)[0]).toBe('300 ステップ中 120');
  });

  it.each([
    [0.2, 'about 1 second left'],
    [89, 'about 89 seconds left'],
    [600, 'about 10 minutes left'],
    [7_200, 'about 2 hours left'],
  ])('says %f s as "%s"', (secondsLeft, words) => {
    expect(progressWords(english, { ...progress, secondsLeft }, 300).at(-1)).toBe(words);
  });

  it('says no total without one, and no time where none is known or nothing is left', () => {
    expect(progressWords(english, { ...progress, secondsLeft: null }, null)).toEqual([
      'Step 120',
      '40% done',
      'Epoch 0.0287',
    ]);
    expect(progressWords(english, { ...progress, fraction: 1 }, 300)).toHaveLength(3);
  });

  it('is announced with its step where it rests', () => {
    const run = {} as never;
    expect(announceRun(english, { status: 'paused', run, step: 7 })).toBe('Paused at step 7.');
    expect(announceRun(english, { status: 'training', run, goal: 'budget' })).toBe('Training.');
  });
});

describe('a failure in words', () => {
  it('is a sentence in the language of the page, and the values as the engine says them', () => {
    const failure = {
      kind: 'engine',
      code: 'text-too-short',
      message: 'cats has 9 characters: seq_len 8 needs at least 81',
    } as const;

    expect(failureWords(failure, japanese)).toEqual({
      title: 'テキストが短すぎます。',
      detail: 'Cats has 9 characters: seq_len 8 needs at least 81.',
      code: 'text-too-short',
    });
  });

  it('distinguishes a lost network from a bug', () => {
    const message = 'Failed to fetch';
    expect(failureWords({ kind: 'network', message }, english).code).toBe('network');
    expect(failureWords({ kind: 'unexpected', message: 'x is not a function' }, english)).toEqual(
      expect.objectContaining({ code: 'unexpected', detail: 'x is not a function' }),
    );
  });
});

describe('what a family found in its data, in words', () => {
  it.each([
    [
      { channels: 1, height: 28, width: 20, classes: 10 },
      ['greyscale', '20 × 28 pixels', '10 classes'],
      ['グレースケール', '20 × 28 ピクセル', '10 クラス'],
    ],
    [{ vocabulary: 1, images: 1, sounds: 0 }, ['1 token', 'with images'], ['語彙 1', '画像あり']],
    [{ codes: 1024 }, ['codes 1,024'], ['codes 1,024']],
  ])('says %j', (shape, inEnglish, inJapanese) => {
    expect(shapeWords(english, shape)).toEqual(inEnglish);
    expect(shapeWords(japanese, shape)).toEqual(inJapanese);
  });
});

describe('layers and characters in words', () => {
  it('names a layer plainly, counting blocks from one, and an unknown one by its name', () => {
    expect(layerWords(english, 'blocks.0.qkv')).toBe('Block 1: queries, keys, values');
    expect(layerWords(japanese, 'blocks.11.up')).toBe('ブロック 12: フィードフォワード');
    expect(layerWords(english, 'blocks.1.neurons')).toBe('Block 2');
    expect(layerWords(english, 'blocks.2')).toBe('Block 3');
    expect(layerWords(japanese, 'hidden')).toBe('隠れ層');
    expect(layerWords(english, 'readout')).toBe('readout');
    expect(layerWords(english, 'blocks.0.gate')).toBe('blocks.0.gate');
  });

  it('shows white space where it has to be seen', () => {
    expect([' ', '\n', 'a', '月'].map(markOf)).toEqual(['␣', '↵', 'a', '月']);
    expect(probeLine(['a', '\n', '\n', ' ', 'b', ' '])).toBe('a b');
  });
});

describe('the firing rates of a layer', () => {
  // 100 neurons: 10 dead among the 30 of the first bin, 4 saturated among the 5 of the last.
  const layer: LayerActivity = {
    name: 'blocks.0.up',
    neurons: 100,
    rate: 0.2,
    dead: 0.1,
    saturated: 0.04,
    histogram: [30, ...Array.from({ length: 18 }, () => 0), 5].with(3, 65),
  };

  it('set the dead and the saturated apart, and lose no neuron', () => {
    const rates = ratesOf(layer);

    expect(rates).toMatchObject({ dead: 10, saturated: 4, saturatedAt: 0.95 });
    expect(rates.bins).toHaveLength(19);
    expect(rates.bins[0]).toEqual({ from: 0, to: 0.05, count: 20 });
    expect(rates.bins.at(-1)?.count).toBe(1);
    const live = rates.bins.reduce((sum, { count }) => sum + count, 0);
    expect(live + rates.dead + rates.saturated).toBe(100);
  });

  it('warn of more than a fifth that never fire', () => {
    expect(hasManyDead({ ...layer, dead: 0.2 })).toBe(false);
    expect(hasManyDead({ ...layer, dead: 0.21 })).toBe(true);
  });
});
