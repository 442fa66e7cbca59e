/** What byte pair encoding learns. */
export interface BpeModel {
  /** The bytes of each token; among them one of every single byte. */
  readonly tokens: readonly Uint8Array[];
  /** Pairs that become one token, in the order in which they are to be merged. */
  readonly merges: readonly Merge[];
}

/** Ids of two tokens and of the one they become. */
export interface Merge {
  readonly left: number;
  readonly right: number;
  readonly merged: number;
}

/** Tokens of a model that has learned nothing. */
export const BYTE_TOKENS = 256;

/** The bytes of several runs, one after the other. */
export function joinBytes(runs: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(runs.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const run of runs) {
    joined.set(run, at);
    at += run.length;
  }
  return joined;
}
