import * as z from 'zod/mini';
import { HealthStatus } from '../health/contract/health.ts';
import type { HealthPolicy } from '../contract/service.ts';
import { readBytes, chunksOf } from '../http/body.ts';
import { Problem } from '../http/problem.ts';
import type { Verdict } from './health-machine.ts';

/** More than any health document needs; what sends more does not know what it is asked. */
const MOST_BYTES = 64 * 1024;

const Claim = z.looseObject({ status: HealthStatus });

/** Sends the request of a probe. */
export type Ask = (path: string, init: RequestInit) => Promise<Response>;

/** Asks an instance for its health and judges the answer, all within the policy's timeout. */
export async function probe(ask: Ask, { path, timeout_s }: HealthPolicy): Promise<Verdict> {
  const signal = AbortSignal.timeout(timeout_s * 1000);
  try {
    // A redirect would lead the probe to where nobody allowed it to go.
    const answer = await ask(path, { signal, redirect: 'manual' });
    return await judge(answer);
  } catch (error) {
    if (signal.aborted) return failed(`no answer within ${timeout_s} s`);
    return failed(error instanceof Problem ? error.message : 'it cannot be reached');
  }
}

/** A service of another make need not speak our form; what claims to, is taken at its word. */
async function judge(answer: Response): Promise<Verdict> {
  if (answer.status < 200 || answer.status > 299) {
    await answer.body?.cancel();
    return failed(`its health answers ${answer.status}`);
  }
  const bytes = await readBytes(chunksOf(answer.body), MOST_BYTES);
  const claim = Claim.safeParse(parsed(bytes));
  if (!claim.success || claim.data.status === 'ok') return { kind: 'well' };
  if (claim.data.status === 'degraded') return { kind: 'degraded' };
  return failed('its health says unavailable');
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

const failed = (reason: string): Verdict => ({ kind: 'failed', reason });
