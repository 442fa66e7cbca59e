import * as z from 'zod/mini';
import { Matchers } from './alert-matcher.ts';
import { LabelName, MetricName } from '../../monitoring/contract/metrics.ts';
import { has, implies, needs, none, says } from '../../contract/schema-rules.ts';

/**
 * What is made of a series over the window. `last` to `increase` as in Prometheus; `p50` to `p99`
 * are quantiles of what a histogram saw; `absent` is 1 where no sample came, and nothing where one
 * did.
 */
export const ConditionAgg = z.enum([
  'last',
  'avg',
  'min',
  'max',
  'sum',
  'rate',
  'increase',
  'p50',
  'p90',
  'p95',
  'p99',
  'absent',
]);
export type ConditionAgg = z.infer<typeof ConditionAgg>;

export const CompareOp = z.enum(['>', '>=', '<', '<=', '==', '!=']);
export type CompareOp = z.infer<typeof CompareOp>;

/** The series of a metric that count: all of them, or those every matcher holds for. */
const Selector = z.strictObject({ metric: MetricName, matchers: z.prefault(Matchers, []) });

const IS_ABSENT = { properties: { agg: { const: 'absent' } }, required: ['agg'] };
const IS_QUANTILE = { properties: { agg: { pattern: '^p' } }, required: ['agg'] };
const ONLY_EQUAL = {
  properties: { matchers: { items: { properties: { op: { const: '=' } }, required: ['op'] } } },
};

/**
 * When a rule's alert is raised: for each series, or for each group of series by the labels in
 * `by`, whose value compares with the threshold. With `divided_by` the value is a ratio of two
 * metrics, group by group. `absent` needs no threshold.
 */
export const Condition = z
  .strictObject({
    ...Selector.shape,
    agg: ConditionAgg,
    window_s: z.prefault(z.int().check(z.minimum(1), z.maximum(86_400)), 300),
    by: z.optional(z.array(LabelName).check(z.maxLength(8))),
    divided_by: z.optional(Selector),
    op: z.prefault(CompareOp, '>'),
    threshold: z.optional(z.number()),
  })
  .check(
    says(
      { anyOf: [IS_ABSENT, has('threshold')] },
      z.refine(({ agg, threshold }) => agg === 'absent' || threshold !== undefined, {
        path: ['threshold'],
        error: 'expected a number to compare with',
      }),
    ),
    says(
      needs('divided_by', 'by'),
      z.refine(({ divided_by, by }) => divided_by === undefined || by !== undefined, {
        path: ['by'],
        error: 'expected the labels by which a ratio is formed, [] for one ratio over all series',
      }),
    ),
    says(
      implies({ allOf: [IS_QUANTILE, has('by')] }, ONLY_EQUAL),
      z.refine(
        ({ agg, by, matchers }) =>
          by === undefined || !agg.startsWith('p') || matchers.every(({ op }) => op === '='),
        { path: ['matchers'], error: 'a quantile over groups takes matchers with = only' },
      ),
    ),
    says(
      implies(IS_QUANTILE, none('divided_by')),
      z.refine(({ agg, divided_by }) => divided_by === undefined || !agg.startsWith('p'), {
        path: ['divided_by'],
        error: 'a quantile is not divided',
      }),
    ),
    says(
      implies(IS_ABSENT, none('by', 'divided_by')),
      z.refine(({ agg, divided_by, by }) => agg !== 'absent' || (!divided_by && !by), {
        path: ['agg'],
        error: 'absent goes with neither by nor divided_by',
      }),
    ),
  );
export type ConditionInput = z.input<typeof Condition>;
export type Condition = z.output<typeof Condition>;

/** A condition in PromQL; docs/design/telemetry.md lists what of it is supported. */
export const Expr = z.string().check(z.trim(), z.minLength(1), z.maxLength(2048));
