import type { MessageLine } from './message-line.ts';
import type { NodeCount, NodeInfo, Topology, UiExport } from './node.ts';
import { type NodeChange, NodeTable } from './node-table.ts';
import { countOf, topologyOf, uiExportOf } from './node-views.ts';
import { NODE_FILTERS } from './topics.ts';

export interface NodeDiscoveryOptions {
  /** What the nodes are heard over. */
  readonly line: MessageLine;
  /** Where nodes are that do not say where. */
  readonly regionId?: string;
  /** How long a node may be silent, in milliseconds. */
  readonly timeoutMs?: number;
  /** Epoch milliseconds. */
  readonly now?: () => number;
  readonly onChange?: (change: NodeChange) => void;
  /** What is listened to; all that nodes say of themselves where it is left out. */
  readonly filters?: readonly string[];
}

/** The health of one node. */
export type NodeHealth = Pick<NodeInfo, 'status' | 'health_score' | 'last_seen'>;

/** Who is there, as heard over a line: the nodes' states are decided whenever somebody asks. */
export interface NodeDiscovery {
  readonly namespace: string;
  getAllNodes(): readonly NodeInfo[];
  getActiveNodes(): readonly NodeInfo[];
  getNodesByType(moduleType: string): readonly NodeInfo[];
  getNodeCount(): NodeCount;
  /** Undefined for a node nobody has heard of. */
  getNodeHealth(nodeId: string): NodeHealth | undefined;
  exportForUi(): UiExport;
  getTopology(): Topology;
  /** Stops listening; the line stays. */
  close(): void;
}

/** How often it is looked whether somebody fell silent, so that listeners learn of it. */
const SWEEP_MS = 1_000;

/** Listens on a line who is there. @throws where the broker refuses the subscriptions */
export async function createNodeDiscovery(
  namespace: string,
  options: NodeDiscoveryOptions,
): Promise<NodeDiscovery> {
  const { line, regionId = '', timeoutMs, filters = NODE_FILTERS } = options;
  const { now = Date.now, onChange = () => {} } = options;
  const table = new NodeTable({ regionId, ...(timeoutMs !== undefined && { timeoutMs }) });
  const stop = line.onMessage((topic, payload) => {
    const change = table.receive(topic, payload, now());
    if (change) onChange(change);
  });
  const timer = setInterval(() => table.sweep(now()).forEach(onChange), SWEEP_MS);
  const close = () => {
    stop();
    clearInterval(timer);
  };
  try {
    for (const filter of filters) await line.subscribe(filter);
  } catch (error) {
    close();
    throw error;
  }
  const all = () => table.infos(now());
  return {
    namespace,
    getAllNodes: all,
    getActiveNodes: () => all().filter(({ status }) => status === 'active'),
    getNodesByType: (wanted) => all().filter(({ module_type: type }) => type === wanted),
    getNodeCount: () => countOf(all()),
    getNodeHealth: (nodeId) => healthIn(all(), nodeId),
    exportForUi: () => uiExportOf(all(), now()),
    getTopology: () => topologyOf(all(), now()),
    close,
  };
}

function healthIn(infos: readonly NodeInfo[], nodeId: string): NodeHealth | undefined {
  const info = infos.find(({ node_id: id }) => id === nodeId);
  if (!info) return undefined;
  const { status, health_score, last_seen } = info;
  return { status, health_score, last_seen };
}

let instance: NodeDiscovery | undefined;

/** Makes the one instance of this program, in place of an earlier one. */
export async function initNodeDiscovery(
  namespace: string,
  options: NodeDiscoveryOptions,
): Promise<NodeDiscovery> {
  const made = await createNodeDiscovery(namespace, options);
  instance?.close();
  instance = made;
  return made;
}

/** The one instance. @throws where initNodeDiscovery has made none */
export function getNodeDiscovery(): NodeDiscovery {
  if (instance) return instance;
  throw new Error('there is no node discovery yet: initNodeDiscovery makes it');
}
