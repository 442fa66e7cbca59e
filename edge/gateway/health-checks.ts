import * as z from 'zod/mini';
import type { HealthPolicy } from '../contract/service.ts';
import { HealthStatus } from '../health/contract/health.ts';
import { chunksOf, readBytes } from '../http/body.ts';
import { Problem } from '../http/problem.ts';
import {
  afterProbe,
  type HealthState,
  probeDelayMs,
  UNKNOWN,
  type Verdict,
} from './health-machine.ts';
import type { GatewayStore, HealthKey, StoredHealth } from './store.ts';

/** The number of connections a Worker may have open at once. */
const AT_ONCE = 6;

/** An address with a health policy. */
export interface Probed extends HealthKey {
  readonly health: HealthPolicy;
}

interface Seen {
  readonly state: HealthState;
  readonly checkedAt: number | null;
}

/**
 * The health of each address. Only changes are stored; an unchanged result is held in memory, so a
 * settled instance costs no write.
 */
export class HealthTable {
  readonly #store: GatewayStore;
  readonly #fetchTo: (url: string) => typeof fetch;
  readonly #seen = new Map<string, Seen>();
  /** When each address is probed next; a missing one is due. */
  readonly #nextAt = new Map<string, number>();
  readonly #running = new Map<string, Promise<void>>();

  /** @param fetchTo returns the fetch to use for an address */
  constructor(store: GatewayStore, fetchTo: (url: string) => typeof fetch) {
    this.#store = store;
    this.#fetchTo = fetchTo;
    for (const { state, changedAt, ...key } of store.health()) {
      this.#seen.set(textOf(key), { state, checkedAt: changedAt });
    }
  }

  stateOf(key: HealthKey): Seen {
    return this.#seen.get(textOf(key)) ?? { state: UNKNOWN, checkedAt: null };
  }

  nextAt(key: HealthKey): number {
    return this.#nextAt.get(textOf(key)) ?? 0;
  }

  /** Probes the due addresses, a few at once, and stores the changes together. */
  async ask(probed: readonly Probed[]): Promise<void> {
    const waiting = probed.values();
    const changed: StoredHealth[] = [];
    const worker = async () => {
      for (const one of waiting) await this.#askOnce(one, changed);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    for (const health of changed) this.#store.putHealth(health);
  }

  /** Forgets every address that is not among these. */
  keep(probed: readonly Probed[]): void {
    const wanted = new Set(probed.map(textOf));
    for (const text of this.#seen.keys()) if (!wanted.has(text)) this.#seen.delete(text);
    for (const text of this.#nextAt.keys()) if (!wanted.has(text)) this.#nextAt.delete(text);
    for (const stored of this.#store.health()) {
      if (!wanted.has(textOf(stored))) this.#store.dropHealth(stored);
    }
  }

  /** Concurrent requests for the same address share one probe. */
  #askOnce(one: Probed, changed: StoredHealth[]): Promise<void> {
    const text = textOf(one);
    const running = this.#running.get(text) ?? this.#ask(one, changed);
    this.#running.set(text, running);
    return running.finally(() => this.#running.delete(text));
  }

  async #ask(one: Probed, changed: StoredHealth[]): Promise<void> {
    const { service, url, health } = one;
    const send = this.#fetchTo(url);
    const verdict = await probe((path, init) => send(url.replace(/\/$/, '') + path, init), health);
    const now = Date.now();
    const before = this.stateOf(one).state;
    const state = afterProbe(before, verdict, health);
    this.#seen.set(textOf(one), { state, checkedAt: now });
    this.#nextAt.set(textOf(one), now + probeDelayMs(state, health));
    if (state !== before) changed.push({ service, url, state, changedAt: now });
  }
}

const textOf = ({ service, url }: HealthKey) => `${service} ${url}`;

/** More than any health document needs. */
const MAX_BYTES = 64 * 1024;

const Claim = z.looseObject({ status: HealthStatus });

/** Sends the request of a probe. */
type Ask = (path: string, init: RequestInit) => Promise<Response>;

/** Probes an instance and judges the response, all within the policy's timeout. */
export async function probe(ask: Ask, { path, timeout_s }: HealthPolicy): Promise<Verdict> {
  const signal = AbortSignal.timeout(timeout_s * 1000);
  try {
    // A redirect could lead the probe to an address that is not allowed.
    const answer = await ask(path, { signal, redirect: 'manual' });
    return await judge(answer);
  } catch (error) {
    if (signal.aborted) return failed(`no answer within ${timeout_s} s`);
    return failed(error instanceof Problem ? error.message : 'it cannot be reached');
  }
}

/** A service of another vendor need not use our document; one that claims to is believed. */
async function judge(answer: Response): Promise<Verdict> {
  if (answer.status < 200 || answer.status > 299) {
    await answer.body?.cancel();
    return failed(`its health answers ${answer.status}`);
  }
  const bytes = await readBytes(chunksOf(answer.body), MAX_BYTES);
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
