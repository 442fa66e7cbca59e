import { alertEndpoints } from '../../edge/alerts/endpoints.ts';
import type { Alert } from '../../edge/alerts/contract/alert.ts';
import type { NewReceiverInput } from '../../edge/alerts/contract/alert-receiver.ts';
import type { NewRuleInput, RuleRecord } from '../../edge/alerts/contract/alert-rule.ts';
import type { NewSilenceInput, Silence } from '../../edge/alerts/contract/alert-silence.ts';
import { callEndpoint, type Http, openHttp } from '../../edge/contract/client.ts';
import { postJson } from './harness.ts';

/** Rules are evaluated at this pace; that they are is awaited, never slept for. */
export const FAST_ALERTS = {
  ALERTS_INTERVAL_MS: 100,
  ALERTS_RETRY_MS: 50,
  TARGET_ALLOWLIST: ['*', '127.0.0.1'],
};
export const WAIT = { timeout: 15_000, interval: 50 };

/** A rule that fires while the newest value of the metric of its name is over 10. */
export const overTen = (metric: string) => ({
  id: metric,
  name: metric,
  condition: { metric, agg: 'last' as const, threshold: 10 },
});

/** Client of the alerts of a monitoring service, for tests. */
export function alertClient(monitoring: URL) {
  const http: Http = openHttp({ base: monitoring.origin });
  const alerts = async (query: Record<string, string | readonly string[]> = {}): Promise<Alert[]> =>
    (await callEndpoint(http, alertEndpoints.listAlerts, { query })).body.alerts;
  return {
    http,
    alerts,
    /** The states of a rule's alerts, ended ones included. */
    states: async (ruleId: string): Promise<string[]> =>
      (await alerts({ resolved: 'true' }))
        .filter(({ rule_id }) => rule_id === ruleId)
        .map(({ status }) => status.state),
    addRule: async (body: NewRuleInput): Promise<RuleRecord> =>
      (await callEndpoint(http, alertEndpoints.createRule, { body })).body,
    addSilence: async (body: NewSilenceInput): Promise<Silence> =>
      (await callEndpoint(http, alertEndpoints.createSilence, { body })).body,
    addReceiver: async (body: NewReceiverInput) =>
      (await callEndpoint(http, alertEndpoints.createReceiver, { body })).body,
    async measure(name: string, value: number, labels: Record<string, string> = {}): Promise<void> {
      const metrics = [{ name, type: 'gauge', value, labels }];
      const answer = await postJson(new URL('/metrics', monitoring), {
        service_name: 'demo',
        metrics,
      });
      const { rejected } = (await answer.json()) as { rejected: number };
      if (rejected !== 0) throw new Error(`${name} was refused`);
    },
  };
}
export type AlertClient = ReturnType<typeof alertClient>;
