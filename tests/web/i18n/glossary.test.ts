import { describe, expect, it } from 'vitest';
import { GLOSSARY } from '../../../web/i18n/glossary.ts';
import type { Message } from '../../../web/i18n/message.ts';
import { english, japanese } from './all-words.ts';

/** A longer term first, so that it hides the shorter ones inside it. */
const terms = Object.keys(GLOSSARY).toSorted((a, b) => b.length - a.length);

const formsOf = (message: Message) =>
  typeof message === 'string' ? [message] : Object.values(message);

function termsIn(message: Message): string[] {
  // A hole is a name in the code, not a word of the sentence.
  let rest = formsOf(message)
    .join(' ')
    .replaceAll(/\{\w+\}/g, ' ')
    .toLowerCase();
  return terms.filter((term) => {
    const word = new RegExp(`\\b${term}(s|es)?\\b`, 'g');
    const isUsed = word.test(rest);
    rest = rest.replaceAll(word, ' ');
    return isUsed;
  });
}

const uses = Object.entries(english).flatMap(([key, message]) =>
  termsIn(message).map((term) => ({ key, term })),
);

describe('the glossary', () => {
  it('is found at work in the catalogue', () => {
    const used = uses.map(({ term }) => term);

    expect(used).toEqual(expect.arrayContaining(['spike', 'firing rate', 'threshold', 'model']));
  });

  it('is followed wherever the English message uses a term', () => {
    const astray = uses.filter(
      ({ key, term }) => !formsOf(japanese[key]!).every((form) => form.includes(GLOSSARY[term]!)),
    );

    expect(astray).toEqual([]);
  });

  it('finds a longer term instead of the shorter one inside it', () => {
    expect(termsIn('The spike trains')).toEqual(['spike train']);
    expect(termsIn('{model} has spikes')).toEqual(['spike']);
  });
});
