import { CAPTION_MARK, type CaptionBatch } from '../../data/captions/caption-batches.ts';
import type { CaptionedSet } from '../../data/captions/captions.ts';
import type { Tokenizer } from '../../data/tokenizers/tokenizer.ts';
import { countNgrams } from '../../ngrams/count.ts';
import type { NgramModel } from '../../ngrams/kneser-ney.ts';
import type { NgramTrie } from '../../ngrams/trie.ts';
import { createNgramPriors } from '../language/ngram-prior.ts';
import type { BatchShape } from '../language/text-programs.ts';

/** Captions with the marks around them, as far as a network of so many tokens reads them. */
export function captionSequences(
  { captions }: CaptionedSet,
  places: readonly number[],
  { tokenizer, sequence }: { readonly tokenizer: Tokenizer; readonly sequence: number },
): Uint32Array[] {
  return places.map((place) => {
    const tokens = tokenizer.encode(`${CAPTION_MARK}${captions[place]}${CAPTION_MARK}`);
    return tokens.subarray(0, sequence + 1);
  });
}

/** Counts the n-grams of the captions that a run learns from. */
export function countCaptions(
  set: CaptionedSet,
  { order, ...reading }: { order: number; tokenizer: Tokenizer; sequence: number },
): NgramTrie {
  const sequences = captionSequences(set, set.train, reading);
  return countNgrams(sequences, { vocabulary: reading.tokenizer.size, order });
}

/** Log-probabilities `f32[batch * sequence, vocabulary]` of the tokens of captions, which see no image. */
export interface CaptionPriors {
  of(batch: CaptionBatch): Float32Array;
  /** The same to learn from: of each token, the occurrence at hand is not counted. */
  leftOut(batch: CaptionBatch): Float32Array;
}

/** Tables read the whole caption, whatever is hidden from the network. */
export function createCaptionPriors(
  model: NgramModel,
  shape: BatchShape,
  tokenizer: Tokenizer,
): CaptionPriors {
  const { batch, sequence } = shape;
  const priors = createNgramPriors(model, shape);
  const [mark = 0] = tokenizer.encode(CAPTION_MARK);
  const ids = new Uint32Array(batch * sequence);
  const wholeOf = ({ targets }: CaptionBatch) => {
    ids.set(targets.subarray(0, -1), 1);
    for (let row = 0; row < batch; row++) ids[row * sequence] = mark;
    return { ids, targets };
  };
  return {
    of: (captions) => priors.of(wholeOf(captions)),
    leftOut: (captions) => priors.leftOut(wholeOf(captions)),
  };
}
