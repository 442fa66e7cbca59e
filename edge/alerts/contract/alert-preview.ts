import * as z from 'zod/mini';
import { Condition, Expr } from './alert-condition.ts';
import { Labels } from './alert-matcher.ts';
import { RuleInput } from './alert-rule.ts';
import { Timestamp, TimestampInput } from '../../contract/timestamp.ts';
import { exactlyOne, says } from '../../contract/schema-rules.ts';

/**
 * The body of `POST /alerts/preview`: a rule's condition and the past to try it on, the last hour
 * where `from` and `to` are left out. `step_s` is how often it is evaluated; by itself a step of
 * at most 240 in the range.
 */
export const PreviewInput = z
  .strictObject({
    condition: z.optional(Condition),
    expr: z.optional(Expr),
    for_s: RuleInput.shape.for_s,
    keep_firing_for_s: RuleInput.shape.keep_firing_for_s,
    from: z.optional(TimestampInput),
    to: z.optional(TimestampInput),
    step_s: z.optional(z.int().check(z.minimum(1), z.maximum(86_400))),
  })
  .check(
    says(
      exactlyOne('condition', 'expr'),
      z.refine(({ condition, expr }) => (condition === undefined) !== (expr === undefined), {
        path: ['condition'],
        error: 'expected either condition or expr, not both and not neither',
      }),
    ),
  );
export type PreviewInputBody = z.input<typeof PreviewInput>;
export type PreviewInput = z.output<typeof PreviewInput>;

export const PreviewSpan = z.object({
  state: z.enum(['pending', 'firing']),
  from: Timestamp,
  /** Null where it lasts to the end of the range. */
  to: z.nullable(Timestamp),
});
export type PreviewSpan = z.infer<typeof PreviewSpan>;

/** One series of the condition: its values, and when it would have been pending and firing. */
export const PreviewSeries = z.object({
  labels: Labels,
  /** Pairs of a time in milliseconds since 1970 and the value. */
  points: z.array(z.tuple([z.number(), z.number()])),
  spans: z.array(PreviewSpan),
});
export type PreviewSeries = z.infer<typeof PreviewSeries>;

export const Preview = z.object({
  expr: z.string(),
  from: Timestamp,
  to: Timestamp,
  step_s: z.int(),
  /** What the values are compared with; null where that is not one number. */
  threshold: z.nullable(z.number()),
  op: z.nullable(z.string()),
  /** Those with the most spans first. */
  series: z.array(PreviewSeries),
  /** Whether there were more series than are shown. */
  truncated: z.boolean(),
  /** How often an alert would have begun to fire, over all series. */
  firings: z.int(),
});
export type Preview = z.infer<typeof Preview>;
