import type { BrainRoute } from '../contract/brain/reply.ts';
import type { NodeState } from '../contract/discovery/node-machine.ts';

/** A brain's part in one region. */
export interface Shard {
  readonly namespace: string;
  readonly region: string;
}

/** The nodes of a shard, which shard it is, and in a brain's directory where its shards are. */
export class DiscoveryStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  nodes(): readonly NodeState[] {
    const rows = this.#sql.exec<{ node: string }>('SELECT node FROM nodes').toArray();
    return rows.map(({ node }) => JSON.parse(node) as NodeState);
  }

  /**
   * The same, for an object that wakes: nobody could be heard while it was not there, so that everybody
   * who is not known to be gone has his time anew.
   */
  nodesAtWake(now: number): readonly NodeState[] {
    return this.nodes().map((state) =>
      state.status === 'inactive' ? state : { ...state, heardAt: now },
    );
  }

  saveNode(state: NodeState): void {
    const { nodeId } = state;
    this.#sql.exec('INSERT OR REPLACE INTO nodes VALUES (?, ?)', nodeId, JSON.stringify(state));
  }

  removeNode(nodeId: string): void {
    this.#sql.exec('DELETE FROM nodes WHERE node_id = ?', nodeId);
  }

  shard(): Shard | undefined {
    const [row] = this.#sql
      .exec<{ namespace: string; region: string }>('SELECT namespace, region FROM shard')
      .toArray();
    return row;
  }

  saveShard({ namespace, region }: Shard): void {
    this.#sql.exec('INSERT OR REPLACE INTO shard VALUES (1, ?, ?)', namespace, region);
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

  hasBrain(namespace: string): boolean {
    const rows = this.#sql.exec('SELECT 1 FROM brains WHERE namespace = ?', namespace);
    return rows.toArray().length > 0;
  }

  /** Beyond so many, no further one is kept. */
  addBrain(namespace: string, most: number): void {
    this.#sql.exec(
      'INSERT OR IGNORE INTO brains SELECT ? WHERE (SELECT COUNT(*) FROM brains) < ?',
      namespace,
      most,
    );
  }
}
