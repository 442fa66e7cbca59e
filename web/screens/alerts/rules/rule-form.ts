import type {
  CompareOp,
  ConditionAgg,
  ConditionInput,
  NewRuleInput,
  RuleRecord,
  Severity,
} from '../../../../edge/alerts/contract/alert-rule.ts';
import { LabelName, MetricName } from '../../../../edge/monitoring/contract/metrics.ts';
import {
  piecesOf,
  readDuration,
  readMatchers,
  writeDuration,
  writeMatchers,
} from '../alert-syntax.ts';

/** A rule as it is typed: unfinished values are text. */
export interface RuleForm {
  readonly name: string;
  readonly mode: 'fields' | 'expr';
  readonly metric: string;
  readonly matchers: string;
  readonly agg: ConditionAgg;
  readonly window: string;
  readonly group: 'each' | 'all' | 'by';
  readonly by: string;
  readonly op: CompareOp;
  readonly threshold: string;
  readonly expr: string;
  readonly pendingFor: string;
  readonly keep: string;
  readonly severity: Severity;
  readonly labels: string;
  readonly summary: string;
  readonly description: string;
  readonly runbook: string;
  readonly receivers: readonly string[];
  readonly state: 'on' | 'off';
}

export const EMPTY_FORM: RuleForm = {
  name: '',
  mode: 'fields',
  metric: '',
  matchers: '',
  agg: 'avg',
  window: '5m',
  group: 'each',
  by: '',
  op: '>',
  threshold: '',
  expr: '',
  pendingFor: '1m',
  keep: '0s',
  severity: 'warning',
  labels: '',
  summary: '',
  description: '',
  runbook: '',
  receivers: [],
  state: 'on',
};

/** The form of an existing rule. */
export function formOf(rule: RuleRecord): RuleForm {
  const { condition, annotations } = rule;
  return {
    ...EMPTY_FORM,
    ...(condition && fieldsOf(condition)),
    // Ratios and conditions without data exist only as PromQL.
    mode: condition && !condition.divided_by ? 'fields' : 'expr',
    name: rule.name,
    expr: rule.expr,
    pendingFor: writeDuration(rule.for_s),
    keep: writeDuration(rule.keep_firing_for_s),
    severity: rule.severity,
    labels: Object.entries(rule.labels)
      .map(([name, value]) => `${name}=${value}`)
      .join(', '),
    summary: annotations.summary,
    description: annotations.description,
    runbook: annotations.runbook_url,
    receivers: rule.receivers,
    state: rule.enabled ? 'on' : 'off',
  };
}

function fieldsOf({ by, ...condition }: NonNullable<RuleRecord['condition']>) {
  return {
    metric: condition.metric,
    matchers: writeMatchers(condition.matchers),
    agg: condition.agg,
    window: writeDuration(condition.window_s),
    group: by === undefined ? 'each' : by.length === 0 ? 'all' : 'by',
    by: by?.join(', ') ?? '',
    op: condition.op,
    threshold: condition.threshold === undefined ? '' : String(condition.threshold),
  } as const;
}

type FormProblem =
  | 'badName'
  | 'badMetric'
  | 'badMatchers'
  | 'badDuration'
  | 'badThreshold'
  | 'badExpr'
  | 'badBy'
  | 'badLabels';

/** Faults by field. */
export type FormProblems = { readonly [Name in keyof RuleForm]?: FormProblem };

const isNumber = (written: string) =>
  /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(written.normalize('NFKC').trim());
const isDuration = (written: string) => readDuration(written) !== undefined;

export function problemsOf(form: RuleForm): FormProblems {
  return {
    ...conditionProblems(form),
    ...(form.name.trim() === '' && { name: 'badName' as const }),
    ...(readLabels(form.labels) === undefined && { labels: 'badLabels' as const }),
    ...(!isDuration(form.pendingFor) && { pendingFor: 'badDuration' as const }),
    ...(!isDuration(form.keep) && { keep: 'badDuration' as const }),
  };
}

/** The faults of the condition fields. */
export function conditionProblems(form: RuleForm): FormProblems {
  if (form.mode === 'expr') return form.expr.trim() === '' ? { expr: 'badExpr' } : {};
  return {
    ...(!MetricName.safeParse(form.metric.trim()).success && { metric: 'badMetric' as const }),
    ...(readMatchers(form.matchers) === undefined && { matchers: 'badMatchers' as const }),
    ...((readDuration(form.window) ?? 0) < 1 && { window: 'badDuration' as const }),
    ...(form.agg !== 'absent' && comparisonProblems(form)),
  };
}

function comparisonProblems({ group, by, threshold }: RuleForm): FormProblems {
  const names = piecesOf(by);
  const isGrouped = group !== 'by' || (names.length > 0 && names.every(isLabelName));
  return {
    ...(!isGrouped && { by: 'badBy' as const }),
    ...(!isNumber(threshold) && { threshold: 'badThreshold' as const }),
  };
}

const isLabelName = (name: string) => LabelName.safeParse(name).success;

type ConditionBody = { readonly condition: ConditionInput } | { readonly expr: string };

/** The condition of a valid form. */
export function conditionOf(form: RuleForm): ConditionBody {
  if (form.mode === 'expr') return { expr: form.expr };
  const isAbsent = form.agg === 'absent';
  const by = form.group === 'by' ? piecesOf(form.by) : [];
  return {
    condition: {
      metric: form.metric.trim(),
      matchers: readMatchers(form.matchers) ?? [],
      agg: form.agg,
      window_s: readDuration(form.window) ?? 0,
      op: form.op,
      ...(!isAbsent && { threshold: Number(form.threshold.normalize('NFKC')) }),
      ...(!isAbsent && form.group !== 'each' && { by }),
    },
  };
}

/** The rule of a valid form; fields that the form does not show are unchanged. */
export function ruleOf(form: RuleForm, before: RuleRecord | undefined): NewRuleInput {
  return {
    name: form.name,
    ...conditionOf(form),
    for_s: readDuration(form.pendingFor) ?? 0,
    keep_firing_for_s: readDuration(form.keep) ?? 0,
    severity: form.severity,
    labels: readLabels(form.labels) ?? {},
    annotations: {
      summary: form.summary,
      description: form.description,
      runbook_url: form.runbook.trim(),
    },
    inhibits: before ? [...before.inhibits] : [],
    receivers: [...form.receivers],
    enabled: form.state === 'on',
  };
}

function readLabels(written: string): Record<string, string> | undefined {
  const pairs = piecesOf(written).map((piece) => /^(\w+)\s*=\s*"?(.*?)"?$/.exec(piece));
  if (pairs.some((pair) => pair === null || !isLabelName(pair[1] ?? ''))) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']));
}
