import * as alertSchemas from './contract/alert.ts';
import * as alertPreviewSchemas from './contract/alert-preview.ts';
import { Preview, PreviewInput } from './contract/alert-preview.ts';
import * as alertReceiverSchemas from './contract/alert-receiver.ts';
import * as alertRuleSchemas from './contract/alert-rule.ts';
import * as alertSilenceSchemas from './contract/alert-silence.ts';
import { type Endpoints, get, post, put, del } from '../contract/endpoint.ts';
import * as alertMatcherSchemas from './contract/alert-matcher.ts';
import { anyId, describe, fromBody, linksTo } from '../contract/endpoint-docs.ts';

const IF_MATCH = { 'if-match': 'The ETag the rule must have; another one answers 412.' };

/** Alerts, their rules, silences and notification receivers. */
export const alertEndpoints = {
  listAlerts: get('/alerts', 'metrics:read', {
    summary: 'Alerts that are pending, firing or suppressed, the gravest first.',
    query: alertSchemas.AlertQuery,
    lists: ['filter'],
    responses: { 200: alertSchemas.AlertList },
  }),
  exportRules: get('/alerts/rules.yaml', 'metrics:read', {
    summary: 'The enabled rules as a Prometheus rule file.',
    responses: { 200: { media: ['application/yaml'] } },
  }),
  listRules: get('/alerts/rules', 'metrics:read', {
    summary: 'All rules, by name, and how each is doing.',
    responses: { 200: alertRuleSchemas.RuleList },
  }),
  createRule: post('/alerts/rules', 'admin', {
    summary: 'Adds a rule.',
    body: alertRuleSchemas.NewRule,
    responses: { 201: alertRuleSchemas.RuleRecord },
    problems: ['already_exists', 'limit_reached'],
  }),
  getRule: get('/alerts/rules/:id', 'metrics:read', {
    summary: 'One rule, with its ETag.',
    responses: { 200: alertRuleSchemas.RuleRecord },
    problems: ['rule_not_found'],
  }),
  replaceRule: put('/alerts/rules/:id', 'admin', {
    summary: 'Replaces a rule as a whole.',
    body: alertRuleSchemas.RuleInput,
    responses: { 200: alertRuleSchemas.RuleRecord },
    problems: ['rule_not_found', 'precondition_failed'],
    headers: IF_MATCH,
  }),
  deleteRule: del('/alerts/rules/:id', 'admin', {
    summary: 'Removes a rule; its alerts resolve.',
    responses: { 204: null },
    problems: ['rule_not_found', 'precondition_failed'],
    headers: IF_MATCH,
  }),
  previewRule: post('/alerts/preview', 'metrics:read', {
    summary: 'When a rule would have been pending and firing in the past.',
    body: PreviewInput,
    responses: { 200: Preview },
  }),
  listTransitions: get('/alerts/history', 'metrics:read', {
    summary: 'Changes of state of alerts, the latest first.',
    query: alertSchemas.HistoryQuery,
    responses: { 200: alertSchemas.HistoryList },
  }),
  listSilences: get('/alerts/silences', 'metrics:read', {
    summary: 'Silences, the latest made first.',
    query: alertSilenceSchemas.SilenceQuery,
    responses: { 200: alertSilenceSchemas.SilenceList },
  }),
  createSilence: post('/alerts/silences', 'metrics:write', {
    summary: 'Mutes notifications of matching alerts for a time.',
    body: alertSilenceSchemas.NewSilence,
    responses: { 201: alertSilenceSchemas.Silence },
    problems: ['limit_reached'],
  }),
  expireSilence: del('/alerts/silences/:id', 'metrics:write', {
    summary: 'Ends a silence now; one that has ended stays as it is.',
    responses: { 200: alertSilenceSchemas.Silence },
    problems: ['silence_not_found'],
  }),
  listReceivers: get('/alerts/receivers', 'admin', {
    summary: 'The webhooks that are notified of alerts, with their latest deliveries.',
    responses: { 200: alertReceiverSchemas.ReceiverList },
  }),
  createReceiver: post('/alerts/receivers', 'admin', {
    summary: 'Adds a webhook; the answer is the only one that shows its secret.',
    body: alertReceiverSchemas.NewReceiver,
    responses: { 201: alertReceiverSchemas.CreatedReceiver },
    secret: true,
    problems: ['already_exists', 'limit_reached'],
  }),
  deleteReceiver: del('/alerts/receivers/:id', 'admin', {
    summary: 'Removes a webhook that no rule names.',
    responses: { 204: null },
    problems: ['receiver_not_found', 'receiver_in_use'],
  }),
  testReceiver: post('/alerts/receivers/:id/test', 'admin', {
    summary: 'Sends the webhook a test notification, to be seen under its deliveries.',
    responses: { 202: alertReceiverSchemas.Receiver },
    problems: ['receiver_not_found'],
  }),
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

  const rule: alertRuleSchemas.RuleRecord = {
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

  const alert: alertSchemas.Alert = {
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

  const transition: alertSchemas.Transition = {
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

  const silence: alertSilenceSchemas.Silence = {
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

  const receiver: alertReceiverSchemas.Receiver = {
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
      alertRuleSchemas,
      alertMatcherSchemas,
      alertPreviewSchemas,
      alertReceiverSchemas,
      alertSilenceSchemas,
    ],
    params: {
      'rules/:id': { description: 'The rule.', schema: alertRuleSchemas.RuleId },
      'silences/:id': { description: 'The silence.', schema: anyId() },
      'receivers/:id': { description: 'The receiver.', schema: alertReceiverSchemas.ReceiverId },
    },
    operations: {
      listAlerts: {
        query: { severity: 'critical', filter: ['service="inference"'] },
        answer: { alerts: [alert], total: 1 },
      },
      exportRules: { answer: { 'application/yaml': RULE_FILE } },
      listRules: { answer: { rules: [rule], total: 1 } },
      createRule: {
        body: { id: rule.id, ...asked },
        answer: rule,
        links: { 201: linksTo({ id: fromBody('id') }, 'getRule', 'replaceRule', 'deleteRule') },
      },
      getRule: { params: aRule, answer: rule },
      replaceRule: { params: aRule, body: asked, answer: { ...rule, revision: 2 } },
      deleteRule: { params: aRule, answer: null },
      previewRule: {
        body: { expr: EXPR, for_s: 120 },
        answer: {
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
      listTransitions: {
        query: { rule_id: rule.id, limit: '100' },
        answer: { transitions: [transition], ...page },
      },
      listSilences: {
        query: { state: 'active' },
        answer: { silences: [silence], ...page },
      },
      createSilence: {
        body: {
          matchers: [{ name: 'service_name', value: 'inference' }],
          duration_s: 7200,
          comment: silence.comment,
        },
        answer: silence,
        links: { 201: { expireSilence: { id: fromBody('id') } } },
      },
      expireSilence: {
        params: { id: silence.id },
        answer: { ...silence, state: 'expired' },
      },
      listReceivers: { answer: { receivers: [receiver], total: 1 } },
      createReceiver: {
        body: { id: receiver.id, name: receiver.name, url: receiver.url },
        answer: { ...receiver, deliveries: [], secret: '3f8k2m9qv0ab3f8k2m9qv0ab' },
        links: { 201: linksTo({ id: fromBody('id') }, 'testReceiver', 'deleteReceiver') },
      },
      deleteReceiver: { params: { id: receiver.id }, answer: null },
      testReceiver: { params: { id: receiver.id }, answer: receiver },
    },
  });
};
