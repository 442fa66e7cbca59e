/**
 * What makes two causes or effects one node: the text in NFKC and lower case, its spaces as one, without marks
 * around it and without an article in front. Synonyms stay apart: no dictionary stands behind this.
 */
export function nodeKey(text: string): string {
  const folded = text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
  const bare = folded.replace(LEADING_MARKS, '').replace(ARTICLE, '');
  return bare.slice(0, endWithoutMarks(bare)) || folded || text;
}

const LEADING_MARKS = /^[\p{P}\p{Z}]+/u;
const ARTICLE = /^(?:the|an?) (?=\S)/;

/** By hand: a pattern that ends with $ would look for its end at every mark. */
function endWithoutMarks(text: string): number {
  let end = text.length;
  while (end > 0 && /[\p{P}\p{Z}]/u.test(text.charAt(end - 1))) end -= 1;
  return end;
}
