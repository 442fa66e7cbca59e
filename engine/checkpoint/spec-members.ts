import * as z from 'zod/mini';
import { TOKENIZER_KINDS } from '../data/tokenizers/tokenizer.ts';

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

/** Of a family that reads text. */
export const textSpec = { ...anySpec, vocab_size: count, tokenizer: TokenizerReference } as const;
