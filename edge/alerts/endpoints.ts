import { AlertList, AlertQuery } from './contract/alert.ts';
import { HistoryList, HistoryQuery } from './contract/alert-history.ts';
import { Preview, PreviewInput } from './contract/alert-preview.ts';
import { CreatedReceiver, NewReceiver, Receiver, ReceiverList } from './contract/alert-receiver.ts';
import { NewRule, RuleInput, RuleList, RuleRecord } from './contract/alert-rule.ts';
import { NewSilence, Silence, SilenceList, SilenceQuery } from './contract/alert-silence.ts';
import type { Endpoints } from '../contract/endpoint.ts';

const IF_MATCH = { 'if-match': 'The ETag the rule must have; another one answers 412.' };

/** Alerts: what is wrong, the rules that say so, silences, and who is told. */
export const alertEndpoints = {
  listAlerts: {
    method: 'GET',
    path: '/alerts',
    summary: 'Alerts that are pending, firing or suppressed, the gravest first.',
    access: 'metrics:read',
    query: AlertQuery,
    lists: ['filter'],
    answers: { 200: AlertList },
  },
  exportRules: {
    method: 'GET',
    path: '/alerts/rules.yaml',
    summary: 'The enabled rules as a Prometheus rule file.',
    access: 'metrics:read',
    answers: { 200: { media: ['application/yaml'] } },
  },
  listRules: {
    method: 'GET',
    path: '/alerts/rules',
    summary: 'All rules, by name, and how each is doing.',
    access: 'metrics:read',
    answers: { 200: RuleList },
  },
  createRule: {
    method: 'POST',
    path: '/alerts/rules',
    summary: 'Adds a rule.',
    access: 'admin',
    body: NewRule,
    answers: { 201: RuleRecord },
    problems: ['already_exists', 'limit_reached'],
  },
  getRule: {
    method: 'GET',
    path: '/alerts/rules/:id',
    summary: 'One rule, with its ETag.',
    access: 'metrics:read',
    answers: { 200: RuleRecord },
    problems: ['rule_not_found'],
  },
  replaceRule: {
    method: 'PUT',
    path: '/alerts/rules/:id',
    summary: 'Replaces a rule as a whole.',
    access: 'admin',
    body: RuleInput,
    answers: { 200: RuleRecord },
    problems: ['rule_not_found', 'precondition_failed'],
    headers: IF_MATCH,
  },
  deleteRule: {
    method: 'DELETE',
    path: '/alerts/rules/:id',
    summary: 'Removes a rule; its alerts resolve.',
    access: 'admin',
    answers: { 204: null },
    problems: ['rule_not_found', 'precondition_failed'],
    headers: IF_MATCH,
  },
  previewRule: {
    method: 'POST',
    path: '/alerts/preview',
    summary: 'When a rule would have been pending and firing in the past.',
    access: 'metrics:read',
    body: PreviewInput,
    answers: { 200: Preview },
  },
  listTransitions: {
    method: 'GET',
    path: '/alerts/history',
    summary: 'Changes of state of alerts, the latest first.',
    access: 'metrics:read',
    query: HistoryQuery,
    answers: { 200: HistoryList },
  },
  listSilences: {
    method: 'GET',
    path: '/alerts/silences',
    summary: 'Silences, the latest made first.',
    access: 'metrics:read',
    query: SilenceQuery,
    answers: { 200: SilenceList },
  },
  createSilence: {
    method: 'POST',
    path: '/alerts/silences',
    summary: 'Keeps matching alerts from being told of for a time.',
    access: 'metrics:write',
    body: NewSilence,
    answers: { 201: Silence },
    problems: ['limit_reached'],
  },
  expireSilence: {
    method: 'DELETE',
    path: '/alerts/silences/:id',
    summary: 'Ends a silence now; one that has ended stays as it is.',
    access: 'metrics:write',
    answers: { 200: Silence },
    problems: ['silence_not_found'],
  },
  listReceivers: {
    method: 'GET',
    path: '/alerts/receivers',
    summary: 'The webhooks that are told of alerts, with their latest deliveries.',
    access: 'admin',
    answers: { 200: ReceiverList },
  },
  createReceiver: {
    method: 'POST',
    path: '/alerts/receivers',
    summary: 'Adds a webhook; the answer is the only one that shows its secret.',
    access: 'admin',
    body: NewReceiver,
    answers: { 201: CreatedReceiver },
    secret: true,
    problems: ['already_exists', 'limit_reached'],
  },
  deleteReceiver: {
    method: 'DELETE',
    path: '/alerts/receivers/:id',
    summary: 'Removes a webhook that no rule names.',
    access: 'admin',
    answers: { 204: null },
    problems: ['receiver_not_found', 'receiver_in_use'],
  },
  testReceiver: {
    method: 'POST',
    path: '/alerts/receivers/:id/test',
    summary: 'Sends the webhook a test notification, to be seen under its deliveries.',
    access: 'admin',
    answers: { 202: Receiver },
    problems: ['receiver_not_found'],
  },
} as const satisfies Endpoints;
