const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });

/**
 * Words that the search looks for: Japanese has no spaces between them, and names of code count as a whole.
 *
 * @param {string} text
 * @returns {string[]}
 */
export const wordsOf = (text) =>
  Array.from(segmenter.segment(text))
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);
