import { MetricType } from './contract/metrics.ts';
import type { Family, Series } from './catalogue.ts';
import { type Tier, TIERS } from './tiers.ts';

export type StoredFamily = Omit<Family, 'series'>;
export type StoredSeries = Omit<Series, 'latest'> & { readonly family: number };

/** A stretch of time of one metric. */
export interface BlockKey {
  readonly tier: Tier;
  readonly family: number;
  /** Milliseconds since 1970. */
  readonly start: number;
}

export interface Block {
  readonly start: number;
  readonly body: string;
}

/** The tables of Monitoring, and the only place that knows their SQL. Every method is one step. */
export class MonitoringStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  families(): readonly StoredFamily[] {
    return this.#sql
      .exec<Record<'id' | 'service' | 'name' | 'type' | 'unit' | 'help', SqlStorageValue>>(
        'SELECT id, service, name, type, unit, help FROM families',
      )
      .toArray()
      .map(({ id, service, name, type, unit, help }) => ({
        id: Number(id),
        service: String(service),
        name: String(name),
        type: MetricType.parse(type),
        unit: unit === null ? null : String(unit),
        help: help === null ? null : String(help),
      }));
  }

  series(): readonly StoredSeries[] {
    return this.#sql
      .exec<Record<'id' | 'family' | 'labels', SqlStorageValue>>(
        'SELECT id, family, labels FROM series',
      )
      .toArray()
      .map(({ id, family, labels }) => ({
        id: Number(id),
        family: Number(family),
        labels: JSON.parse(String(labels)),
      }));
  }

  addFamily({ id, service, name, type, unit, help }: StoredFamily): void {
    this.#sql.exec(
      'INSERT INTO families (id, service, name, type, unit, help) VALUES (?, ?, ?, ?, ?, ?)',
      id,
      service,
      name,
      type,
      unit,
      help,
    );
  }

  addSeries({ id, family, labels }: StoredSeries): void {
    this.#sql.exec(
      'INSERT INTO series (id, family, labels) VALUES (?, ?, ?)',
      id,
      family,
      JSON.stringify(labels),
    );
  }

  removeFamily(id: number): void {
    this.#sql.exec('DELETE FROM families WHERE id = ?', id);
    this.#sql.exec('DELETE FROM blocks WHERE family = ?', id);
    this.#sql.exec('DELETE FROM dirty WHERE family = ?', id);
  }

  removeSeries(id: number): void {
    this.#sql.exec('DELETE FROM series WHERE id = ?', id);
  }

  /** Adds blocks to those of the same stretch. */
  append({ tier, family, start }: BlockKey, bodies: readonly string[]): void {
    for (const body of bodies) {
      this.#sql.exec(
        `INSERT INTO blocks SELECT ?1, ?2, ?3, coalesce(max(part) + 1, 0), ?4
         FROM blocks WHERE tier = ?1 AND family = ?2 AND start = ?3`,
        tier,
        family,
        start,
        body,
      );
    }
  }

  /** Adds samples of a minute, which is to be rolled up after that. */
  addSamples({ family, start }: Omit<BlockKey, 'tier'>, bodies: readonly string[]): void {
    this.append({ tier: TIERS.raw, family, start }, bodies);
    this.markDirty({ tier: TIERS.minute, family, start });
  }

  /** Puts blocks in the place of those of the same stretch. */
  replace(key: BlockKey, bodies: readonly string[]): void {
    this.#sql.exec(
      'DELETE FROM blocks WHERE tier = ? AND family = ? AND start = ?',
      key.tier,
      key.family,
      key.start,
    );
    this.append(key, bodies);
  }

  /** The blocks of a metric that start in [start, end), in the order of time. */
  blocks({ tier, family, start }: BlockKey, end: number): readonly Block[] {
    return this.#sql
      .exec<Record<'start' | 'body', SqlStorageValue>>(
        `SELECT start, body FROM blocks
         WHERE tier = ? AND family = ? AND start >= ? AND start < ? ORDER BY start, part`,
        tier,
        family,
        start,
        end,
      )
      .toArray()
      .map((row) => ({ start: Number(row.start), body: String(row.body) }));
  }

  /** Remembers that a stretch has to be rolled up once it is over. */
  markDirty({ tier, family, start }: BlockKey): void {
    this.#sql.exec(
      'INSERT OR IGNORE INTO dirty (tier, family, start) VALUES (?, ?, ?)',
      tier,
      family,
      start,
    );
  }

  clearDirty({ tier, family, start }: BlockKey): void {
    this.#sql.exec(
      'DELETE FROM dirty WHERE tier = ? AND family = ? AND start = ?',
      tier,
      family,
      start,
    );
  }

  /** Stretches of a tier that wait to be rolled up and start in [from, before), of one metric or of all. */
  dirty(tier: Tier, { family, from = 0, before }: DirtyQuery): readonly BlockKey[] {
    return this.#sql
      .exec<Record<'family' | 'start', SqlStorageValue>>(
        `SELECT family, start FROM dirty
         WHERE tier = ?1 AND (?2 IS NULL OR family = ?2) AND start >= ?3 AND start < ?4`,
        tier,
        family ?? null,
        from,
        before,
      )
      .toArray()
      .map((row) => ({ tier, family: Number(row.family), start: Number(row.start) }));
  }

  /** When the oldest stretch that waits started; undefined where none waits. */
  oldestDirty(tier: Tier): number | undefined {
    const { start } = this.#sql
      .exec<{ start: number | null }>('SELECT min(start) AS start FROM dirty WHERE tier = ?', tier)
      .one();
    return start ?? undefined;
  }

  addToJournal(bodies: readonly string[]): void {
    for (const body of bodies) this.#sql.exec('INSERT INTO journal (body) VALUES (?)', body);
  }

  journal(): readonly string[] {
    return this.#sql
      .exec<{ body: string }>('SELECT body FROM journal ORDER BY seq')
      .toArray()
      .map(({ body }) => body);
  }

  clearJournal(): void {
    this.#sql.exec('DELETE FROM journal');
  }

  removeBefore(tier: Tier, start: number): void {
    this.#sql.exec('DELETE FROM blocks WHERE tier = ? AND start < ?', tier, start);
  }
}

export interface DirtyQuery {
  readonly family?: number;
  readonly from?: number;
  readonly before: number;
}
