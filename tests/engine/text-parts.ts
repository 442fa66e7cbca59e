import fc from 'fast-check';

const SURROGATES = 0x800;
/**
 * Any code point but halves of surrogate pairs, short ones as often as long ones. The strings of
 * fast-check would take a second to list them all.
 */
export const anyCharacter = fc
  .oneof(fc.nat(0x7f), fc.nat(0x7ff), fc.nat(0xffff - SURROGATES), fc.nat(0x10ffff - SURROGATES))
  .map((n) => String.fromCodePoint(n < 0xd800 ? n : n + SURROGATES));

/** Where to cut a text. */
export const partLengths = fc.array(fc.nat(7), { maxLength: 40 });

/** The text in parts of the given lengths, and whatever is left. */
export function partsOf(written: string, lengths: readonly number[]): string[] {
  let at = 0;
  const parts: string[] = [];
  for (const length of lengths) {
    parts.push(written.slice(at, at + length));
    at += length;
  }
  return [...parts, written.slice(at)];
}
