/** Something that changes often and says so; what changed is read from it on the next frame. */
export interface Source {
  /** Grows by one or more with every change. */
  readonly version: number;
  /** Calls `listener` after each change, often many times a frame: it must be cheap. */
  subscribe(listener: () => void): () => void;
}

/** The listeners of one source. */
export function createSignal() {
  const listeners = new Set<() => void>();
  return {
    emit() {
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** Capacities and counts of the buffers: a wrong one is a bug of the caller, so it throws. */
export function positiveInteger(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new RangeError(`${name} must be a whole number above 0, not ${value}`);
}
