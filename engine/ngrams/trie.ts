import { EngineError } from '../errors.ts';

/** Tokens of the longest n-grams that are counted for a model. */
export const MAX_ORDER = 6;

/**
 * N-grams of up to `order` tokens as a trie in breadth-first order, 12 bytes a node at most. Node 0 is the
 * root; the children of a node are the tokens that follow its n-gram, by ascending id.
 */
export interface NgramTrie {
  readonly order: number;
  readonly vocabulary: number;
  /** `u32[nodes]`: the last token of each n-gram. */
  readonly tokens: Uint32Array;
  /**
   * `u32[nodes]`: how often each n-gram of `order` tokens occurs; of shorter ones, before how many distinct
   * tokens they occur, and how often at the start of a sequence.
   */
  readonly counts: Uint32Array;
  /** `u32[inner + 1]`: the first child of each node of less than `order` tokens; the last entry is `nodes`. */
  readonly children: Uint32Array;
}

/** Absence of a node: the root is nobody's child. */
const NONE = 0;

/** The child of a node for a token; 0 where the n-gram was never seen. Binary search. */
export function childOf(trie: NgramTrie, node: number, token: number): number {
  const { tokens, children } = trie;
  let low = children[node] as number;
  const end = children[node + 1] as number;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tokens[middle] as number) < token) low = middle + 1;
    else high = middle;
  }
  return low < end && tokens[low] === token ? low : NONE;
}

/** The node of the tokens from `start` up to `end`, of which there are fewer than `order`; 0 where never seen. */
export function contextNode(
  trie: NgramTrie,
  tokens: ArrayLike<number>,
  start: number,
  end: number,
): number {
  let node = 0;
  for (let at = start; at < end; at++) {
    node = childOf(trie, node, tokens[at] as number);
    if (node === NONE) return NONE;
  }
  return node;
}

/** Where the n-grams of each length begin, from the root's 0 to `nodes`: `order + 2` numbers. */
export function levelStarts({ order, children, tokens }: NgramTrie): number[] {
  const starts = [0, 1];
  for (let length = 1; length < order; length++) {
    starts.push(children[starts[length] as number] as number);
  }
  return [...starts, tokens.length];
}

/**
 * Checks a trie that was read from a file. Throws EngineError `checkpoint-damaged` for one that no text
 * could have given.
 */
export function checkTrie(trie: NgramTrie): void {
  const { order, tokens, counts, children } = trie;
  const inner = children.length - 1;
  if (
    counts.length !== tokens.length ||
    counts[0] !== 0 ||
    children[0] !== 1 ||
    children[inner] !== tokens.length
  ) {
    refuse(`${tokens.length} tokens, ${counts.length} counts, children from ${children[0]}`);
  }
  for (let node = 0; node < inner; node++) {
    const [first, end] = [children[node] as number, children[node + 1] as number];
    if (first <= node || end < first || end > tokens.length) {
      refuse(`node ${node} has children from ${first} to ${end}`);
    }
    checkChildren(trie, first, end);
  }
  if (levelStarts(trie)[order] !== inner) refuse(`expected ${inner} nodes below order ${order}`);
}

function checkChildren(
  { tokens, counts, vocabulary }: NgramTrie,
  first: number,
  end: number,
): void {
  let before = -1;
  for (let child = first; child < end; child++) {
    const [token, count] = [tokens[child] as number, counts[child] as number];
    if (token <= before || token >= vocabulary || count === 0) {
      refuse(`node ${child} is token ${token} of ${vocabulary}, ${count} times`);
    }
    before = token;
  }
}

function refuse(what: string): never {
  throw new EngineError('checkpoint-damaged', `n-gram tables: ${what}`);
}
