import { readFileSync } from 'node:fs';
import { callEndpoint, openHttp } from '../../edge/contract/client.ts';
import { logEndpoints } from '../../edge/logs/endpoints.ts';
import { keyHeaders } from '../cli/gateway-access.ts';
import type { BootstrapKey } from './bootstrap-key.ts';

interface LogNotesOptions {
  readonly gateway: string;
  readonly key: BootstrapKey | undefined;
}

const TRIES = 20;
const TRY_AGAIN_MS = 3_000;
const TIME_LIMIT_MS = 5_000;

/**
 * Publishes events of processes to the platform's log, for remote readers. Waits for a gateway that is
 * down, as workerd may be the process that ended; the terminal shows the message in any case.
 */
export function createLogNotes({ gateway, key }: LogNotesOptions): (message: string) => void {
  const publish = async (message: string, timestamp: string) => {
    const headers = keyHeaders(key ? readFileSync(key.path, 'utf8').trim() : '');
    const log = { level: 'error', source: 'launcher', event: 'process_ended' } as const;
    await callEndpoint(openHttp({ base: gateway, headers }), logEndpoints.publishLog, {
      body: { ...log, message, timestamp },
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    });
  };
  return (message) => {
    const timestamp = new Date().toISOString();
    const attempt = (left: number): void => {
      publish(message, timestamp).catch(() => {
        if (left > 0) setTimeout(attempt, TRY_AGAIN_MS, left - 1).unref();
      });
    };
    attempt(TRIES);
  };
}
