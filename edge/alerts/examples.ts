import type { Alert, Transition } from './contract/alert.ts';
import type { alertEndpoints } from './endpoints.ts';
import type { Receiver } from './contract/alert-receiver.ts';
import type { RuleRecord } from './contract/alert-rule.ts';
import type { Silence } from './contract/alert-silence.ts';
import type { ExamplesOf } from '../api-description/description.ts';

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

export const alertExamples: ExamplesOf<typeof alertEndpoints> = {
  listAlerts: {
    query: { severity: 'critical', filter: ['service="inference"'] },
    answers: { 200: { alerts: [alert], total: 1 } },
  },
  exportRules: { answers: { 200: { 'application/yaml': RULE_FILE } } },
  listRules: { answers: { 200: { rules: [rule], total: 1 } } },
  createRule: { body: { id: rule.id, ...asked }, answers: { 201: rule } },
  getRule: { params: aRule, answers: { 200: rule } },
  replaceRule: { params: aRule, body: asked, answers: { 200: { ...rule, revision: 2 } } },
  deleteRule: { params: aRule, answers: { 204: null } },
  previewRule: {
    body: { expr: EXPR, for_s: 120 },
    answers: {
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
    answers: { 200: { transitions: [transition], ...page } },
  },
  listSilences: {
    query: { state: 'active' },
    answers: { 200: { silences: [silence], ...page } },
  },
  createSilence: {
    body: {
      matchers: [{ name: 'service_name', value: 'inference' }],
      duration_s: 7200,
      comment: silence.comment,
    },
    answers: { 201: silence },
  },
  expireSilence: {
    params: { id: silence.id },
    answers: { 200: { ...silence, state: 'expired' } },
  },
  listReceivers: { answers: { 200: { receivers: [receiver], total: 1 } } },
  createReceiver: {
    body: { id: receiver.id, name: receiver.name, url: receiver.url },
    answers: { 201: { ...receiver, deliveries: [], secret: '3f8k2m9qv0ab3f8k2m9qv0ab' } },
  },
  deleteReceiver: { params: { id: receiver.id }, answers: { 204: null } },
  testReceiver: { params: { id: receiver.id }, answers: { 202: receiver } },
};
