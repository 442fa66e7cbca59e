import type { BrainRoute } from '../edge/brain/contract/reply.ts';
import { callEndpoint, type Http } from '../edge/contract/client.ts';
import { logEndpoints } from '../edge/logs/endpoints.ts';
import type { NewLogMessageInput } from '../edge/logs/contract/log-message.ts';

const PATIENCE_MS = 3_000;
/** Limit of pending messages while the log does not respond. */
const MOST = 32;

/** Logs the route of each prompt, unless too many messages are pending. */
export function createRouteLog(http: Http, onError: (error: unknown) => void) {
  let underWay = 0;
  return (route: BrainRoute): void => {
    if (underWay >= MOST) return;
    underWay += 1;
    const signal = AbortSignal.timeout(PATIENCE_MS);
    callEndpoint(http, logEndpoints.publishLog, { body: logOf(route), signal })
      .catch(onError)
      .finally(() => (underWay -= 1));
  };
}

const LEVELS = { answered: 'info', refused: 'warn', silent: 'error' } as const;

function logOf(route: BrainRoute): NewLogMessageInput {
  const { status, fallback, target, node_id, reason, pfc, at } = route;
  const level = status === 'answered' && fallback ? 'warn' : LEVELS[status];
  const message = `${target} → ${node_id ?? 'nobody'}: ${reason}`;
  return {
    message,
    level,
    source: pfc.node_id,
    module_type: 'pfc',
    event: 'route',
    timestamp: at,
    data: route,
  };
}
