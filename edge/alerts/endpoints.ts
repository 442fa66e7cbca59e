import * as alertSchemas from './contract/alert.ts';
import { type Alert, AlertList, AlertQuery } from './contract/alert.ts';
import * as alertHistorySchemas from './contract/alert.ts';
import { HistoryList, HistoryQuery, type Transition } from './contract/alert.ts';
import * as alertPreviewSchemas from './contract/alert-preview.ts';
import { Preview, PreviewInput } from './contract/alert-preview.ts';
import * as alertReceiverSchemas from './contract/alert-receiver.ts';
import {
  CreatedReceiver,
  NewReceiver,
  Receiver,
  ReceiverId,
  ReceiverList,
} from './contract/alert-receiver.ts';
import * as alertRuleSchemas from './contract/alert-rule.ts';
import { NewRule, RuleId, RuleInput, RuleList, RuleRecord } from './contract/alert-rule.ts';
import * as alertSilenceSchemas from './contract/alert-silence.ts';
import { NewSilence, Silence, SilenceList, SilenceQuery } from './contract/alert-silence.ts';
import type { Endpoints } from '../contract/endpoint.ts';
import * as alertConditionSchemas from './contract/alert-rule.ts';
import * as alertMatcherSchemas from './contract/alert-matcher.ts';
import { anyId, describe, fromBody } from '../contract/endpoint-docs.ts';

const IF_MATCH = { 'if-match': 'The ETag the rule must have; another one answers 412.' };

/** Alerts, their rules, silences and notification receivers. */
export const alertEndpoints = {
  listAlerts: {
    method: 'GET',
    path: '/alerts',
    summary: 'Alerts that are pending, firing or suppressed, the gravest first.',
    access: 'metrics:read',
    query: AlertQuery,
    lists: ['filter'],
    responses: { 200: AlertList },
  },
  exportRules: {
    method: 'GET',
    path: '/alerts/rules.yaml',
    summary: 'The enabled rules as a Prometheus rule file.',
    access: 'metrics:read',
    responses: { 200: { media: ['application/yaml'] } },
  },
  listRules: {
    method: 'GET',
    path: '/alerts/rules',
    summary: 'All rules, by name, and how each is doing.',
    access: 'metrics:read',
    responses: { 200: RuleList },
  },
  createRule: {
    method: 'POST',
    path: '/alerts/rules',
    summary: 'Adds a rule.',
    access: 'admin',
    body: NewRule,
    responses: { 201: RuleRecord },
    problems: ['already_exists', 'limit_reached'],
  },
  getRule: {
    method: 'GET',
    path: '/alerts/rules/:id',
    summary: 'One rule, with its ETag.',
    access: 'metrics:read',
    responses: { 200: RuleRecord },
    problems: ['rule_not_found'],
  },
  replaceRule: {
    method: 'PUT',
    path: '/alerts/rules/:id',
    summary: 'Replaces a rule as a whole.',
    access: 'admin',
    body: RuleInput,
    responses: { 200: RuleRecord },
    problems: ['rule_not_found', 'precondition_failed'],
    headers: IF_MATCH,
  },
  deleteRule: {
    method: 'DELETE',
    path: '/alerts/rules/:id',
    summary: 'Removes a rule; its alerts resolve.',
    access: 'admin',
    responses: { 204: null },
    problems: ['rule_not_found', 'precondition_failed'],
    headers: IF_MATCH,
  },
  previewRule: {
    method: 'POST',
    path: '/alerts/preview',
    summary: 'When a rule would have been pending and firing in the past.',
    access: 'metrics:read',
    body: PreviewInput,
    responses: { 200: Preview },
  },
  listTransitions: {
    method: 'GET',
    path: '/alerts/history',
    summary: 'Changes of state of alerts, the latest first.',
    access: 'metrics:read',
    query: HistoryQuery,
    responses: { 200: HistoryList },
  },
  listSilences: {
    method: 'GET',
    path: '/alerts/silences',
    summary: 'Silences, the latest made first.',
    access: 'metrics:read',
    query: SilenceQuery,
    responses: { 200: SilenceList },
  },
  createSilence: {
    method: 'POST',
    path: '/alerts/silences',
    summary: 'Mutes notifications of matching alerts for a time.',
    access: 'metrics:write',
    body: NewSilence,
    responses: { 201: Silence },
    problems: ['limit_reached'],
  },
  expireSilence: {
    method: 'DELETE',
    path: '/alerts/silences/:id',
    summary: 'Ends a silence now; one that has ended stays as it is.',
    access: 'metrics:write',
    responses: { 200: Silence },
    problems: ['silence_not_found'],
  },
  listReceivers: {
    method: 'GET',
    path: '/alerts/receivers',
    summary: 'The webhooks that are notified of alerts, with their latest deliveries.',
    access: 'admin',
    responses: { 200: ReceiverList },
  },
  createReceiver: {
    method: 'POST',
    path: '/alerts/receivers',
    summary: 'Adds a webhook; the answer is the only one that shows its secret.',
    access: 'admin',
    body: NewReceiver,
    responses: { 201: CreatedReceiver },
    secret: true,
    problems: ['already_exists', 'limit_reached'],
  },
  deleteReceiver: {
    method: 'DELETE',
    path: '/alerts/receivers/:id',
    summary: 'Removes a webhook that no rule names.',
    access: 'admin',
    responses: { 204: null },
    problems: ['receiver_not_found', 'receiver_in_use'],
  },
  testReceiver: {
    method: 'POST',
    path: '/alerts/receivers/:id/test',
    summary: 'Sends the webhook a test notification, to be seen under its deliveries.',
    access: 'admin',
    responses: { 202: Receiver },
    problems: ['receiver_not_found'],
  },
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const alertDocs = () => {
  const EXPR = 'sum by (service) (rate(http_requests_total{status="5xx"}[5m])) > 1';

  const condition = {
    metric: 'http_requests_total',
    matchers: [{ name: 'status', op: '=' as const, value: '5xx' }],
    agg: 'rate' as const,
    window_s: 300,
    by: ['service'],
    op: '>' as const,
    threshold: 1,
  };

  const annotations = {
    summary: '{{ $labels.service }} answers with errors',
    description: '',
    runbook_url: '',
  };

  const rule: RuleRecord = {
    id: 'too-many-errors',
    name: 'TooManyErrors',
    condition,
    expr: EXPR,
    for_s: 120,
    keep_firing_for_s: 60,
    severity: 'critical',
    labels: { team: 'serving' },
    annotations,
    inhibits: [],
    receivers: ['on-call'],
    enabled: true,
    revision: 1,
    created_at: '2026-11-20T10:00:00Z',
    updated_at: '2026-11-20T10:00:00Z',
    state: 'inactive',
    alerts: 0,
    last_evaluated_at: null,
    last_error: null,
  };

  const labels = { alertname: rule.name, severity: 'critical', service: 'inference' };

  const alert: Alert = {
    fingerprint: '9f86d081884c7d65',
    name: rule.name,
    severity: rule.severity,
    service_name: 'inference',
    status: { state: 'firing', silencedBy: [], inhibitedBy: [] },
    labels,
    annotations: { ...annotations, summary: 'inference answers with errors' },
    startsAt: '2026-11-20T10:00:00Z',
    updatedAt: '2026-11-20T10:02:00Z',
    endsAt: null,
    value: 2.4,
    rule_id: rule.id,
    receivers: rule.receivers,
    generatorURL: '/alerts/rules/too-many-errors',
  };

  const transition: Transition = {
    id: '42',
    at: '2026-11-20T10:02:00Z',
    fingerprint: alert.fingerprint,
    rule_id: rule.id,
    name: rule.name,
    severity: rule.severity,
    service_name: 'inference',
    labels,
    from: 'pending',
    to: 'firing',
    value: alert.value,
  };

  const silence: Silence = {
    id: 'sil_01JD4XQ2T5W8Z3B6C9E0F2G4H7',
    matchers: [{ name: 'service_name', op: '=', value: 'inference' }],
    starts_at: '2026-11-20T10:00:00Z',
    ends_at: '2026-11-20T12:00:00Z',
    created_by: 'local',
    comment: 'A new version is rolled out.',
    created_at: '2026-11-20T10:00:00Z',
    updated_at: '2026-11-20T10:00:00Z',
    state: 'active',
  };

  const receiver: Receiver = {
    id: 'on-call',
    name: 'On call',
    url: 'https://hooks.example.com/alerts',
    send_resolved: true,
    group_by: ['alertname'],
    group_wait_s: 10,
    group_interval_s: 60,
    repeat_interval_s: 14_400,
    events: ['failover.executed'],
    created_at: '2026-11-20T09:00:00Z',
    deliveries: [
      {
        id: '7',
        group_labels: { alertname: rule.name },
        kind: 'firing',
        alerts: 1,
        status: 'delivered',
        attempts: 1,
        created_at: '2026-11-20T10:02:10Z',
        last_attempt_at: '2026-11-20T10:02:10Z',
        next_attempt_at: null,
        http_status: 200,
        error: null,
      },
    ],
  };

  /** A rule as it is sent. It names no receiver, so that it holds where none was added. */
  const asked = {
    name: rule.name,
    expr: EXPR,
    for_s: rule.for_s,
    keep_firing_for_s: rule.keep_firing_for_s,
    severity: rule.severity,
    labels: rule.labels,
    annotations: { summary: annotations.summary },
  };

  const RULE_FILE = [
    'groups:',
    '  - name: spikegrid',
    '    rules:',
    '      - alert: TooManyErrors',
    `        expr: '${EXPR}'`,
    '        for: 2m',
    '',
  ].join('\n');

  const page = { total: 1, has_more: false, next_cursor: null };
  const aRule = { id: rule.id };

  return describe(alertEndpoints, {
    schemas: [
      alertSchemas,
      alertConditionSchemas,
      alertHistorySchemas,
      alertMatcherSchemas,
      alertPreviewSchemas,
      alertReceiverSchemas,
      alertRuleSchemas,
      alertSilenceSchemas,
    ],
    params: {
      'rules/:id': { description: 'The rule.', schema: RuleId },
      'silences/:id': { description: 'The silence.', schema: anyId() },
      'receivers/:id': { description: 'The receiver.', schema: ReceiverId },
    },
    operations: {
      listAlerts: {
        query: { severity: 'critical', filter: ['service="inference"'] },
        responses: { 200: { alerts: [alert], total: 1 } },
      },
      exportRules: { responses: { 200: { 'application/yaml': RULE_FILE } } },
      listRules: { responses: { 200: { rules: [rule], total: 1 } } },
      createRule: {
        body: { id: rule.id, ...asked },
        responses: { 201: rule },
        links: {
          201: {
            getRule: { id: fromBody('id') },
            replaceRule: { id: fromBody('id') },
            deleteRule: { id: fromBody('id') },
          },
        },
      },
      getRule: { params: aRule, responses: { 200: rule } },
      replaceRule: { params: aRule, body: asked, responses: { 200: { ...rule, revision: 2 } } },
      deleteRule: { params: aRule, responses: { 204: null } },
      previewRule: {
        body: { expr: EXPR, for_s: 120 },
        responses: {
          200: {
            expr: EXPR,
            from: '2026-11-20T09:00:00Z',
            to: '2026-11-20T10:00:00Z',
            step_s: 15,
            threshold: 1,
            op: '>',
            series: [
              {
                labels: { service_name: 'inference' },
                points: [[1_795_168_800_000, 2.4]],
                spans: [{ state: 'firing', from: '2026-11-20T09:40:00Z', to: null }],
              },
            ],
            truncated: false,
            firings: 1,
          },
        },
      },
      listTransitions: {
        query: { rule_id: rule.id, limit: '100' },
        responses: { 200: { transitions: [transition], ...page } },
      },
      listSilences: {
        query: { state: 'active' },
        responses: { 200: { silences: [silence], ...page } },
      },
      createSilence: {
        body: {
          matchers: [{ name: 'service_name', value: 'inference' }],
          duration_s: 7200,
          comment: silence.comment,
        },
        responses: { 201: silence },
        links: { 201: { expireSilence: { id: fromBody('id') } } },
      },
      expireSilence: {
        params: { id: silence.id },
        responses: { 200: { ...silence, state: 'expired' } },
      },
      listReceivers: { responses: { 200: { receivers: [receiver], total: 1 } } },
      createReceiver: {
        body: { id: receiver.id, name: receiver.name, url: receiver.url },
        responses: { 201: { ...receiver, deliveries: [], secret: '3f8k2m9qv0ab3f8k2m9qv0ab' } },
        links: {
          201: { testReceiver: { id: fromBody('id') }, deleteReceiver: { id: fromBody('id') } },
        },
      },
      deleteReceiver: { params: { id: receiver.id }, responses: { 204: null } },
      testReceiver: { params: { id: receiver.id }, responses: { 202: receiver } },
    },
  });
};
