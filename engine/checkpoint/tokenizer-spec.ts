import * as z from 'zod/mini';
import { TOKENIZER_KINDS } from '../data/tokenizer.ts';

/** What a model_spec says of its tokenizer. */
export const TokenizerSpec = z.object({
  name: z.enum(TOKENIZER_KINDS),
  /** Of the form of the file and of what its parts mean. */
  revision: z.string(),
  files_sha256: z.record(z.string(), z.string()),
});
export type TokenizerSpec = z.infer<typeof TokenizerSpec>;
