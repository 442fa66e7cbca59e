import * as fc from 'fast-check';

/** Texts that try to make reading slow: each is repeated to a length. */
const PIECES = {
  'one cue': 'because ',
  'joins and cues': 'and because of x, and ',
  lists: 'a, b, ',
  'list of words': 'word '.repeat(7),
  degrees: 'so such so that ',
  relatives: ', which caused ',
  auxiliaries: 'may not be ',
  'no spaces': 'a',
  'full stops': '.',
  'question marks': '?',
  'spaced stops': '. ',
  quotes: '"because" ',
  'line ends': '\n',
  'carriage returns': '\r',
  'line ends and a letter': '\r\r\r\ra',
  hyphens: '-',
  spaces: ' ',
  'Japanese cues': 'ためからのでにより',
  'Japanese particles': 'がはもとや',
  'Japanese commas': '雨、',
  'Japanese quotes': '「と',
  'Japanese closings': '。」',
  'Japanese marks': '？！',
  'Japanese tails': 'とみられることがある',
  'Japanese outcome': '雨がふり、原因となる',
  mixed: 'because 雨が原因で ',
  controls: '\u0000\u0001\u200b',
  surrogates: '𠮟',
  'halves of surrogates': '\ud842',
  'combining marks': 'e\u0301',
} as const;

export const hostileTexts = (length: number): [name: string, text: string][] =>
  Object.entries(PIECES).map(([name, piece]) => [
    name,
    piece.repeat(Math.ceil(length / piece.length)).slice(0, length),
  ]);

/** Any UTF-16 units, halves of surrogate pairs among them. */
export const anyUnits = (maxLength: number) =>
  fc.array(fc.nat(0xffff), { maxLength }).map((units) => String.fromCharCode(...units));
