/**
 * What is known of a node by its heartbeats, wherever they arrive: who keeps them tells the Geo object
 * (`report`), each second while nodes are there.
 */
export interface NodeSeen {
  readonly node_id: string;
  /** Whose it is: a key with `geo:node`, or who holds that scope otherwise. */
  readonly owner: string;
  readonly team: string;
  /** Null where the node does not say in which region it is: then it is none of ours. */
  readonly region_id: string | null;
  /** host:port; a node that was never registered joins its region with it. */
  readonly endpoint: string | null;
  /** `left`: it said that it goes, or its connection broke and its will was published. */
  readonly status: 'active' | 'inactive' | 'left';
  /** The last heartbeat, in epoch milliseconds. */
  readonly last_seen: number;
  /** How long it takes to answer, where it says so. */
  readonly latency_ms?: number;
  /** There and back to nodes of other regions, where it measures that. */
  readonly round_trips_ms?: Readonly<Record<string, number>>;
}
