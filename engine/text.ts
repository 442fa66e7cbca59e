/** Text on its way to tokens, for index.ts. */
export type { BpeModel, Merge } from './data/tokenizers/bpe-model.ts';
export { type BpeTokenizer, createBpeTokenizer } from './data/tokenizers/bpe-tokenizer.ts';
export { decodeTokenizer, encodeTokenizer } from './data/tokenizers/bpe-file.ts';
export { type BpeTrainingOptions, trainBpe } from './data/tokenizers/train-bpe.ts';
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
export {
  type FilterTally,
  NORMALISATIONS,
  type Normalisation,
  type PreparedText,
  prepareText,
  TEXT_FORMATS,
  type TextFormat,
  type TextPreparation,
} from './data/text/prepared-text.ts';
export {
  choiceFrom,
  preparationFields,
  type PreparationFields,
  preparationFrom,
  recordedText,
  textFields,
  type TextFields,
  textFieldsAmong,
  tokenizerFields,
} from './datasets/text-fields.ts';
export { CharacterCount } from './data/text/character-count.ts';
export type { CharacterTokenizer } from './data/tokenizers/character-tokenizer.ts';
export type { TextTokenizer } from './data/tokenizers/text-tokenizer.ts';
export {
  DEFAULT_VOCABULARY,
  type Tokenizer,
  TOKENIZER_KINDS,
  type TokenizerChoice,
  type TokenizerKind,
  unitOf,
} from './data/tokenizers/tokenizer.ts';
export { openBlobStore, type OpenTokenStore, type TokenStore } from './data/corpus/token-store.ts';
export { preparationOf, TextRecord, textRecordOf } from './checkpoint/text-record.ts';
export {
  readTokenizer,
  tokenizerFile,
  tokenizerReferenceOf,
  vocabularyOf,
} from './checkpoint/tokenizer-bundle.ts';
export { inspectText, type InspectOptions, type TextReport } from './data/corpus/inspect-text.ts';
export { type AskedText, type VocabularyGap, vocabularyGap } from './datasets/vocabulary-gap.ts';
