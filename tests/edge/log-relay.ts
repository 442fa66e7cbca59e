import { Health } from '../../edge/health/contract/health.ts';
import { LogMetrics } from '../../edge/logs/contract/log-message.ts';
import { type Edge, postJson } from './harness.ts';

/** Publishes a message at a platform whose log goes through a Redis. */
export const publish = ({ gateway }: Edge, message: string) =>
  postJson(new URL('/distributed_brain/publish_log', gateway), { message });

export async function healthOf({ gateway }: Edge) {
  const health = Health.parse(await (await fetch(new URL('/health', gateway))).json());
  return health.checks['logs'];
}

/** Messages that no other platform will get. */
export async function dropsOf({ gateway }: Edge): Promise<number> {
  const answer = await fetch(new URL('/distributed_brain/metrics', gateway));
  return LogMetrics.parse(await answer.json()).persist_drops;
}

export const has = (message: string) => (log: { readonly message: string }) =>
  log.message === message;
