/** How many of the last tokens are a stop sequence; 0 where none ends here. The longest counts. */
export function stopAtEnd(tokens: readonly number[], stops: readonly Uint32Array[]): number {
  return longest(stops, (stop) => (endsWith(tokens, stop, stop.length) ? stop.length : 0));
}

/** How many of the last tokens may be the beginning of a stop sequence: they are not shown yet. */
export function heldBack(tokens: readonly number[], stops: readonly Uint32Array[]): number {
  return longest(stops, (stop) => {
    for (let count = Math.min(stop.length - 1, tokens.length); count > 0; count--) {
      if (endsWith(tokens, stop, count)) return count;
    }
    return 0;
  });
}

function longest(stops: readonly Uint32Array[], lengthOf: (stop: Uint32Array) => number): number {
  return stops.reduce((most, stop) => Math.max(most, lengthOf(stop)), 0);
}

/** Whether the last tokens are the first `count` of a stop sequence. */
function endsWith(tokens: readonly number[], stop: Uint32Array, count: number): boolean {
  const from = tokens.length - count;
  if (from < 0 || count === 0) return false;
  for (let i = 0; i < count; i++) {
    if (tokens[from + i] !== stop[i]) return false;
  }
  return true;
}
