/** Each request adds a fifth of a retry; this many are there from the start and at most. */
const SHARE = 0.2;
const RESERVE = 10;
const MOST = 100;

/**
 * Bounds the retries of a service to a fifth of its requests, and ten: where everything fails,
 * trying again only doubles the load.
 */
export class RetryBudget {
  #retries = RESERVE;

  countRequest(): void {
    this.#retries = Math.min(MOST, this.#retries + SHARE);
  }

  /** Takes one retry, or says that there is none. */
  take(): boolean {
    if (this.#retries < 1) return false;
    this.#retries -= 1;
    return true;
  }
}
