import { EngineError } from '../../errors.ts';
import { type BpeModel, BYTE_TOKENS, joinBytes } from './bpe-model.ts';
import { leftOf, MAX_TOKENS, type PairKey, pairKey, PairQueue, rightOf } from './pair-queue.ts';
import { ownCopy, PieceSplitter } from './splitters.ts';

interface BpeTrainingOptions {
  /** Tokens in all, the 256 bytes included; fewer where the text has no pairs left to merge. */
  readonly vocabulary: number;
  /** Rarer pairs are not merged; 2 by default. */
  readonly minFrequency?: number;
  /** Distinct pieces that are counted; beyond that the rarest are dropped, which bounds memory. */
  readonly maxPieces?: number;
  readonly signal?: AbortSignal;
}

const DEFAULT_PIECES = 1 << 20;

/**
 * Learns byte-level merges (Sennrich et al. 2016, arXiv:1508.07909): repeatedly the most frequent pair of
 * neighbours within a piece becomes a token, among equals the pair of the oldest tokens. The same text gives
 * the same model, however it is streamed. Throws EngineError `invalid-setting` for sizes out of range and
 * `text-too-short` for an empty text.
 */
export async function trainBpe(
  parts: AsyncIterable<string> | Iterable<string>,
  options: BpeTrainingOptions,
): Promise<BpeModel> {
  const { vocabulary, minFrequency = 2, maxPieces = DEFAULT_PIECES, signal } = options;
  checkRange('vocabulary', vocabulary, [BYTE_TOKENS, MAX_TOKENS]);
  checkRange('minFrequency', minFrequency, [1, Number.MAX_SAFE_INTEGER]);
  checkRange('maxPieces', maxPieces, [1, 1 << 23]);
  const counts = new PieceCounts(maxPieces);
  const splitter = new PieceSplitter((piece) => counts.add(piece));
  for await (const part of parts) {
    signal?.throwIfAborted();
    splitter.push(part);
  }
  splitter.end();
  if (counts.pieces.size === 0) {
    throw new EngineError(
      'text-too-short',
      'the text is empty: expected text to learn merges from',
    );
  }
  return new MergeLearner(counts.pieces).learn({ vocabulary, minFrequency, signal });
}

function checkRange(name: string, value: number, [min, max]: readonly [number, number]): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new EngineError(
    'invalid-setting',
    `${name} is ${value}: expected a whole number from ${min} to ${max}`,
  );
}

/** Frequencies of pieces, of a bounded number of distinct ones. */
class PieceCounts {
  readonly pieces = new Map<string, number>();
  readonly #max: number;
  #forgotten = 0;

  constructor(max: number) {
    this.#max = max;
  }

  add(piece: string): void {
    const known = this.pieces.get(piece);
    if (known !== undefined) {
      this.pieces.set(piece, known + 1);
      return;
    }
    const own = ownCopy(piece);
    this.pieces.set(own, (this.pieces.get(own) ?? 0) + 1);
    while (this.pieces.size > this.#max) {
      this.#forgotten++;
      for (const [rare, count] of this.pieces) {
        if (count <= this.#forgotten) this.pieces.delete(rare);
      }
    }
  }
}

/** Pieces as tokens and an index of their pairs, updated with each merge. */
class MergeLearner {
  readonly #words: number[][] = [];
  readonly #wordCounts: number[] = [];
  readonly #pairCounts = new Map<PairKey, number>();
  /** Words that have had the pair; some may have lost it since. */
  readonly #places = new Map<PairKey, number[]>();
  readonly #queue = new PairQueue();

  constructor(pieces: ReadonlyMap<string, number>) {
    const utf8 = new TextEncoder();
    for (const [piece, count] of pieces) {
      const tokens = [...utf8.encode(piece)];
      const word = this.#words.push(tokens) - 1;
      this.#wordCounts.push(count);
      for (const key of pairsOf(tokens)) {
        this.#pairCounts.set(key, (this.#pairCounts.get(key) ?? 0) + count);
        this.#addPlace(key, word);
      }
    }
    for (const [key, count] of this.#pairCounts) this.#queue.push(key, count);
  }

  learn(options: {
    vocabulary: number;
    minFrequency: number;
    signal: AbortSignal | undefined;
  }): BpeModel {
    const tokens: Uint8Array[] = Array.from({ length: BYTE_TOKENS }, (_, byte) =>
      Uint8Array.of(byte),
    );
    const idOf = new Map(tokens.map((bytes, id) => [String(bytes), id]));
    const merges: { left: number; right: number; merged: number }[] = [];
    while (tokens.length < options.vocabulary) {
      options.signal?.throwIfAborted();
      const next = this.#queue.pop();
      if (!next || next.count < options.minFrequency) break;
      // Each change of a count queues the pair again: this entry may be outdated.
      if (this.#pairCounts.get(next.key) !== next.count) continue;
      const [left, right] = [leftOf(next.key), rightOf(next.key)];
      const bytes = joinBytes([left, right].flatMap((id) => tokens[id] ?? []));
      // Two pairs may make the same bytes, which are one token then.
      const merged = idOf.get(String(bytes)) ?? tokens.push(bytes) - 1;
      idOf.set(String(bytes), merged);
      merges.push({ left, right, merged });
      this.#merge(next.key, merged);
    }
    return { tokens, merges };
  }

  #merge(key: PairKey, merged: number): void {
    const changes = new Map<PairKey, number>();
    const change = (pair: PairKey, by: number) => changes.set(pair, (changes.get(pair) ?? 0) + by);
    for (const word of this.#places.get(key) ?? []) {
      const before = this.#words[word] ?? [];
      const after = mergeTokens(before, key, merged);
      if (after.length === before.length) continue;
      this.#words[word] = after;
      const count = this.#wordCounts[word] ?? 0;
      for (const pair of pairsOf(before)) change(pair, -count);
      for (const pair of pairsOf(after)) change(pair, count);
      this.#addPlaces(word, merged);
    }
    this.#places.delete(key);
    for (const [pair, by] of changes) if (by !== 0) this.#recount(pair, by);
  }

  #recount(pair: PairKey, by: number): void {
    const count = (this.#pairCounts.get(pair) ?? 0) + by;
    if (count === 0) {
      this.#pairCounts.delete(pair);
      this.#places.delete(pair);
      return;
    }
    this.#pairCounts.set(pair, count);
    this.#queue.push(pair, count);
  }

  /** Notes that the word has the pairs that a token is part of. */
  #addPlaces(word: number, token: number): void {
    for (const pair of pairsOf(this.#words[word] ?? [])) {
      if (leftOf(pair) === token || rightOf(pair) === token) this.#addPlace(pair, word);
    }
  }

  #addPlace(key: PairKey, word: number): void {
    const places = this.#places.get(key);
    if (!places) this.#places.set(key, [word]);
    else if (places.at(-1) !== word) places.push(word);
  }
}

/** Every two neighbours, from left to right. */
function pairsOf(tokens: readonly number[]): PairKey[] {
  return tokens.slice(1).map((right, i) => pairKey(tokens[i] ?? 0, right));
}

/** The tokens with every pair from left to right made one. */
function mergeTokens(tokens: readonly number[], key: PairKey, merged: number): number[] {
  const [left, right] = [leftOf(key), rightOf(key)];
  const out: number[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const isPair = tokens[i] === left && tokens[i + 1] === right;
    out.push(isPair ? merged : (tokens[i] ?? 0));
    if (isPair) i++;
  }
  return out;
}
