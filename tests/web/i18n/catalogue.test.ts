import { describe, expect, it } from 'vitest';
import { PROBLEMS } from '../../../edge/contract/problem.ts';
import { en } from '../../../web/i18n/en.ts';
import { ja } from '../../../web/i18n/ja.ts';
import { holesOf, type Message } from '../../../web/i18n/message.ts';
import { enLab } from '../../../web/screens/lab/words/en-lab.ts';
import { jaLab } from '../../../web/screens/lab/words/ja-lab.ts';

// The words of the shell, and those that the lab brings along.
const english: Readonly<Record<string, Message>> = { ...en, ...enLab };
const japanese: Readonly<Record<string, Message>> = { ...ja, ...jaLab };
const keys = Object.keys(english);

/** Names, units and formulas that are the same in both languages. */
const SAME_IN_BOTH = new Set([
  'shell.documentTitle',
  'overview.passingOf',
  'neuron.tauValue',
  'series.value',
  'series.point',
  'traces.point',
  'traces.below',
  'device.webgpu',
  'device.wasm',
  'device.simd',
  'device.relaxedSimd',
  'run.saidPlain',
  'setup.webgpu',
  'setup.wasm',
]);

const formsOf = (message: Message) =>
  typeof message === 'string' ? [message] : Object.values(message);

describe('the catalogues', () => {
  it('have the same keys', () => {
    expect(Object.keys(japanese).toSorted()).toEqual(keys.toSorted());
  });

  it('fill the same holes in both languages', () => {
    const differing = keys.filter(
      (key) => holesOf(japanese[key]!).join() !== holesOf(english[key]!).join(),
    );

    expect(differing).toEqual([]);
  });

  it('leave nothing empty or with stray space', () => {
    const untidy = keys.filter((key) =>
      [...formsOf(english[key]!), ...formsOf(japanese[key]!)].some(
        (form) => form === '' || form.trim() !== form,
      ),
    );

    expect(untidy).toEqual([]);
  });

  it('say nothing in English where Japanese is expected', () => {
    const untranslated = keys.filter((key) => {
      const text = formsOf(japanese[key]!).join('');
      return !/[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u.test(text);
    });

    expect(new Set(untranslated)).toEqual(SAME_IN_BOTH);
  });

  it('have a sentence for every problem code of the contract', () => {
    const missing = Object.keys(PROBLEMS).filter((code) => !(`problem.${code}` in english));

    expect(missing).toEqual([]);
  });
});
