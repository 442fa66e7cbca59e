import * as z from 'zod/mini';

/** One thing wrong with a request: a place in its body (`pointer`, RFC 6901) or a `parameter`. */
export const ProblemItem = z.object({
  pointer: z.optional(z.string()),
  parameter: z.optional(z.string()),
  code: z.string(),
  detail: z.string(),
});
export type ProblemItem = z.infer<typeof ProblemItem>;

/**
 * A problem document (RFC 9457). `code` is open, so that an older client understands a newer
 * server; the members a code adds (`capacity`, `mismatches`) stay on the object.
 */
export const ProblemDocument = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.string(),
  code: z.string(),
  errors: z.optional(z.array(ProblemItem)),
  trace_id: z.string(),
  retryable: z.boolean(),
});
export type ProblemDocument = z.infer<typeof ProblemDocument>;
