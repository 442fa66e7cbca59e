import * as z from 'zod/mini';
import { Labels, Matchers } from './alert-matcher.ts';
import { LabelName, MetricName } from '../../monitoring/contract/metrics.ts';
import { exactlyOne, has, implies, needs, none, says } from '../../contract/schema-rules.ts';
import { ReceiverId } from './alert-receiver.ts';
import { Timestamp } from '../../contract/timestamp.ts';

/**
 * The aggregation of a series over the window. `last` to `increase` are as in Prometheus; `p50` to `p99`
 * are quantiles of a histogram; `absent` is 1 where the window has no sample, and nothing otherwise.
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
 * The condition of an alert: it is raised for each series, or for each group of series by the labels in
 * `by`, whose value compares true with the threshold. With `divided_by` the value is a ratio of two
 * metrics, per group. `absent` needs no threshold.
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

export const Severity = z.enum(['critical', 'warning', 'info']);
export type Severity = z.infer<typeof Severity>;

export const RuleId = z
  .string()
  .check(
    z.regex(
      /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}$/,
      'expected 1 to 64 letters, digits, - and _, a letter or digit first',
    ),
  );

const MAX_DURATION_S = 7 * 86_400;
const Duration = z.int().check(z.minimum(0), z.maximum(MAX_DURATION_S));

/** Texts about an alert. `{{ $labels.x }}` and `{{ $value }}` are filled in for each alert. */
export const Annotations = z.strictObject({
  summary: z.prefault(z.string().check(z.maxLength(1024)), ''),
  description: z.prefault(z.string().check(z.maxLength(4096)), ''),
  runbook_url: z.prefault(
    z
      .string()
      .check(z.maxLength(1024), z.regex(/^(?:https?:\/\/[^\s]+)?$/, 'expected an http(s) URL')),
    '',
  ),
});
export type Annotations = z.output<typeof Annotations>;

/**
 * Alerts that are suppressed while an alert of this rule fires with the same values of the labels `equal`.
 */
export const Inhibition = z.strictObject({
  matchers: Matchers.check(z.minLength(1)),
  equal: z.prefault(z.array(LabelName).check(z.maxLength(8)), []),
});
export type Inhibition = z.output<typeof Inhibition>;

const OwnLabels = Labels.check(
  says(
    { maxProperties: 16 },
    z.refine((labels) => Object.keys(labels).length <= 16, 'expected at most 16 labels'),
  ),
  says(
    none('alertname', 'severity'),
    z.refine(
      (labels) => !('alertname' in labels) && !('severity' in labels),
      'expected no alertname and no severity: name and severity of the rule become these labels',
    ),
  ),
);

const shape = {
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(128)),
  for_s: z.prefault(Duration, 0),
  keep_firing_for_s: z.prefault(Duration, 0),
  severity: z.prefault(Severity, 'warning'),
  labels: z.prefault(OwnLabels, {}),
  annotations: z.prefault(Annotations, {}),
  inhibits: z.prefault(z.array(Inhibition).check(z.maxLength(8)), []),
  receivers: z.prefault(z.array(ReceiverId).check(z.maxLength(8)), []),
  enabled: z.prefault(z.boolean(), true),
};

const oneCondition = says(
  exactlyOne('condition', 'expr'),
  z.refine<{ condition?: unknown; expr?: unknown }>(
    ({ condition, expr }) => (condition === undefined) !== (expr === undefined),
    { path: ['condition'], error: 'expected either condition or expr, not both and not neither' },
  ),
);
const expression = { condition: z.optional(Condition), expr: z.optional(Expr) };

/** The body of `PUT /alerts/rules/{id}`: a rule as a whole. */
export const RuleInput = z.strictObject({ ...expression, ...shape }).check(oneCondition);
export type RuleInput = z.output<typeof RuleInput>;

/** The body of `POST /alerts/rules`; an id is generated where none is given. */
export const NewRule = z
  .strictObject({ id: z.optional(RuleId), ...expression, ...shape })
  .check(oneCondition);
export type NewRuleInput = z.input<typeof NewRule>;
export type NewRule = z.output<typeof NewRule>;

/** The state of a rule after its last evaluation. */
export const RuleState = z.enum(['inactive', 'pending', 'firing', 'disabled']);
export type RuleState = z.infer<typeof RuleState>;

/** A rule with its condition as PromQL and, where it is one aggregation or ratio, as data; and how it is doing. */
export const RuleRecord = z.object({
  id: RuleId,
  name: z.string(),
  /** Null where it can only be written in PromQL. */
  condition: z.nullable(Condition),
  expr: z.string(),
  for_s: z.int(),
  keep_firing_for_s: z.int(),
  severity: Severity,
  labels: Labels,
  annotations: Annotations,
  inhibits: z.array(Inhibition),
  receivers: z.array(ReceiverId),
  enabled: z.boolean(),
  /** Counts changes of the rule; the ETag names it. */
  revision: z.int(),
  created_at: Timestamp,
  updated_at: Timestamp,
  state: RuleState,
  alerts: z.int(),
  last_evaluated_at: z.nullable(Timestamp),
  last_error: z.nullable(z.string()),
});
export type RuleRecord = z.infer<typeof RuleRecord>;

/** The response of `GET /alerts/rules`: every rule, ordered by name. */
export const RuleList = z.object({ rules: z.array(RuleRecord), total: z.int() });
export type RuleList = z.infer<typeof RuleList>;
