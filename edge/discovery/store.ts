import type { BrainRoute } from '../brain/contract/reply.ts';
import type { NodeState } from './contract/node-machine.ts';
import type { Speaker } from './node-speakers.ts';
import type { Used } from '../http/ownership.ts';

/** A brain is its team's own. */
export interface Brain {
  readonly team: string;
  readonly namespace: string;
}

/** A brain's part in one region. */
export interface Shard extends Brain {
  readonly region: string;
}

/** A node with who spoke for it last. */
export interface KeptNode {
  readonly state: NodeState;
  readonly speaker: Speaker;
}

/** How long a broker counts that nobody connects to: as long as its sessions can be kept. */
const BROKER_MS = 24 * 3600 * 1000;

/** The nodes of a shard, which shard it is, and in a brain's directory where its shards are. */
export class DiscoveryStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  nodes(): readonly KeptNode[] {
    return this.#sql
      .exec<{ node: string; owner: string; is_evidence: number }>(
        'SELECT node, owner, is_evidence FROM nodes',
      )
      .toArray()
      .map(({ node, owner, is_evidence }) => ({
        state: JSON.parse(node) as NodeState,
        speaker: { owner, isEvidence: is_evidence === 1 },
      }));
  }

  /**
   * The same, for an object that wakes: nobody could be heard while it was not there, so that everybody
   * who is not known to be gone has his time anew.
   */
  nodesAtWake(now: number): readonly KeptNode[] {
    return this.nodes().map(({ state, speaker }) => ({
      state: state.status === 'inactive' ? state : { ...state, heardAt: now },
      speaker,
    }));
  }

  saveNode({ state, speaker: { owner, isEvidence } }: KeptNode): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO nodes (node_id, node, owner, is_evidence) VALUES (?, ?, ?, ?)',
      state.nodeId,
      JSON.stringify(state),
      owner,
      Number(isEvidence),
    );
  }

  removeNode(nodeId: string): void {
    this.#sql.exec('DELETE FROM nodes WHERE node_id = ?', nodeId);
  }

  shard(): Shard | undefined {
    const [row] = this.#sql
      .exec<{ team: string; namespace: string; region: string }>(
        'SELECT team, namespace, region FROM shard',
      )
      .toArray();
    return row;
  }

  saveShard({ team, namespace, region }: Shard): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO shard (id, team, namespace, region) VALUES (1, ?, ?, ?)',
      team,
      namespace,
      region,
    );
  }

  /** What is counted of brokers beside one; undefined where it is counted already. */
  brokersBeside({ namespace, region }: Shard, owner: string, now: number): Used | undefined {
    this.#sql.exec('DELETE FROM brokers WHERE used_at <= ?', now - BROKER_MS);
    const known = this.#sql.exec(
      'SELECT 1 FROM brokers WHERE namespace = ? AND region = ?',
      namespace,
      region,
    );
    if (known.toArray().length > 0) return undefined;
    const count = (where: string, ...values: string[]) =>
      this.#sql.exec<{ n: number }>(`SELECT count(*) AS n FROM brokers${where}`, ...values).one().n;
    return { owner: count(' WHERE owner = ?', owner), team: count('') };
  }

  /** Counts a broker from now on, for who had it first. */
  countBroker({ namespace, region }: Shard, owner: string, now: number): void {
    this.#sql.exec(
      `INSERT INTO brokers (namespace, region, owner, used_at) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET used_at = excluded.used_at`,
      namespace,
      region,
      owner,
      now,
    );
  }

  /** It goes on being used, where it is counted. */
  keepBroker({ namespace, region }: Shard, now: number): void {
    this.#sql.exec(
      'UPDATE brokers SET used_at = ? WHERE namespace = ? AND region = ?',
      now,
      namespace,
      region,
    );
  }

  /** Keeps the latest `most` routes. */
  saveRoutes(routes: readonly BrainRoute[], most: number): void {
    if (routes.length === 0) return;
    for (const route of routes) {
      this.#sql.exec('INSERT INTO routes (route) VALUES (?)', JSON.stringify(route));
    }
    this.#sql.exec('DELETE FROM routes WHERE seq <= (SELECT MAX(seq) FROM routes) - ?', most);
  }

  /** The latest first. */
  routes(): readonly BrainRoute[] {
    const rows = this.#sql
      .exec<{ route: string }>('SELECT route FROM routes ORDER BY seq DESC')
      .toArray();
    return rows.map(({ route }) => JSON.parse(route) as BrainRoute);
  }

  regions(): readonly string[] {
    const rows = this.#sql.exec<{ region: string }>('SELECT region FROM regions').toArray();
    return rows.map(({ region }) => region);
  }

  addRegion(region: string): void {
    this.#sql.exec('INSERT OR IGNORE INTO regions VALUES (?)', region);
  }
}
