/** How many of the last bytes are a stop sequence; 0 where none ends here. The longest counts. */
export function stopAtEnd(bytes: readonly number[], stops: readonly Uint8Array[]): number {
  return longest(stops, (stop) => (endsWith(bytes, stop, stop.length) ? stop.length : 0));
}

/** How many of the last bytes may be the beginning of a stop sequence: they are not shown yet. */
export function heldBack(bytes: readonly number[], stops: readonly Uint8Array[]): number {
  return longest(stops, (stop) => {
    for (let count = Math.min(stop.length - 1, bytes.length); count > 0; count--) {
      if (endsWith(bytes, stop, count)) return count;
    }
    return 0;
  });
}

function longest(stops: readonly Uint8Array[], lengthOf: (stop: Uint8Array) => number): number {
  return stops.reduce((most, stop) => Math.max(most, lengthOf(stop)), 0);
}

/** Whether the last bytes are the first `count` of a stop sequence. */
function endsWith(bytes: readonly number[], stop: Uint8Array, count: number): boolean {
  const from = bytes.length - count;
  if (from < 0 || count === 0) return false;
  for (let i = 0; i < count; i++) {
    if (bytes[from + i] !== stop[i]) return false;
  }
  return true;
}
