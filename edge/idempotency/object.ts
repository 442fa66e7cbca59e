import type { Env } from '../env.ts';
import { type Begun, decide, KEPT_MS, type StoredResponse, LEASE_MS } from './machine.ts';
import { IdempotencyStore } from './store.ts';
import { StoredObject } from '../storage/stored-object.ts';

/** Each entry is applied once, in order, and never edited after it has been released. */
const IDEMPOTENCY_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE requests (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    scope TEXT NOT NULL UNIQUE,
    fingerprint TEXT NOT NULL,
    status TEXT NOT NULL,
    until INTEGER NOT NULL,
    answer TEXT
  );
  CREATE INDEX requests_by_end ON requests (until);
  `,
];

/** A caller with more requests than this in a day loses the oldest. */
const MAX_REQUESTS = 10_000;

/** Responses to one caller's requests with an Idempotency-Key, for a day. */
export class Idempotency extends StoredObject {
  readonly #store: IdempotencyStore;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, IDEMPOTENCY_MIGRATIONS);
    this.#store = new IdempotencyStore(ctx.storage.sql);
  }

  async begin(scope: string, fingerprint: string): Promise<Begun> {
    const now = Date.now();
    const decision = decide(this.#store.request(scope), fingerprint, now);
    if (decision.kind !== 'start') return decision;
    const number = this.#store.start(scope, fingerprint, now + LEASE_MS);
    this.#store.forget(now, number - MAX_REQUESTS);
    if ((await this.ctx.storage.getAlarm()) === null) {
      await this.ctx.storage.setAlarm(now + KEPT_MS);
    }
    return { kind: 'start', number };
  }

  /** The response is null if it must not or cannot be stored: a repetition is then refused. */
  finish(number: number, answer: StoredResponse | null): void {
    this.#store.finish(number, answer, Date.now() + KEPT_MS);
  }

  /** Gives a key free whose request was refused, and so did nothing. */
  release(number: number): void {
    this.#store.release(number);
  }

  /** It may fire late or twice: what is over goes, and the next end is waited for. */
  override async alarm(): Promise<void> {
    this.#store.forget(Date.now(), 0);
    const next = this.#store.firstEnd();
    if (next !== undefined) await this.ctx.storage.setAlarm(next);
  }
}
