import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { alertEndpoints } from '../../edge/alerts/endpoints.ts';
import type { HistoryQuery } from '../../edge/alerts/contract/alert.ts';
import type { Preview, PreviewInputBody } from '../../edge/alerts/contract/alert-preview.ts';
import type {
  CreatedReceiver,
  NewReceiverInput,
} from '../../edge/alerts/contract/alert-receiver.ts';
import type { NewRuleInput, RuleRecord, Severity } from '../../edge/alerts/contract/alert-rule.ts';
import type { NewSilenceInput, Silence } from '../../edge/alerts/contract/alert-silence.ts';
import { callEndpoint } from '../../edge/contract/endpoint-client.ts';
import { serviceHttp } from './service-http.ts';

const http = serviceHttp('/monitoring');

/** Every list of alerting is under this key, so that one change asks for all of them again. */
export const ALERTS_KEY = ['alerts'] as const;

const EVERY_MS = 10_000;

export interface AlertSearch {
  readonly severity?: Severity;
  readonly service?: string;
  readonly filter?: readonly string[];
}

export const alertsQuery = (search: AlertSearch) =>
  queryOptions({
    queryKey: [...ALERTS_KEY, 'list', search],
    refetchInterval: EVERY_MS,
    queryFn: async ({ signal }) => {
      const query = { ...search, resolved: 'true' };
      return (await callEndpoint(http, alertEndpoints.listAlerts, { query, signal })).body;
    },
  });

export const rulesQuery = queryOptions({
  queryKey: [...ALERTS_KEY, 'rules'],
  refetchInterval: EVERY_MS,
  queryFn: async ({ signal }) =>
    (await callEndpoint(http, alertEndpoints.listRules, { signal })).body,
});

export const silencesQuery = queryOptions({
  queryKey: [...ALERTS_KEY, 'silences'],
  refetchInterval: EVERY_MS,
  queryFn: async ({ signal }) =>
    (await callEndpoint(http, alertEndpoints.listSilences, { query: { limit: 100 }, signal })).body,
});

export const receiversQuery = queryOptions({
  queryKey: [...ALERTS_KEY, 'receivers'],
  refetchInterval: EVERY_MS,
  queryFn: async ({ signal }) =>
    (await callEndpoint(http, alertEndpoints.listReceivers, { signal })).body,
});

const HISTORY_PAGE = 50;

export const historyQuery = (search: Partial<Pick<HistoryQuery, 'rule_id' | 'state'>>) =>
  infiniteQueryOptions({
    queryKey: [...ALERTS_KEY, 'history', search],
    refetchInterval: EVERY_MS,
    queryFn: async ({ signal, pageParam }) => {
      const cursor = pageParam === null ? {} : { cursor: pageParam };
      const query = { ...search, limit: HISTORY_PAGE, ...cursor };
      return (await callEndpoint(http, alertEndpoints.listTransitions, { query, signal })).body;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

/** When a condition would have been pending and firing in the past. */
export async function previewRule(body: PreviewInputBody, signal: AbortSignal): Promise<Preview> {
  return (await callEndpoint(http, alertEndpoints.previewRule, { body, signal })).body;
}

export async function createRule(body: NewRuleInput): Promise<RuleRecord> {
  return (await callEndpoint(http, alertEndpoints.createRule, { body })).body;
}

/** @throws ProblemError precondition_failed where the rule was changed since `before` was read */
export async function replaceRule(before: RuleRecord, rule: NewRuleInput): Promise<RuleRecord> {
  const { id: _, ...body } = rule;
  const asked = { params: { id: before.id }, body, headers: ifMatch(before) };
  return (await callEndpoint(http, alertEndpoints.replaceRule, asked)).body;
}

export async function deleteRule(rule: RuleRecord): Promise<void> {
  const asked = { params: { id: rule.id }, headers: ifMatch(rule) };
  await callEndpoint(http, alertEndpoints.deleteRule, asked);
}

const ifMatch = ({ revision }: RuleRecord) => ({ 'if-match': `"${revision}"` });

export async function createSilence(body: NewSilenceInput): Promise<Silence> {
  return (await callEndpoint(http, alertEndpoints.createSilence, { body })).body;
}

export async function expireSilence(id: string): Promise<void> {
  await callEndpoint(http, alertEndpoints.expireSilence, { params: { id } });
}

export async function createReceiver(body: NewReceiverInput): Promise<CreatedReceiver> {
  return (await callEndpoint(http, alertEndpoints.createReceiver, { body })).body;
}

export async function deleteReceiver(id: string): Promise<void> {
  await callEndpoint(http, alertEndpoints.deleteReceiver, { params: { id } });
}

export async function testReceiver(id: string): Promise<void> {
  await callEndpoint(http, alertEndpoints.testReceiver, { params: { id } });
}
