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

  regions(): readonly string[] {
    const rows = this.#sql.exec<{ region: string }>('SELECT region FROM regions').toArray();
    return rows.map(({ region }) => region);
  }

  addRegion(region: string): void {
    this.#sql.exec('INSERT OR IGNORE INTO regions VALUES (?)', region);
  }
}
