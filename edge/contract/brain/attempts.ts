/** Requests under way at nodes, so that those of a node that goes can be given up at once. */
export class Attempts {
  readonly #byNode = new Map<string, Set<AbortController>>();

  /** The signal of a new one; `end` says that it is over. */
  begin(nodeId: string): { readonly signal: AbortSignal; end(): void } {
    const attempt = new AbortController();
    const attempts = this.#byNode.get(nodeId) ?? new Set();
    this.#byNode.set(nodeId, attempts.add(attempt));
    return {
      signal: attempt.signal,
      end: () => {
        attempts.delete(attempt);
        if (attempts.size === 0 && this.#byNode.get(nodeId) === attempts) {
          this.#byNode.delete(nodeId);
        }
      },
    };
  }

  nodeLeft(nodeId: string): void {
    for (const attempt of this.#byNode.get(nodeId) ?? []) attempt.abort(`${nodeId} has left`);
  }
}
