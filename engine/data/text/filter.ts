/** Text that goes in and comes out in pieces. However it is cut on its way in, the same comes out. */
export interface TextFilter {
  /** Takes the next piece; what cannot be told yet is held back. */
  push(text: string): string;
  /** What was held back. Nothing may be pushed after it. */
  end(): string;
}

/** Passes pieces through filters, one after the other. */
export async function* filterText(
  pieces: AsyncIterable<string>,
  filters: readonly TextFilter[],
): AsyncGenerator<string> {
  for await (const piece of pieces) {
    const out = filters.reduce((text, filter) => filter.push(text), piece);
    if (out !== '') yield out;
  }
  const rest = filters.reduce((text, filter) => filter.push(text) + filter.end(), '');
  if (rest !== '') yield rest;
}

/** Moves where pieces end, so that none ends within the two units of one character. */
export function wholeCharacters(): TextFilter {
  let half = '';
  return {
    push(text) {
      const whole = half + text;
      const last = whole.charCodeAt(whole.length - 1);
      const isHalf = last >= 0xd800 && last <= 0xdbff;
      half = isHalf ? whole.slice(-1) : '';
      return isHalf ? whole.slice(0, -1) : whole;
    },
    end() {
      const rest = half;
      half = '';
      return rest;
    },
  };
}
