/** The requests under way, and whether more are taken. */
export interface Presence {
  readonly isDraining: boolean;
  /** Counts a request until what is returned is called. */
  enter(): () => void;
  /** Takes no more; settles once all have left, or after so long. */
  drain(graceMs: number): Promise<void>;
}

export function createPresence(): Presence {
  let count = 0;
  let isDraining = false;
  const empty = Promise.withResolvers<void>();
  const settle = () => {
    if (isDraining && count === 0) empty.resolve();
  };
  return {
    get isDraining() {
      return isDraining;
    },
    enter() {
      count += 1;
      let isIn = true;
      return () => {
        if (isIn) count -= 1;
        isIn = false;
        settle();
      };
    },
    async drain(graceMs) {
      isDraining = true;
      settle();
      const late = setTimeout(empty.resolve, graceMs);
      await empty.promise;
      clearTimeout(late);
    },
  };
}
