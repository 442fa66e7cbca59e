import type { Corpus, TokenRange } from '../data/corpus/corpus.ts';
import { countNgrams } from './count.ts';
import type { NgramTrie } from './trie.ts';

const CHUNK_TOKENS = 1 << 16;
/** Of a longer text than 4 million tokens, chunks spread over it are counted. */
const MAX_CHUNKS = 64;

/** Reads the part of a text that n-grams are counted in. */
export async function readCounted(
  corpus: Corpus,
  { start, end }: TokenRange,
): Promise<Uint32Array[]> {
  const chunks = Math.ceil((end - start) / CHUNK_TOKENS);
  if (chunks <= MAX_CHUNKS) return [await corpus.read(start, end)];
  const read: Uint32Array[] = [];
  for (let i = 0; i < MAX_CHUNKS; i++) {
    const first = start + Math.floor((i * chunks) / MAX_CHUNKS) * CHUNK_TOKENS;
    read.push(await corpus.read(first, Math.min(first + CHUNK_TOKENS, end)));
  }
  return read;
}

/** Counts the n-grams of a part of a text. */
export async function countCorpus(
  corpus: Corpus,
  range: TokenRange,
  order: number,
): Promise<NgramTrie> {
  const sequences = await readCounted(corpus, range);
  return countNgrams(sequences, { vocabulary: corpus.tokenizer.size, order });
}
