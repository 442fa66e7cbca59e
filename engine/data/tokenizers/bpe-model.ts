/** A byte pair encoding. */
export interface BpeModel {
  /** The bytes of each token; among them one of every single byte. */
  readonly tokens: readonly Uint8Array[];
  /** Pairs that become one token, in merge order. */
  readonly merges: readonly Merge[];
  /** Pre-tokenization of foreign files; ours if left out. */
  readonly form?: BpeForm;
}

/** Settings of a foreign tokenizer.json besides tokens and merges. */
export interface BpeForm {
  /** Pattern of pieces; text between matches is a piece, too. Undefined if text is not split. */
  readonly pattern: RegExp | undefined;
  /** Whether a space is put before a text that begins without one. */
  readonly hasPrefixSpace: boolean;
  /** Whether a piece that is a token skips the merges. */
  readonly prefersWhole: boolean;
  /** Special tokens, such as <|endoftext|>. */
  readonly added: readonly { readonly id: number; readonly content: string }[];
}

/** Ids of two tokens and of their merge. */
export interface Merge {
  readonly left: number;
  readonly right: number;
  readonly merged: number;
}

/** Tokens of a model that has learned nothing. */
export const BYTE_TOKENS = 256;

/** Concatenated bytes. */
export function joinBytes(runs: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(runs.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const run of runs) {
    joined.set(run, at);
    at += run.length;
  }
  return joined;
}
