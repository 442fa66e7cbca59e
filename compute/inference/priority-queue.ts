/** Levels of priority, 0 the lowest. */
export const PRIORITY_LEVELS = 10;

/** Requests that wait: higher priorities first, first come first served within one. */
export class PriorityQueue<Item> {
  readonly #levels: readonly Set<Item>[] = Array.from(
    { length: PRIORITY_LEVELS },
    () => new Set<Item>(),
  );
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(item: Item, level: number): void {
    this.#levels[level]?.add(item);
    this.#size += 1;
  }

  /** Takes the next one out. */
  shift(): Item | undefined {
    const level = this.#levels.findLast(({ size }) => size > 0);
    const [next] = level ?? [];
    if (next !== undefined) this.remove(next);
    return next;
  }

  /** Takes one out before its turn; whether it was there. */
  remove(item: Item): boolean {
    const wasThere = this.#levels.some((level) => level.delete(item));
    if (wasThere) this.#size -= 1;
    return wasThere;
  }
}
