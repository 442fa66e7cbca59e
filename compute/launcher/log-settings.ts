import { secretOf } from '../process/secrets.ts';
import { OperatorError } from '../process/operator-error.ts';

/** Settings of the log stream that come from the environment; wrangler.toml has the others. */
export type LogSettings = Readonly<
  Partial<
    Record<'DISTRIBUTED_WS_REDIS', string> &
      Record<'DISTRIBUTED_WS_REDIS_QUEUE' | 'DISTRIBUTED_WS_SEND_TIMEOUT', number>
  >
>;

/** @throws OperatorError naming the variable, its value and what was expected */
export function readLogSettings(env: Readonly<Record<string, string | undefined>>): LogSettings {
  const { DISTRIBUTED_WS_REDIS_QUEUE: queue, DISTRIBUTED_WS_SEND_TIMEOUT: timeout } = env;
  const redis = redisOf(env);
  return {
    ...(redis && { DISTRIBUTED_WS_REDIS: redis }),
    ...(queue && { DISTRIBUTED_WS_REDIS_QUEUE: parseQueue(queue) }),
    ...(timeout && { DISTRIBUTED_WS_SEND_TIMEOUT: parseTimeout(timeout) }),
  };
}

/** The URL may hold a password, so it may lie in a file. */
function redisOf(env: Readonly<Record<string, string | undefined>>): string | undefined {
  try {
    return secretOf(env, 'DISTRIBUTED_WS_REDIS');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`DISTRIBUTED_WS_REDIS_FILE cannot be read (${reason})`);
  }
}

function parseTimeout(text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= 3600) return seconds;
  throw new OperatorError(
    `DISTRIBUTED_WS_SEND_TIMEOUT is "${text}", expected seconds above 0 and up to 3600`,
  );
}

function parseQueue(text: string): number {
  const messages = Number(text);
  if (Number.isInteger(messages) && messages >= 1 && messages <= 10_000) return messages;
  throw new OperatorError(
    `DISTRIBUTED_WS_REDIS_QUEUE is "${text}", expected a whole number from 1 to 10000`,
  );
}
