import type { HealthPolicy } from '../contract/service.ts';
import { afterProbe, type HealthState, probeDelayMs, UNKNOWN } from './health-machine.ts';
import { probe } from './probe.ts';
import type { GatewayStore, HealthKey, StoredHealth } from './store.ts';

/** As many as a Worker may hold open at once. */
const AT_ONCE = 6;

/** An address whose health is asked for. */
export interface Probed extends HealthKey {
  readonly health: HealthPolicy;
}

export interface Seen {
  readonly state: HealthState;
  readonly checkedAt: number | null;
}

/**
 * How each address is. What changes a state is stored; that all is as before is only remembered,
 * so a settled instance costs no write.
 */
export class HealthBook {
  readonly #store: GatewayStore;
  readonly #fetchTo: (url: string) => typeof fetch;
  readonly #seen = new Map<string, Seen>();
  /** When each address is asked next; one that is missing is due. */
  readonly #nextAt = new Map<string, number>();
  readonly #running = new Map<string, Promise<void>>();

  /** @param fetchTo what sends to an address */
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

  /** Asks those whose time has come, a few at once, and stores what changed in one go. */
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

  /** Whoever asks for an address that is being asked waits for the same answer. */
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
