/** What byte pair encoding learns. */
export interface BpeModel {
  /** The bytes of each token; among them one of every single byte. */
  readonly tokens: readonly Uint8Array[];
  /** Pairs that become one token, in the order in which they are to be merged. */
  readonly merges: readonly Merge[];
  /** How others cut a text before they merge; left out where it is cut as ours are. */
  readonly form?: BpeForm;
}

/** What tells a tokenizer.json of others from one of ours, but for tokens and merges. */
export interface BpeForm {
  /** What pieces match; what lies between matches is a piece, too. Undefined where nothing is cut. */
  readonly pattern: RegExp | undefined;
  /** Whether a space is put before a text that begins without one. */
  readonly hasPrefixSpace: boolean;
  /** Whether a piece that is a token is that token, whatever merges make of it. */
  readonly prefersWhole: boolean;
  /** Texts that are one token wherever they stand, such as <|endoftext|>. */
  readonly added: readonly { readonly id: number; readonly content: string }[];
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
