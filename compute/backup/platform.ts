import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Answered,
  type CallInput,
  callEndpoint,
  type Http,
  openHttp,
} from '../../edge/contract/client.ts';
import type { Endpoint } from '../../edge/contract/endpoint.ts';
import { keyHeaders } from '../cli/gateway-access.ts';
import { ProblemError } from '../../edge/contract/problem-error.ts';

/** How long an answer is waited for again where none came, and how often. */
const AGAIN_MS = 1_000;
const MAX_TRIES = 5;

/** A platform by its gateway, as whoever backs it up or restores it talks to it. */
export interface Platform {
  readonly http: Http;
  /** Calls an endpoint; retries after `Retry-After` or if there was no response. */
  readonly call: Call;
}

type Call = <P extends Endpoint>(endpoint: P, input: CallInput<P>) => Promise<Answered<P>>;

interface PlatformOptions {
  readonly gateway: string;
  readonly keyFile?: string | undefined;
  readonly signal: AbortSignal;
}

export function openPlatform({ gateway, keyFile, signal }: PlatformOptions): Platform {
  const headers = keyHeaders(keyFile === undefined ? undefined : readFileSync(keyFile, 'utf8'));
  const base = gateway.replace(/\/+$/, '');
  const http = openHttp({ base, headers, fetch: patientFetch(signal) });
  return { http, call: (endpoint, input) => callEndpoint(http, endpoint, input) };
}

/** Waits where there are too many requests, and asks again where the network failed. */
function patientFetch(signal: AbortSignal): typeof fetch {
  return async (input, init) => {
    for (let tries = 1; ; tries++) {
      try {
        const answer = await fetch(input, { ...init, signal });
        const wait = waitOf(answer);
        if (wait === undefined || tries >= MAX_TRIES) return answer;
        await answer.body?.cancel();
        await sleep(wait, undefined, { signal });
      } catch (error) {
        if (signal.aborted || tries >= MAX_TRIES || error instanceof ProblemError) throw error;
        await sleep(AGAIN_MS, undefined, { signal });
      }
    }
  };
}

function waitOf({ status, headers }: Response): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  return Math.max(1, Number(headers.get('retry-after')) || 1) * 1_000;
}
