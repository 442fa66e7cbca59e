import type { GeoEvent } from './contract/event.ts';
import type { FailoverEntry } from './contract/failover.ts';
import type { NodeType } from './contract/node.ts';
import { type GeoState, NO_REGIONS, type RegionState } from './geo-state.ts';
import type { StoredNode } from './node-book.ts';

type Row<K extends string> = Record<K, SqlStorageValue>;
type RegionRow = Row<'region' | 'health' | 'drain_until' | 'revision' | 'updated_at'>;
type RoleRow = Row<
  'active' | 'epoch' | 'active_since' | 'last_automatic_at' | 'suspect_since' | 'given_up'
>;
type NodeRow = Row<
  | 'seq'
  | 'node_id'
  | 'region_id'
  | 'endpoint'
  | 'node_type'
  | 'registered_at'
  | 'last_seen'
  | 'has_heartbeats'
  | 'is_registered'
  | 'owner'
  | 'team'
  | 'speaker'
>;

/** The latest that are kept. */
const MOST_FAILOVERS = 10_000;
const MOST_EVENTS = 5_000;

/** A page of a log, and whether there is more. */
export interface LogPage<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly hasMore: boolean;
}

/** The tables of the Geo object, and the only place that knows SQL. Every method is one synchronous step. */
export class GeoStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** All that was decided; undefined where nothing ever was. */
  state(): GeoState | undefined {
    const [role] = this.#sql.exec<RoleRow>('SELECT * FROM role').toArray();
    if (!role) return undefined;
    const regions = this.#sql.exec<RegionRow>('SELECT * FROM regions').toArray().map(regionOf);
    return {
      ...NO_REGIONS,
      regions: new Map(regions.map((one) => [one.region.region_id, one])),
      active: role.active === null ? null : String(role.active),
      epoch: Number(role.epoch),
      activeSince: Number(role.active_since),
      lastAutomaticAt: numberOrNull(role.last_automatic_at),
      suspectSince: numberOrNull(role.suspect_since),
      givenUp: role.given_up === null ? null : String(role.given_up),
    };
  }

  putRole(state: GeoState): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO role VALUES (1, ?, ?, ?, ?, ?, ?)',
      state.active,
      state.epoch,
      state.activeSince,
      state.lastAutomaticAt,
      state.suspectSince,
      state.givenUp,
    );
  }

  putRegion({ region, health, drainUntil, revision, updatedAt }: RegionState): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO regions VALUES (?, ?, ?, ?, ?, ?)',
      region.region_id,
      JSON.stringify(region),
      JSON.stringify(health),
      drainUntil,
      revision,
      updatedAt,
    );
  }

  removeRegion(regionId: string): void {
    this.#sql.exec('DELETE FROM regions WHERE region_id = ?', regionId);
    this.#sql.exec('DELETE FROM nodes WHERE region_id = ?', regionId);
  }

  nodes(): readonly StoredNode[] {
    return this.#sql.exec<NodeRow>('SELECT * FROM nodes ORDER BY seq').toArray().map(nodeOf);
  }

  addNode(node: Omit<StoredNode, 'seq'>): StoredNode {
    const { seq } = this.#sql
      .exec<{ seq: number }>(
        `INSERT INTO nodes (node_id, region_id, endpoint, node_type, registered_at, last_seen,
           has_heartbeats, is_registered, owner, team, speaker)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
        node.node_id,
        node.region_id,
        node.endpoint,
        node.node_type,
        node.registeredAt,
        node.lastSeen,
        Number(node.hasHeartbeats),
        Number(node.isRegistered),
        node.owner,
        node.team,
        node.speaker,
      )
      .one();
    return { ...node, seq };
  }

  removeNode(nodeId: string): void {
    this.#sql.exec('DELETE FROM nodes WHERE node_id = ?', nodeId);
  }

  /** Writes down when nodes were seen last, and who sends their heartbeats. */
  putSeen(nodes: readonly StoredNode[]): void {
    for (const { node_id, lastSeen, hasHeartbeats, speaker } of nodes) {
      this.#sql.exec(
        `UPDATE nodes SET last_seen = ?1, has_heartbeats = ?2, speaker = ?4
         WHERE node_id = ?3 AND (last_seen <> ?1 OR has_heartbeats <> ?2 OR speaker IS NOT ?4)`,
        lastSeen,
        Number(hasHeartbeats),
        node_id,
        speaker,
      );
    }
  }

  addFailover(entry: FailoverEntry): void {
    this.#append('failovers', 'entry', entry, MOST_FAILOVERS);
  }

  /** The latest first. */
  failovers(limit: number): LogPage<FailoverEntry> {
    const rows = this.#sql
      .exec<Row<'entry'>>('SELECT entry FROM failovers ORDER BY seq DESC LIMIT ?', limit + 1)
      .toArray();
    const items = rows.slice(0, limit).map((row): FailoverEntry => JSON.parse(String(row.entry)));
    return { items, total: this.#count('failovers'), hasMore: rows.length > limit };
  }

  addEvent(event: Omit<GeoEvent, 'seq'>): void {
    this.#append('events', 'event', event, MOST_EVENTS);
  }

  /** In the order in which they happened. */
  events(after: number, limit: number): LogPage<GeoEvent> {
    const rows = this.#sql
      .exec<Row<'seq' | 'event'>>(
        'SELECT seq, event FROM events WHERE seq > ? ORDER BY seq LIMIT ?',
        after,
        limit + 1,
      )
      .toArray();
    const items = rows.slice(0, limit).map((row): GeoEvent => ({
      ...JSON.parse(String(row.event)),
      seq: Number(row.seq),
    }));
    return { items, total: this.#count('events'), hasMore: rows.length > limit };
  }

  #append(table: 'failovers' | 'events', column: string, item: unknown, most: number): void {
    const { seq } = this.#sql
      .exec<{ seq: number }>(
        `INSERT INTO ${table} (${column}) VALUES (?) RETURNING seq`,
        JSON.stringify(item),
      )
      .one();
    this.#sql.exec(`DELETE FROM ${table} WHERE seq <= ?`, seq - most);
  }

  #count(table: 'failovers' | 'events'): number {
    return this.#sql.exec<{ total: number }>(`SELECT count(*) AS total FROM ${table}`).one().total;
  }
}

const numberOrNull = (value: SqlStorageValue): number | null =>
  value === null ? null : Number(value);

const regionOf = (row: RegionRow): RegionState => ({
  region: JSON.parse(String(row.region)),
  health: JSON.parse(String(row.health)),
  drainUntil: numberOrNull(row.drain_until),
  revision: Number(row.revision),
  updatedAt: Number(row.updated_at),
});

const nodeOf = (row: NodeRow): StoredNode => ({
  seq: Number(row.seq),
  node_id: String(row.node_id),
  region_id: String(row.region_id),
  endpoint: String(row.endpoint),
  // Only types are written to this column.
  node_type: String(row.node_type) as NodeType,
  registeredAt: Number(row.registered_at),
  lastSeen: Number(row.last_seen),
  hasHeartbeats: Number(row.has_heartbeats) === 1,
  isRegistered: Number(row.is_registered) === 1,
  owner: String(row.owner),
  team: String(row.team),
  speaker: row.speaker === null ? null : String(row.speaker),
});
