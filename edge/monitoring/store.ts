import { TableStore } from '../storage/table-store.ts';
import type { Family, Series } from './catalogue.ts';
import { type Tier, TIERS } from './tiers.ts';

/** Each entry is applied once, in order, and never edited after it has been released. */
export const MONITORING_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE families (
    id INTEGER PRIMARY KEY,
    service TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    unit TEXT,
    help TEXT,
    UNIQUE (service, name)
  );
  CREATE TABLE series (
    id INTEGER PRIMARY KEY,
    family INTEGER NOT NULL,
    labels TEXT NOT NULL
  );
  CREATE TABLE blocks (
    tier INTEGER NOT NULL,
    family INTEGER NOT NULL,
    start INTEGER NOT NULL,
    part INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (tier, family, start, part)
  ) WITHOUT ROWID;
  CREATE TABLE dirty (
    tier INTEGER NOT NULL,
    family INTEGER NOT NULL,
    start INTEGER NOT NULL,
    PRIMARY KEY (tier, family, start)
  ) WITHOUT ROWID;
  `,
  'CREATE TABLE journal (seq INTEGER PRIMARY KEY, body TEXT NOT NULL)',
];

export type StoredFamily = Omit<Family, 'series'>;
export type StoredSeries = Omit<Series, 'latest'> & { readonly family: number };

/** A stretch of time of one metric. */
export interface BlockKey {
  readonly tier: Tier;
  readonly family: number;
  /** Milliseconds since 1970. */
  readonly start: number;
}

interface Block {
  readonly start: number;
  readonly body: string;
}

interface DirtyQuery {
  readonly family?: number;
  readonly from?: number;
  readonly before: number;
}

/** The tables of metrics, their blocks, and the stretches to roll up. */
export class MonitoringStore extends TableStore {
  families(): readonly StoredFamily[] {
    type FamilyRow = { [K in keyof StoredFamily]: StoredFamily[K] };
    return this.rows<FamilyRow>('SELECT id, service, name, type, unit, help FROM families');
  }

  series(): readonly StoredSeries[] {
    return this.rows<{ id: number; family: number; labels: string }>(
      'SELECT id, family, labels FROM series',
    ).map((row) => ({ ...row, labels: JSON.parse(row.labels) }));
  }

  addFamily({ id, service, name, type, unit, help }: StoredFamily): void {
    this.insert('families', { id, service, name, type, unit, help });
  }

  addSeries({ id, family, labels }: StoredSeries): void {
    this.insert('series', { id, family, labels: JSON.stringify(labels) });
  }

  removeFamily(id: number): void {
    this.run`DELETE FROM families WHERE id = ${id}`;
    this.run`DELETE FROM blocks WHERE family = ${id}`;
    this.run`DELETE FROM dirty WHERE family = ${id}`;
  }

  removeSeries(id: number): void {
    this.run`DELETE FROM series WHERE id = ${id}`;
  }

  /** Adds blocks to those of the same stretch. */
  append({ tier, family, start }: BlockKey, bodies: readonly string[]): void {
    for (const body of bodies) {
      this.run`
        INSERT INTO blocks SELECT ${tier}, ${family}, ${start}, coalesce(max(part) + 1, 0), ${body}
        FROM blocks WHERE tier = ${tier} AND family = ${family} AND start = ${start}`;
    }
  }

  /** Adds samples of a minute and marks it to be rolled up. */
  addSamples({ family, start }: Omit<BlockKey, 'tier'>, bodies: readonly string[]): void {
    this.append({ tier: TIERS.raw, family, start }, bodies);
    this.markDirty({ tier: TIERS.minute, family, start });
  }

  /** Replaces the blocks of a stretch. */
  replaceBlocks(key: BlockKey, bodies: readonly string[]): void {
    const query = 'DELETE FROM blocks WHERE tier = ? AND family = ? AND start = ?';
    this.run(query, key.tier, key.family, key.start);
    this.append(key, bodies);
  }

  /** The blocks of a metric that start in [start, end), in the order of time. */
  blocks({ tier, family, start }: BlockKey, end: number): readonly Block[] {
    return this.rows<{ start: number; body: string }>`SELECT start, body FROM blocks
      WHERE tier = ${tier} AND family = ${family} AND start >= ${start} AND start < ${end}
      ORDER BY start, part`;
  }

  /** Marks a stretch to be rolled up once it is over. */
  markDirty({ tier, family, start }: BlockKey): void {
    this.insert('dirty', { tier, family, start }, 'INSERT OR IGNORE');
  }

  clearDirty({ tier, family, start }: BlockKey): void {
    const query = 'DELETE FROM dirty WHERE tier = ? AND family = ? AND start = ?';
    this.run(query, tier, family, start);
  }

  /** Stretches of a tier to roll up that start in [from, before), of one metric or of all. */
  dirty(tier: Tier, { family, from = 0, before }: DirtyQuery): readonly BlockKey[] {
    const rows = this.rows<{ family: number; start: number }>`SELECT family, start FROM dirty
      WHERE tier = ${tier} AND (${family ?? null} IS NULL OR family = ${family ?? null})
        AND start >= ${from} AND start < ${before}`;
    return rows.map((row) => ({ tier, ...row }));
  }

  /** When the oldest stretch to roll up started; undefined where there is none. */
  oldestDirty(tier: Tier): number | undefined {
    const query = 'SELECT min(start) FROM dirty WHERE tier = ?';
    return this.value<number | null>(query, tier) ?? undefined;
  }

  addToJournal(bodies: readonly string[]): void {
    for (const body of bodies) this.insert('journal', { body });
  }

  journal(): readonly string[] {
    const rows = this.rows<{ body: string }>('SELECT body FROM journal ORDER BY seq');
    return rows.map(({ body }) => body);
  }

  clearJournal(): void {
    this.run('DELETE FROM journal');
  }

  removeBefore(tier: Tier, start: number): void {
    this.run`DELETE FROM blocks WHERE tier = ${tier} AND start < ${start}`;
  }
}
