import { decodePoints, encodePoints, type Point } from './block-codec.ts';
import type { Taken } from './catalogue.ts';
import { LENGTH_MS, startOf } from './tiers.ts';
import type { MonitoringStore } from './store.ts';

/**
 * Points that survive a crash before they are written to blocks: one row for all that arrive together. The
 * batch that writes the blocks clears it in the same transaction.
 */
export class MetricJournal {
  readonly #store: MonitoringStore;
  #unwritten: Point[] = [];

  constructor(store: MonitoringStore) {
    this.#store = store;
  }

  get isWritten(): boolean {
    return this.#unwritten.length === 0;
  }

  add({ series, points }: Taken): void {
    for (const { at, value } of points) this.#unwritten.push({ series: series.id, at, value });
  }

  /** Writes the added points; the caller wraps it in a transaction and then calls `written`. */
  write(): void {
    this.#store.addToJournal(encodePoints(this.#unwritten));
  }

  /** Marks the added points as written, to the journal or to blocks. */
  written(): void {
    this.#unwritten = [];
  }
}

/**
 * Moves the journal that a crash left behind into blocks, before anything is read; the caller wraps it in
 * a transaction.
 */
export function recoverJournal(store: MonitoringStore): void {
  const points = store.journal().flatMap(decodePoints);
  if (points.length === 0) return;
  const families = new Map(store.series().map(({ id, family }) => [id, family]));
  for (const [family, ofFamily] of Map.groupBy(points, ({ series }) => families.get(series))) {
    // A series that was forgotten since.
    if (family === undefined) continue;
    const minutes = Map.groupBy(ofFamily, ({ at }) => startOf(at, LENGTH_MS.raw));
    for (const [start, ofMinute] of minutes) {
      store.addSamples({ family, start }, encodePoints(ofMinute));
    }
  }
  store.clearJournal();
}
