/** The weight of the newest answer in the moving average of latencies. */
const EWMA_WEIGHT = 0.2;

/**
 * What this isolate has seen of one instance of a service. It is this isolate's own view, kept in
 * memory, as with every proxy: a new isolate starts with none.
 */
export class InstanceStats {
  inFlight = 0;
  latencyMsEwma: number | null = null;
  consecutiveFailures = 0;
  lastError: string | null = null;

  /** Counts one request until the instance answers or fails. */
  async observe(send: () => Promise<Response>): Promise<Response> {
    const started = Date.now();
    this.inFlight += 1;
    try {
      const answer = await send();
      this.#answered(Date.now() - started, answer.status);
      return answer;
    } catch (error) {
      this.#failed(error instanceof Error ? error.message : String(error));
      throw error;
    } finally {
      this.inFlight -= 1;
    }
  }

  #answered(latencyMs: number, status: number): void {
    const before = this.latencyMsEwma ?? latencyMs;
    this.latencyMsEwma = before + EWMA_WEIGHT * (latencyMs - before);
    if (status >= 500) this.#failed(`status ${status}`);
    else this.consecutiveFailures = 0;
  }

  #failed(reason: string): void {
    this.consecutiveFailures += 1;
    this.lastError = reason;
  }
}

const seen = new Map<string, InstanceStats>();

export function statsOf(instanceId: string): InstanceStats {
  const known = seen.get(instanceId);
  if (known) return known;
  const fresh = new InstanceStats();
  seen.set(instanceId, fresh);
  return fresh;
}
