/** Text on its way to tokens, for index.ts. */
export type { BpeModel, Merge } from './data/bpe/bpe-model.ts';
export {
  type BpeDecoder,
  type BpeEncoder,
  type BpeTokenizer,
  createBpeTokenizer,
} from './data/bpe/bpe-tokenizer.ts';
export { decodeTokenizer, encodeTokenizer } from './data/bpe/tokenizer-file.ts';
export { type BpeTrainingOptions, trainBpe } from './data/bpe/train-bpe.ts';
export { aozoraFilter } from './data/text/aozora.ts';
export {
  detectEncoding,
  readText,
  type ReadTextOptions,
  TEXT_ENCODINGS,
  type TextEncodingName,
} from './data/text/encoding.ts';
export { filterText, type TextFilter } from './data/text/filter.ts';
export { NORMAL_FORMS, type NormalForm, normaliser } from './data/text/normalise.ts';
