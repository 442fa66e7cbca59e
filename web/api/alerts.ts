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
import { clientOf } from '../../edge/contract/client.ts';
import { serviceHttp } from './service-http.ts';

const http = serviceHttp('/monitoring');
const alertApi = clientOf(alertEndpoints, http);

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
    queryFn: ({ signal }) =>
      alertApi.listAlerts({ query: { ...search, resolved: 'true' }, signal }),
  });

export const rulesQuery = queryOptions({
  queryKey: [...ALERTS_KEY, 'rules'],
  refetchInterval: EVERY_MS,
  queryFn: ({ signal }) => alertApi.listRules({ signal }),
});

export const silencesQuery = queryOptions({
  queryKey: [...ALERTS_KEY, 'silences'],
  refetchInterval: EVERY_MS,
  queryFn: ({ signal }) => alertApi.listSilences({ query: { limit: 100 }, signal }),
});

export const receiversQuery = queryOptions({
  queryKey: [...ALERTS_KEY, 'receivers'],
  refetchInterval: EVERY_MS,
  queryFn: ({ signal }) => alertApi.listReceivers({ signal }),
});

const HISTORY_PAGE = 50;

export const historyQuery = (search: Partial<Pick<HistoryQuery, 'rule_id' | 'state'>>) =>
  infiniteQueryOptions({
    queryKey: [...ALERTS_KEY, 'history', search],
    refetchInterval: EVERY_MS,
    queryFn: async ({ signal, pageParam }) => {
      const cursor = pageParam === null ? {} : { cursor: pageParam };
      return alertApi.listTransitions({
        query: { ...search, limit: HISTORY_PAGE, ...cursor },
        signal,
      });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

/** When a condition would have been pending and firing in the past. */
export const previewRule = (body: PreviewInputBody, signal: AbortSignal): Promise<Preview> =>
  alertApi.previewRule({ body, signal });

export const createRule = (body: NewRuleInput): Promise<RuleRecord> =>
  alertApi.createRule({ body });

/** @throws ProblemError precondition_failed where the rule was changed since `before` was read */
export async function replaceRule(before: RuleRecord, rule: NewRuleInput): Promise<RuleRecord> {
  const { id: _, ...body } = rule;
  return alertApi.replaceRule({ params: { id: before.id }, body, headers: ifMatch(before) });
}

export async function deleteRule(rule: RuleRecord): Promise<void> {
  await alertApi.deleteRule({ params: { id: rule.id }, headers: ifMatch(rule) });
}

const ifMatch = ({ revision }: RuleRecord) => ({ 'if-match': `"${revision}"` });

export const createSilence = (body: NewSilenceInput): Promise<Silence> =>
  alertApi.createSilence({ body });

export async function expireSilence(id: string): Promise<void> {
  await alertApi.expireSilence({ params: { id } });
}

export const createReceiver = (body: NewReceiverInput): Promise<CreatedReceiver> =>
  alertApi.createReceiver({ body });

export async function deleteReceiver(id: string): Promise<void> {
  await alertApi.deleteReceiver({ params: { id } });
}

export async function testReceiver(id: string): Promise<void> {
  await alertApi.testReceiver({ params: { id } });
}
