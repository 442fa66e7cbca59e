import type { ServicesHealth } from '../../../edge/contract/service.ts';
import type { OverviewText } from './words/en-overview.ts';

/** The state of all services in one sentence: "2 of 3 services are passing; look at registry." */
export function healthSentence({ t, format }: OverviewText, { services }: ServicesHealth): string {
  const names = Object.keys(services);
  const failing = names.filter((name) => services[name]?.status !== 'passing');
  const count = names.length;
  if (count === 0) return t('overview.noServices');
  if (failing.length === 0) return t('overview.allPassing', { count });
  const passing = count - failing.length;
  return t('overview.somePassing', { count, passing, failing: format.list(failing) });
}
