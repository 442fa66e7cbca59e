import {
  decodePoints,
  decodeRollups,
  encodePoints,
  encodeRollups,
  type Point,
} from './block-codec.ts';
import type { Catalogue, Family, Taken } from './catalogue.ts';
import { join, type Rollup, rollupAll } from './rollup.ts';
import {
  LENGTH_MS,
  type Resolution,
  RETENTION_MS,
  RETENTION_SLACK_MS,
  startOf,
  type Tier,
  TIERS,
} from './tiers.ts';
import type { Cell } from './aggregate.ts';
import type { BlockKey, MonitoringStore, StoredFamily, StoredSeries } from './store.ts';

/** The stretches of each series of a metric, in the order of time. */
type CellsBySeries = ReadonlyMap<number, readonly Cell[]>;

type RolledUp = Exclude<Resolution, 'raw'>;

interface Range {
  /** Milliseconds since 1970; `to` itself is not part of it. */
  readonly from: number;
  readonly to: number;
}

/**
 * Points on their way to the store and back. They are buffered for a few seconds and written together: one
 * row per metric and minute of a batch, never one per sample. Rollups are computed from the rows once
 * their stretch is over, and again where a late sample arrives.
 */
export class MetricLog {
  readonly #store: MonitoringStore;
  readonly #newFamilies: StoredFamily[] = [];
  readonly #newSeries: StoredSeries[] = [];
  /** By metric and by minute. */
  #waiting = new Map<number, Map<number, Point[]>>();
  #size = 0;

  constructor(store: MonitoringStore) {
    this.#store = store;
  }

  /** The number of buffered points. */
  get size(): number {
    return this.#size;
  }

  add({ family, series, points, isNewFamily, isNewSeries }: Taken): void {
    if (isNewFamily) this.#newFamilies.push(family);
    if (isNewSeries) {
      this.#newSeries.push({ id: series.id, family: family.id, labels: series.labels });
    }
    const minutes = this.#waiting.get(family.id) ?? new Map<number, Point[]>();
    this.#waiting.set(family.id, minutes);
    for (const { at, value } of points) {
      listIn(minutes, startOf(at, LENGTH_MS.raw)).push({ series: series.id, at, value });
      this.#size += 1;
    }
  }

  /** Writes which metrics and series are new; the caller does as with `write`. */
  writeNames(): void {
    for (const family of this.#newFamilies) this.#store.addFamily(family);
    for (const series of this.#newSeries) this.#store.addSeries(series);
  }

  namesWritten(): void {
    this.#newFamilies.length = 0;
    this.#newSeries.length = 0;
  }

  /** Writes the buffer; the caller wraps it in a transaction and then calls `written`. */
  write(): void {
    this.writeNames();
    for (const [family, minutes] of this.#waiting) {
      for (const [start, points] of minutes) {
        this.#store.addSamples({ family, start }, encodePoints(points));
      }
    }
  }

  written(): void {
    this.namesWritten();
    this.#waiting = new Map();
    this.#size = 0;
  }

  /** Rolls up what is over: minutes from their samples, then quarters of an hour from their minutes. */
  rollUp(catalogue: Catalogue, now: number): void {
    const minutes = this.#rollUpTier('minute', now);
    for (const { family, start } of minutes) {
      const quarter = startOf(start, LENGTH_MS.quarter);
      this.#store.markDirty({ tier: TIERS.quarter, family, start: quarter });
    }
    this.#rollUpTier('quarter', now);
    this.#writeLatest(catalogue, new Set(minutes.map(({ family }) => family)));
  }

  /** Fills a catalogue from the store: the stored latest samples, and the rows written since. */
  load(catalogue: Catalogue): void {
    const families = new Map(
      this.#store.families().map((stored) => [stored.id, catalogue.addFamily(stored)] as const),
    );
    const byId = new Map<number, ReturnType<Catalogue['addSeries']>>();
    for (const stored of this.#store.series()) {
      const family = families.get(stored.family);
      if (family) byId.set(stored.id, catalogue.addSeries(family, stored));
    }
    const replay = (body: string) => {
      for (const { series, at, value } of decodePoints(body)) {
        const known = byId.get(series);
        if (known && at >= (known.latest?.at ?? -Infinity)) known.latest = { at, value };
      }
    };
    for (const family of families.keys()) {
      const key = { tier: TIERS.latest, family, start: 0 };
      for (const { body } of this.#store.blocks(key, 1)) replay(body);
    }
    for (const { family, start } of this.#store.dirty(TIERS.minute, {
      before: Number.MAX_SAFE_INTEGER,
    })) {
      const key = { tier: TIERS.raw, family, start };
      for (const { body } of this.#store.blocks(key, start + 1)) replay(body);
    }
  }

  /** The stretches of a metric's series in a range: single samples from raw, else rollups. */
  cells(family: number, resolution: Resolution, range: Range): CellsBySeries {
    if (resolution === 'raw') return this.#sampleCells(family, range);
    const stretches = this.#rollups(resolution, family, range);
    const cells = new Map<number, Cell[]>();
    for (const [start, rollups] of stretches) {
      for (const [series, rollup] of rollups) listIn(cells, series).push({ start, rollup });
    }
    return cells;
  }

  /** Deletes what is past its time. */
  clearOld(now: number): void {
    for (const tier of ['raw', 'minute', 'quarter'] as const) {
      this.#store.removeBefore(TIERS[tier], now - RETENTION_MS[tier] - RETENTION_SLACK_MS);
    }
  }

  #writeLatest(catalogue: Catalogue, ids: ReadonlySet<number>): void {
    for (const family of catalogue.families()) {
      if (!ids.has(family.id)) continue;
      this.#store.replaceBlocks(
        { tier: TIERS.latest, family: family.id, start: 0 },
        encodePoints(latestOf(family)),
      );
    }
  }

  #sampleCells(family: number, { from, to }: Range): CellsBySeries {
    const cells = new Map<number, Cell[]>();
    for (const [, points] of this.#samples(family, { from: startOf(from, LENGTH_MS.raw), to })) {
      for (const [series, own] of bySeries(points)) {
        const list = listIn(cells, series);
        for (const { at, value } of own) {
          const rollup = at >= from && at < to ? rollupAll([{ at, value }]) : undefined;
          if (rollup) list.push({ start: at, rollup });
        }
      }
    }
    return cells;
  }

  /** Raw samples by their minute, with those that wait. */
  #samples(family: number, { from, to }: Range): ReadonlyMap<number, readonly Point[]> {
    const minutes = new Map<number, Point[]>();
    const key = { tier: TIERS.raw, family, start: from };
    for (const { start, body } of this.#store.blocks(key, to)) {
      for (const point of decodePoints(body)) listIn(minutes, start).push(point);
    }
    for (const [start, waiting] of this.#waiting.get(family) ?? []) {
      if (start >= from && start < to) listIn(minutes, start).push(...waiting);
    }
    return new Map([...minutes].toSorted(([a], [b]) => a - b));
  }

  #minuteFromSamples(family: number, start: number): Map<number, Rollup> {
    const points = this.#samples(family, { from: start, to: start + 1 }).get(start) ?? [];
    const rollups = new Map<number, Rollup>();
    for (const [series, own] of bySeries(points)) {
      const rollup = rollupAll(own);
      if (rollup) rollups.set(series, rollup);
    }
    return rollups;
  }

  #quarterFromMinutes(family: number, start: number): Map<number, Rollup> {
    const rollups = new Map<number, Rollup>();
    const range = { from: start, to: start + LENGTH_MS.quarter };
    for (const minute of this.#rollups('minute', family, range).values()) {
      for (const [series, rollup] of minute) rollups.set(series, join(rollups.get(series), rollup));
    }
    return rollups;
  }

  #computed(tier: RolledUp, family: number, start: number): Map<number, Rollup> {
    return tier === 'minute'
      ? this.#minuteFromSamples(family, start)
      : this.#quarterFromMinutes(family, start);
  }

  /** Stores the rollups of a tier that are due; returns their keys. */
  #rollUpTier(tier: RolledUp, now: number): readonly BlockKey[] {
    const keys = this.#store.dirty(TIERS[tier], { before: now - LENGTH_MS[tier] });
    for (const key of keys) {
      this.#store.replaceBlocks(key, encodeRollups(this.#computed(tier, key.family, key.start)));
      this.#store.clearDirty(key);
    }
    return keys;
  }

  /** The rollups of a range by their start: stored ones, and computed ones where samples came since. */
  #rollups(
    tier: RolledUp,
    family: number,
    range: Range,
  ): ReadonlyMap<number, ReadonlyMap<number, Rollup>> {
    const from = startOf(range.from, LENGTH_MS[tier]);
    const { to } = range;
    const stretches = this.#stored(TIERS[tier], family, { from, to });
    const dirty = (tier === 'minute' ? (['minute'] as const) : (['minute', 'quarter'] as const))
      .flatMap((one) => this.#store.dirty(TIERS[one], { family, from, before: to }))
      .map(({ start }) => start);
    const open = [...dirty, ...(this.#waiting.get(family)?.keys() ?? [])]
      .filter((start) => start >= from && start < to)
      .map((start) => startOf(start, LENGTH_MS[tier]));
    for (const start of new Set(open)) stretches.set(start, this.#computed(tier, family, start));
    return new Map([...stretches].toSorted(([a], [b]) => a - b));
  }

  #stored(tier: Tier, family: number, { from, to }: Range): Map<number, Map<number, Rollup>> {
    const stretches = new Map<number, Map<number, Rollup>>();
    for (const { start, body } of this.#store.blocks({ tier, family, start: from }, to)) {
      const known = stretches.get(start) ?? new Map<number, Rollup>();
      stretches.set(start, known);
      for (const [series, rollup] of decodeRollups(body)) known.set(series, rollup);
    }
    return stretches;
  }
}

const latestOf = ({ series }: Family): readonly Point[] =>
  [...series.values()].flatMap(({ id, latest }) => (latest ? [{ series: id, ...latest }] : []));

function bySeries(points: readonly Point[]): ReadonlyMap<number, readonly Point[]> {
  const groups = Map.groupBy(points, ({ series }) => series);
  for (const group of groups.values()) group.sort((a, b) => a.at - b.at);
  return groups;
}

/** The list of a key, which is added where it is missing. */
function listIn<K, T>(lists: Map<K, T[]>, key: K): T[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
