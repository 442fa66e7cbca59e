import type { ServicesHealth } from '../../../edge/contract/service.ts';
import type { GatewayText } from './gateway-text.ts';

/** What `GET /services/health?strict=true` answers, in a sentence. */
export function strictSentence({ t, format }: GatewayText, { services }: ServicesHealth): string {
  const names = Object.keys(services);
  const critical = names.filter((name) => services[name]?.status === 'critical');
  if (critical.length === 0) return t('lead.passes', { count: names.length });
  return t('lead.fails', { failing: format.list(critical) });
}
