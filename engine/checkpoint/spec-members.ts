import * as z from 'zod/mini';
import { TOKENIZER_KINDS } from '../data/tokenizers/tokenizer.ts';
import { MAX_ORDER } from '../ngrams/trie.ts';

/** Characters of a SHA-256 in hexadecimal. */
const MAX_DIGEST = 64;

/** Members that the model_specs of several families have. */

export const count = z.int().check(z.positive());

export const TokenizerReference = z.object({
  name: z.enum(TOKENIZER_KINDS),
  /** Of the form of the file and of what its parts mean. */
  revision: z.string(),
  files_sha256: z.record(z.string(), z.string()),
});
export type TokenizerReference = z.infer<typeof TokenizerReference>;

/** Of every family. */
export const anySpec = { model_spec_version: z.literal(1) } as const;

/** Of a model whose logits have the log-probabilities of n-grams added to them. */
export const NgramSpec = z.object({
  order: count.check(z.maximum(MAX_ORDER)),
  /** Nodes of the trie, and those of n-grams shorter than `order`. */
  nodes: count,
  inner: count,
  /** Of the text that they were counted in. */
  text_sha256: z.string().check(z.maxLength(MAX_DIGEST)),
});
export type NgramSpec = z.infer<typeof NgramSpec>;

/** Of a family that reads text. */
export const textSpec = {
  ...anySpec,
  vocab_size: count,
  tokenizer: TokenizerReference,
  ngrams: z.optional(NgramSpec),
} as const;
