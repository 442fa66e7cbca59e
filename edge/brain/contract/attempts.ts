/** A request under way. */
export interface Attempt {
  /** Aborted when a node it is at goes. */
  readonly signal: AbortSignal;
  /** It is at this node from now on. */
  at(nodeId: string): void;
  end(): void;
}

/** Requests under way at nodes, so that those of a node that goes can be given up at once. */
export class Attempts {
  readonly #byNode = new Map<string, Set<AbortController>>();

  begin(): Attempt {
    const attempt = new AbortController();
    const nodeIds: string[] = [];
    return {
      signal: attempt.signal,
      at: (nodeId) => {
        nodeIds.push(nodeId);
        this.#byNode.set(nodeId, (this.#byNode.get(nodeId) ?? new Set()).add(attempt));
      },
      end: () => {
        for (const nodeId of nodeIds) this.#remove(nodeId, attempt);
      },
    };
  }

  /** A request that is at one node from its beginning to its end. */
  async during<T>(nodeId: string, request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const attempt = this.begin();
    attempt.at(nodeId);
    try {
      return await request(attempt.signal);
    } finally {
      attempt.end();
    }
  }

  nodeLeft(nodeId: string): void {
    for (const attempt of this.#byNode.get(nodeId) ?? []) attempt.abort(`${nodeId} has left`);
  }

  #remove(nodeId: string, attempt: AbortController): void {
    const attempts = this.#byNode.get(nodeId);
    attempts?.delete(attempt);
    if (attempts?.size === 0) this.#byNode.delete(nodeId);
  }
}
