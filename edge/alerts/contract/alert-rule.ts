import * as z from 'zod/mini';
import { Condition, Expr } from './alert-condition.ts';
import { Labels, Matchers } from './alert-matcher.ts';
import { ReceiverId } from './alert-receiver.ts';
import { LabelName } from '../../monitoring/contract/metrics.ts';
import { Timestamp } from '../../contract/timestamp.ts';
import { exactlyOne, none, says } from '../../contract/schema-rules.ts';

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

/** Alerts that are not told of while an alert of this rule fires with the same labels `equal`. */
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
const asked = { condition: z.optional(Condition), expr: z.optional(Expr) };

/** The body of `PUT /alerts/rules/{id}`: a rule as a whole. */
export const RuleInput = z.strictObject({ ...asked, ...shape }).check(oneCondition);
export type RuleInput = z.output<typeof RuleInput>;

/** The body of `POST /alerts/rules`; a rule without an id is given one. */
export const NewRule = z
  .strictObject({ id: z.optional(RuleId), ...asked, ...shape })
  .check(oneCondition);
export type NewRuleInput = z.input<typeof NewRule>;
export type NewRule = z.output<typeof NewRule>;

/** What became of the last evaluation of a rule. */
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

/** What `GET /alerts/rules` answers: every rule, by name. */
export const RuleList = z.object({ rules: z.array(RuleRecord), total: z.int() });
export type RuleList = z.infer<typeof RuleList>;
