import { childOf, levelStarts, type NgramTrie } from './trie.ts';

interface CountOptions {
  readonly vocabulary: number;
  /** Tokens of the longest n-grams. */
  readonly order: number;
  /** Maximum of nodes of the trie; of each sequence, less of its end is counted until they suffice. */
  readonly maxNodes?: number;
}

/** 48 MB of counts. */
const MAX_NODES = 1 << 22;

/**
 * Counts the n-grams of some sequences. Each occurrence of a token behind its last `order - 1` tokens is an
 * event; at the start of a sequence it is a shorter one.
 */
export function countNgrams(
  sequences: readonly Uint32Array[],
  { vocabulary, order, maxNodes = MAX_NODES }: CountOptions,
): NgramTrie {
  const text = joinedText(sequences, order);
  const sorted = sortedPositions(text, vocabulary, order);
  const shared = sharedLengths(text, sorted, order);
  const sizes = sizesOfLevels(text, sorted, shared, order);
  const nodes = sizes.reduce((sum, size) => sum + size, 0);
  if (nodes > maxNodes && sequences.some(({ length }) => length > 1)) {
    const fraction = Math.min(0.9, maxNodes / nodes);
    const fewer = sequences.map((ids) => ids.subarray(0, Math.floor(ids.length * fraction)));
    return countNgrams(fewer, { vocabulary, order, maxNodes });
  }
  const trie = { order, vocabulary, ...filled(text, { sorted, shared, sizes }) };
  countContinuations(trie);
  return trie;
}

/** All sequences as tokens plus 1, with a 0 before each and `order` of them behind the last. */
function joinedText(sequences: readonly Uint32Array[], order: number): Uint32Array {
  const total = sequences.reduce((sum, { length }) => sum + length + 1, 0);
  const text = new Uint32Array(total + order);
  let at = 1;
  for (const ids of sequences) {
    for (let i = 0; i < ids.length; i++) text[at + i] = (ids[i] as number) + 1;
    at += ids.length + 1;
  }
  return text;
}

/** Where tokens lie in the text, ordered by the `order` symbols from there on: radix sort, last symbol first. */
function sortedPositions(text: Uint32Array, vocabulary: number, order: number): Uint32Array {
  let positions = new Uint32Array(text.length);
  let used = 0;
  for (let at = 0; at < text.length; at++) if (text[at] !== 0) positions[used++] = at;
  positions = positions.slice(0, used);
  let spare = new Uint32Array(positions.length);
  const ends = new Uint32Array(vocabulary + 2);
  for (let offset = order - 1; offset >= 0; offset--) {
    ends.fill(0);
    for (const at of positions) increment(ends, (text[at + offset] as number) + 1);
    for (let symbol = 1; symbol < ends.length; symbol++) {
      ends[symbol] = (ends[symbol] as number) + (ends[symbol - 1] as number);
    }
    for (const at of positions) spare[increment(ends, text[at + offset] as number)] = at;
    [positions, spare] = [spare, positions];
  }
  return positions;
}

/** Adds 1 to an entry; returns it as it was before. */
function increment(numbers: Uint32Array | number[], at: number): number {
  const before = numbers[at] as number;
  numbers[at] = before + 1;
  return before;
}

/** How many symbols each position in the order has in common with the one before it, up to `order`. */
function sharedLengths(text: Uint32Array, sorted: Uint32Array, order: number): Uint8Array {
  const shared = new Uint8Array(sorted.length);
  for (let i = 1; i < sorted.length; i++) {
    const [one, other] = [sorted[i - 1] as number, sorted[i] as number];
    let same = 0;
    while (same < order && text[one + same] === text[other + same] && text[one + same] !== 0) {
      same++;
    }
    shared[i] = same;
  }
  return shared;
}

/** Distinct n-grams of each length, the empty one first. */
function sizesOfLevels(
  text: Uint32Array,
  sorted: Uint32Array,
  shared: Uint8Array,
  order: number,
): number[] {
  const sizes = Array.from({ length: order + 1 }, (_, length) => Number(length === 0));
  for (let i = 0; i < sorted.length; i++) {
    const at = sorted[i] as number;
    for (let length = shared[i] as number; length < order && text[at + length] !== 0; length++) {
      increment(sizes, length + 1);
    }
  }
  return sizes;
}

interface SortedText {
  readonly sorted: Uint32Array;
  readonly shared: Uint8Array;
  readonly sizes: readonly number[];
}

/** The nodes, with the counts of the longest n-grams and of those at the start of a sequence. */
function filled(text: Uint32Array, { sorted, shared, sizes }: SortedText) {
  const order = sizes.length - 1;
  const next = sizes.map((_, level) => sizes.slice(0, level).reduce((sum, size) => sum + size, 0));
  const inner = next[order] as number;
  const nodes = inner + (sizes[order] as number);
  const [tokens, counts] = [new Uint32Array(nodes), new Uint32Array(nodes)];
  const children = new Uint32Array(inner + 1);
  children[0] = 1;
  children[inner] = nodes;
  for (let i = 0; i < sorted.length; i++) {
    const at = sorted[i] as number;
    const isStart = text[at - 1] === 0;
    for (let length = 1; length <= order && text[at + length - 1] !== 0; length++) {
      if (length > (shared[i] as number)) {
        const node = increment(next, length);
        tokens[node] = (text[at + length - 1] as number) - 1;
        if (length < order) children[node] = next[length + 1] as number;
      }
      if (length === order || isStart) increment(counts, (next[length] as number) - 1);
    }
  }
  return { tokens, counts, children };
}

/** Adds, to each n-gram, the number of distinct longer ones that end in it. */
function countContinuations(trie: NgramTrie): void {
  const { tokens, counts, children } = trie;
  const inner = children.length - 1;
  /** The node of all but the first token of each n-gram. */
  const suffixes = new Uint32Array(inner);
  for (let node = levelStarts(trie)[1] as number; node < inner; node++) {
    for (let child = children[node] as number; child < (children[node + 1] as number); child++) {
      const suffix = childOf(trie, suffixes[node] as number, tokens[child] as number);
      increment(counts, suffix);
      if (child < inner) suffixes[child] = suffix;
    }
  }
}
