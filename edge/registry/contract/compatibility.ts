import * as z from 'zod/mini';
import { DigestClaim } from '../../contract/digest.ts';
import { ModelSpec } from './model.ts';
import { says } from '../../contract/schema-rules.ts';

/**
 * The body of `POST /models/{id}/compatibility`: what a training would continue with. Training may
 * go on only where structure, vocabulary, tokenizer and artifact are exactly those of the base.
 */
export const CompatibilityRequest = z
  .strictObject({
    model_spec: z.optional(ModelSpec),
    model_spec_digest: z.optional(DigestClaim),
    tokenizer_digest: z.optional(DigestClaim),
    /** Of the weights: of the file that `model_spec.checkpoint_uri` names. */
    artifact_digest: z.optional(DigestClaim),
  })
  .check(
    says(
      { minProperties: 1 },
      z.refine(
        (requested) => Object.keys(requested).length > 0,
        'expected a model_spec or a digest at least',
      ),
    ),
  );
export type CompatibilityRequest = z.output<typeof CompatibilityRequest>;

export const CompatibilityAspect = z.enum(['structure', 'vocabulary', 'tokenizer', 'artifact']);
export type CompatibilityAspect = z.infer<typeof CompatibilityAspect>;

export const Mismatch = z.object({
  aspect: CompatibilityAspect,
  /** A JSON pointer into the request, such as `/model_spec/d_model`. */
  field: z.string(),
  /** The registered value and the requested one; null where there is none. */
  expected: z.unknown(),
  actual: z.unknown(),
});
export type Mismatch = z.infer<typeof Mismatch>;

/** The response of `POST /models/{id}/compatibility`. `compatible` covers the aspects in `checked` only. */
export const Compatibility = z.object({
  model_id: z.string(),
  version: z.string(),
  compatible: z.boolean(),
  /** Which of the four were compared: continuing a training needs all of them. */
  checked: z.array(CompatibilityAspect),
  mismatches: z.array(Mismatch),
});
export type Compatibility = z.infer<typeof Compatibility>;
