import * as z from 'zod/mini';
import { Condition, Expr, RuleInput } from './alert-rule.ts';
import { Labels } from './alert-matcher.ts';
import { Timestamp, TimestampInput } from '../../contract/timestamp.ts';
import { exactlyOne, says } from '../../contract/schema-rules.ts';

/**
 * The body of `POST /alerts/preview`: a condition and the range of the past to evaluate it over, by
 * default the last hour. `step_s` is the interval between evaluations; by default the range has at most
 * 240 steps.
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
  /** The threshold of the comparison; null where it is not a single number. */
  threshold: z.nullable(z.number()),
  op: z.nullable(z.string()),
  /** Ordered by the number of spans, descending. */
  series: z.array(PreviewSeries),
  /** Whether further series were left out. */
  truncated: z.boolean(),
  /** How often an alert would have started to fire, over all series. */
  firings: z.int(),
});
export type Preview = z.infer<typeof Preview>;
