import * as z from 'zod/mini';

/** Members that the model_specs of several families have. */

export const count = z.int().check(z.positive());

export const TokenizerReference = z.object({
  name: z.literal('character'),
  revision: z.string(),
  files_sha256: z.record(z.string(), z.string()),
});

/** Of every family. */
export const anySpec = { model_spec_version: z.literal(1) } as const;

/** Of a family that reads text. */
export const textSpec = { ...anySpec, vocab_size: count, tokenizer: TokenizerReference } as const;
