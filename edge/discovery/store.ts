import type { BrainRoute } from '../brain/contract/reply.ts';
import { OUTBOX_TABLE } from '../events/outbox.ts';
import type { Used } from '../http/ownership.ts';
import type { NodeState } from './contract/node-machine.ts';
import type { Sender } from './mqtt/ports.ts';
import { TableStore } from '../storage/table-store.ts';

/** Each entry is applied once, in order, and never edited after it has been released. */
export const DISCOVERY_MIGRATIONS: readonly string[] = [
  `CREATE TABLE mqtt_sessions (
     client_id TEXT PRIMARY KEY,
     session TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE mqtt_subscriptions (
     client_id TEXT NOT NULL,
     filter TEXT NOT NULL,
     subscription TEXT NOT NULL,
     PRIMARY KEY (client_id, filter)
   ) WITHOUT ROWID;
   CREATE TABLE mqtt_deliveries (
     client_id TEXT NOT NULL,
     seq INTEGER NOT NULL,
     phase TEXT NOT NULL,
     packet_id INTEGER NOT NULL,
     message TEXT NOT NULL,
     payload BLOB NOT NULL,
     PRIMARY KEY (client_id, seq)
   );
   CREATE TABLE mqtt_received (
     client_id TEXT NOT NULL,
     packet_id INTEGER NOT NULL,
     PRIMARY KEY (client_id, packet_id)
   ) WITHOUT ROWID;
   CREATE TABLE mqtt_retained (
     topic TEXT PRIMARY KEY,
     message TEXT NOT NULL,
     payload BLOB NOT NULL
   );
   CREATE TABLE nodes (
     node_id TEXT PRIMARY KEY,
     node TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE shard (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     namespace TEXT NOT NULL,
     region TEXT NOT NULL
   );
   CREATE TABLE regions (region TEXT PRIMARY KEY) WITHOUT ROWID;`,
  `CREATE TABLE routes (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     route TEXT NOT NULL
   );`,
  OUTBOX_TABLE,
  // The publishers of retained messages and of nodes are unknown for older rows.
  `ALTER TABLE mqtt_retained ADD COLUMN owner TEXT NOT NULL DEFAULT '';
   ALTER TABLE nodes ADD COLUMN owner TEXT NOT NULL DEFAULT '';
   ALTER TABLE nodes ADD COLUMN is_evidence INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE shard ADD COLUMN team TEXT NOT NULL DEFAULT 'default';
   CREATE TABLE brokers (
     namespace TEXT NOT NULL,
     region TEXT NOT NULL,
     owner TEXT NOT NULL,
     used_at INTEGER NOT NULL,
     PRIMARY KEY (namespace, region)
   ) WITHOUT ROWID;
   CREATE INDEX brokers_by_owner ON brokers (owner);`,
];

/** A brain belongs to one team. */
export interface Brain {
  readonly team: string;
  readonly namespace: string;
}

/** A brain's part in one region. */
export interface Shard extends Brain {
  readonly region: string;
}

/** The key that publishes for a node, and whether its messages count as evidence of its region's health. */
export type Publisher = Pick<Sender, 'owner' | 'isEvidence'>;

/** A node with its latest publisher. */
interface StoredNode {
  readonly state: NodeState;
  readonly publisher: Publisher;
}

/** Tells the object which broker it is, as `<team>/<namespace>/<region>`. */
export const SHARD_HEADER = 'x-spikegrid-shard';

/** How long an unused broker counts: as long as its sessions can be stored. */
const BROKER_MS = 24 * 3600 * 1000;

/** The SQL of a shard's nodes and identity, and of a brain's directory of shards. */
export class DiscoveryStore extends TableStore {
  nodes(): readonly StoredNode[] {
    return this.rows<{ node: string; owner: string; is_evidence: number }>(
      'SELECT node, owner, is_evidence FROM nodes',
    ).map(({ node, owner, is_evidence }) => ({
      state: JSON.parse(node) as NodeState,
      publisher: { owner, isEvidence: is_evidence === 1 },
    }));
  }

  /**
   * The same after an eviction, during which no node could be heard: every node not known to be
   * gone has the full time to be heard again.
   */
  nodesAtWake(now: number): readonly StoredNode[] {
    return this.nodes().map(({ state, publisher }) => ({
      state: state.status === 'inactive' ? state : { ...state, heardAt: now },
      publisher,
    }));
  }

  saveNode({ state, publisher: { owner, isEvidence } }: StoredNode): void {
    this.run`INSERT OR REPLACE INTO nodes (node_id, node, owner, is_evidence)
      VALUES (${state.nodeId}, ${JSON.stringify(state)}, ${owner}, ${Number(isEvidence)})`;
  }

  removeNode(nodeId: string): void {
    this.run`DELETE FROM nodes WHERE node_id = ${nodeId}`;
  }

  shard(): Shard | undefined {
    const row = this.row<{ team: string; namespace: string; region: string }>(
      'SELECT team, namespace, region FROM shard',
    );
    return row;
  }

  saveShard({ team, namespace, region }: Shard): void {
    this.run`INSERT OR REPLACE INTO shard (id, team, namespace, region)
      VALUES (1, ${team}, ${namespace}, ${region})`;
  }

  /** The count of other brokers; undefined where this one is counted already. */
  brokersBeside({ namespace, region }: Shard, owner: string, now: number): Used | undefined {
    this.run`DELETE FROM brokers WHERE used_at <= ${now - BROKER_MS}`;
    const isKnown = this.exists`
      SELECT 1 FROM brokers WHERE namespace = ${namespace} AND region = ${region}`;
    if (isKnown) return undefined;
    const count = (where: string, ...values: string[]) =>
      this.value<number>(`SELECT count(*) AS n FROM brokers${where}`, ...values);
    return { owner: count(' WHERE owner = ?', owner), team: count('') };
  }

  /** Counts a broker for its first owner. */
  countBroker({ namespace, region }: Shard, owner: string, now: number): void {
    this.run`INSERT INTO brokers (namespace, region, owner, used_at)
      VALUES (${namespace}, ${region}, ${owner}, ${now})
      ON CONFLICT DO UPDATE SET used_at = excluded.used_at`;
  }

  /** Renews a counted broker. */
  keepBroker({ namespace, region }: Shard, now: number): void {
    this.run`
      UPDATE brokers SET used_at = ${now} WHERE namespace = ${namespace} AND region = ${region}`;
  }

  /** Adds routes, of which the latest `most` are retained. */
  saveRoutes(routes: readonly BrainRoute[], most: number): void {
    if (routes.length === 0) return;
    for (const route of routes) {
      this.run`INSERT INTO routes (route) VALUES (${JSON.stringify(route)})`;
    }
    this.run`DELETE FROM routes WHERE seq <= (SELECT MAX(seq) FROM routes) - ${most}`;
  }

  /** The latest first. */
  routes(): readonly BrainRoute[] {
    const rows = this.rows<{ route: string }>('SELECT route FROM routes ORDER BY seq DESC');
    return rows.map(({ route }) => JSON.parse(route) as BrainRoute);
  }

  regions(): readonly string[] {
    const rows = this.rows<{ region: string }>('SELECT region FROM regions');
    return rows.map(({ region }) => region);
  }

  addRegion(region: string): void {
    this.run`INSERT OR IGNORE INTO regions VALUES (${region})`;
  }
}
