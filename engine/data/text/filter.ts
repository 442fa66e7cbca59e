/** A streaming text transformation. Its output does not depend on how the input is split. */
export interface TextFilter {
  /** Takes the next piece; returns the output that no later piece can change. */
  push(text: string): string;
  /** The buffered rest. Nothing may be pushed after it. */
  end(): string;
}

/** Passes pieces through filters in order. */
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

/** Moves piece boundaries out of surrogate pairs. */
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
