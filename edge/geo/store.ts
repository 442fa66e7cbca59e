import { OUTBOX_TABLE } from '../events/outbox.ts';
import type { GeoEvent } from './contract/event.ts';
import type { FailoverEntry } from './contract/failover.ts';
import type { NodeType } from './contract/node.ts';
import { type GeoState, NO_REGIONS, type RegionState } from './state.ts';
import type { StoredNode } from './node-index.ts';
import { TableStore } from '../storage/table-store.ts';

/** Each entry is applied once, in order, and never edited after it has been released. */
export const GEO_MIGRATIONS: readonly string[] = [
  `CREATE TABLE regions (
     region_id TEXT PRIMARY KEY,
     region TEXT NOT NULL,
     health TEXT NOT NULL,
     drain_until INTEGER,
     revision INTEGER NOT NULL,
     updated_at INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE nodes (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     node_id TEXT NOT NULL UNIQUE,
     region_id TEXT NOT NULL,
     endpoint TEXT NOT NULL,
     node_type TEXT NOT NULL,
     registered_at INTEGER NOT NULL,
     last_seen INTEGER NOT NULL,
     has_heartbeats INTEGER NOT NULL,
     is_registered INTEGER NOT NULL
   );
   CREATE INDEX nodes_by_region ON nodes (region_id);
   CREATE TABLE role (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     active TEXT,
     epoch INTEGER NOT NULL,
     active_since INTEGER NOT NULL,
     last_automatic_at INTEGER,
     suspect_since INTEGER,
     given_up TEXT
   );
   CREATE TABLE failovers (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     entry TEXT NOT NULL
   );
   CREATE TABLE events (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     event TEXT NOT NULL
   );`,
  OUTBOX_TABLE,
  // Publishers of earlier heartbeats are unknown: from here on only the silence of keys with
  // geo:node counts. Discovered nodes rejoin with their next heartbeat.
  `ALTER TABLE nodes ADD COLUMN owner TEXT NOT NULL DEFAULT '';
   ALTER TABLE nodes ADD COLUMN team TEXT NOT NULL DEFAULT 'default';
   ALTER TABLE nodes ADD COLUMN speaker TEXT;
   DELETE FROM nodes WHERE is_registered = 0;
   UPDATE nodes SET has_heartbeats = 0;`,
];

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

/** The number of latest entries that are retained. */
const MAX_FAILOVERS = 10_000;
const MAX_EVENTS = 5_000;

/** A page of a log, and whether there is more. */
export interface LogPage<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly hasMore: boolean;
}

/** The SQL of the Geo object. Every method is one synchronous step. */
export class GeoStore extends TableStore {
  /** The stored state; undefined for a new platform. */
  state(): GeoState | undefined {
    const role = this.row<RoleRow>('SELECT * FROM role');
    if (!role) return undefined;
    const regions = this.rows<RegionRow>('SELECT * FROM regions').map(regionOf);
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
    this.run`INSERT OR REPLACE INTO role
      VALUES (1, ${state.active}, ${state.epoch}, ${state.activeSince}, ${state.lastAutomaticAt},
        ${state.suspectSince}, ${state.givenUp})`;
  }

  putRegion({ region, health, drainUntil, revision, updatedAt }: RegionState): void {
    this.run`INSERT OR REPLACE INTO regions
      VALUES (${region.region_id}, ${JSON.stringify(region)}, ${JSON.stringify(health)},
        ${drainUntil}, ${revision}, ${updatedAt})`;
  }

  removeRegion(regionId: string): void {
    this.run`DELETE FROM regions WHERE region_id = ${regionId}`;
    this.run`DELETE FROM nodes WHERE region_id = ${regionId}`;
  }

  nodes(): readonly StoredNode[] {
    return this.rows<NodeRow>('SELECT * FROM nodes ORDER BY seq').map(nodeOf);
  }

  addNode(node: Omit<StoredNode, 'seq'>): StoredNode {
    const { seq } = this.one<{ seq: number }>`
      INSERT INTO nodes (node_id, region_id, endpoint, node_type, registered_at, last_seen,
        has_heartbeats, is_registered, owner, team, speaker)
      VALUES (${node.node_id}, ${node.region_id}, ${node.endpoint}, ${node.node_type},
        ${node.registeredAt}, ${node.lastSeen}, ${Number(node.hasHeartbeats)},
        ${Number(node.isRegistered)}, ${node.owner}, ${node.team}, ${node.sender}) RETURNING seq`;
    return { ...node, seq };
  }

  removeNode(nodeId: string): void {
    this.run`DELETE FROM nodes WHERE node_id = ${nodeId}`;
  }

  /** Writes when nodes were last seen, and which key sends their heartbeats. */
  putSeen(nodes: readonly StoredNode[]): void {
    for (const { node_id, lastSeen, hasHeartbeats, sender } of nodes) {
      this.run(
        `UPDATE nodes SET last_seen = ?1, has_heartbeats = ?2, speaker = ?4
         WHERE node_id = ?3 AND (last_seen <> ?1 OR has_heartbeats <> ?2 OR speaker IS NOT ?4)`,
        lastSeen,
        Number(hasHeartbeats),
        node_id,
        sender,
      );
    }
  }

  addFailover(entry: FailoverEntry): void {
    this.#append('failovers', 'entry', entry, MAX_FAILOVERS);
  }

  /** The latest first. */
  failovers(limit: number): LogPage<FailoverEntry> {
    const rows = this.rows<Row<'entry'>>`
      SELECT entry FROM failovers ORDER BY seq DESC LIMIT ${limit + 1}`;
    const items = rows.slice(0, limit).map((row): FailoverEntry => JSON.parse(String(row.entry)));
    return { items, total: this.#count('failovers'), hasMore: rows.length > limit };
  }

  addEvent(event: Omit<GeoEvent, 'seq'>): void {
    this.#append('events', 'event', event, MAX_EVENTS);
  }

  /** In the order in which they happened. */
  events(after: number, limit: number): LogPage<GeoEvent> {
    const rows = this.rows<Row<'seq' | 'event'>>`
      SELECT seq, event FROM events WHERE seq > ${after} ORDER BY seq LIMIT ${limit + 1}`;
    const items = rows.slice(0, limit).map((row): GeoEvent => ({
      ...JSON.parse(String(row.event)),
      seq: Number(row.seq),
    }));
    return { items, total: this.#count('events'), hasMore: rows.length > limit };
  }

  #append(table: 'failovers' | 'events', column: string, item: unknown, most: number): void {
    const { seq } = this.one<{ seq: number }>(
      `INSERT INTO ${table} (${column}) VALUES (?) RETURNING seq`,
      JSON.stringify(item),
    );
    this.run(`DELETE FROM ${table} WHERE seq <= ?`, seq - most);
  }

  #count(table: 'failovers' | 'events'): number {
    return this.value<number>(`SELECT count(*) AS total FROM ${table}`);
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
  // Only node types are written to this column.
  node_type: String(row.node_type) as NodeType,
  registeredAt: Number(row.registered_at),
  lastSeen: Number(row.last_seen),
  hasHeartbeats: Number(row.has_heartbeats) === 1,
  isRegistered: Number(row.is_registered) === 1,
  owner: String(row.owner),
  team: String(row.team),
  sender: row.speaker === null ? null : String(row.speaker),
});
