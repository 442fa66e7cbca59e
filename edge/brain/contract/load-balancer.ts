import type { NodeInfo } from '../../discovery/contract/node.ts';
import {
  chooseRoute,
  isAvailable,
  type KnownNodes,
  reportedLoad,
  type RouteChoice,
  type RoutingOptions,
} from './routing.ts';

interface LoadBalancerOptions {
  /** Queries discovery. @throws where that is unavailable */
  readonly discovery: () => readonly NodeInfo[];
  /** In order of preference. */
  readonly regionPriority?: readonly string[];
  /** Epoch milliseconds. */
  readonly now?: () => number;
}

/** How long a failed attempt, or a node's leaving, counts against it. */
const FAULT_MS = 30_000;
/** The maximum number of faults that count. */
const MAX_FAULTS = 6;

/**
 * Chooses nodes for prompts by their load as discovery reports it and by this PFC's own requests in
 * flight, as heartbeats are up to two seconds old. A node that fails or flaps is avoided for a
 * while.
 */
export class BrainLoadBalancer {
  readonly #options: LoadBalancerOptions;
  readonly #now: () => number;
  #nodes: KnownNodes;
  readonly #underWay = new Map<string, number>();
  readonly #faults = new Map<string, readonly number[]>();

  constructor(options: LoadBalancerOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /**
   * Updates the nodes and their load. Where discovery is unavailable, no nodes are known (rule 5).
   */
  refreshFromDiscovery(): void {
    try {
      this.#nodes = this.#options.discovery();
    } catch {
      this.#nodes = undefined;
    }
  }

  /** Rule 1: refresh before routing. */
  hasActiveNodes(moduleName: string): boolean {
    return isAvailable(this.#nodes, moduleName);
  }

  route(moduleName: string, options: Pick<RoutingOptions, 'regionPriority' | 'tried'> = {}) {
    const { regionPriority = this.#options.regionPriority, tried } = options;
    return chooseRoute(this.#nodes, moduleName, {
      ...(regionPriority && { regionPriority }),
      ...(tried && { tried }),
      loadOf: (node) => Math.max(reportedLoad(node), this.#underWay.get(node.node_id) ?? 0),
      faultsOf: ({ node_id: nodeId }) => this.#faultsOf(nodeId).length,
    }) satisfies RouteChoice;
  }

  /** Counts a request to a node until the returned function is called. */
  begin(nodeId: string): () => void {
    this.#add(nodeId, 1);
    let isOver = false;
    return () => {
      if (!isOver) this.#add(nodeId, -1);
      isOver = true;
    };
  }

  /** Records that a node failed a request, or left. */
  fault(nodeId: string): void {
    this.#faults.set(nodeId, [...this.#faultsOf(nodeId), this.#now()].slice(-MAX_FAULTS));
  }

  #faultsOf(nodeId: string): readonly number[] {
    const since = this.#now() - FAULT_MS;
    const recent = (this.#faults.get(nodeId) ?? []).filter((at) => at > since);
    if (recent.length === 0) this.#faults.delete(nodeId);
    return recent;
  }

  #add(nodeId: string, count: number): void {
    const next = (this.#underWay.get(nodeId) ?? 0) + count;
    if (next > 0) this.#underWay.set(nodeId, next);
    else this.#underWay.delete(nodeId);
  }
}
