import type { MessageLine } from './message-line.ts';
import type { NodeCount, NodeInfo, Topology, UiExport } from './node.ts';
import { type NodeChange, NodeTable } from './node-table.ts';
import { countOf, topologyOf, uiExportOf } from './node-views.ts';
import { connectLine } from './mqtt/socket-line.ts';
import { brokerUrl, clientOptions } from './node-connection.ts';
import { NODE_FILTERS } from './topics.ts';

interface NodeDiscoveryOptions {
  /** The line to listen on; by default a connection to the platform's broker. */
  readonly line?: MessageLine;
  /** The platform to connect to by default. */
  readonly gateway?: string | URL;
  /** An API key or a token for that connection, where the platform requires one. */
  readonly key?: string;
  /**
   * Called with the reason where the platform's broker is unreachable; the connection is retried.
   */
  readonly onUnreachable?: (reason: Error) => void;
  /** The region of nodes that state none, and of the broker that is connected to by default. */
  readonly regionId?: string;
  /** How long a node may be silent, in milliseconds. */
  readonly timeoutMs?: number;
  /** Epoch milliseconds. */
  readonly now?: () => number;
  readonly onChange?: (change: NodeChange) => void;
  /**
   * The topic filters to subscribe to; by default everything that nodes publish about themselves.
   */
  readonly filters?: readonly string[];
}

/** The health of one node. */
type NodeHealth = Pick<NodeInfo, 'status' | 'health_score' | 'last_seen'>;

/** The nodes heard over a line. Their status is evaluated at each call. */
export interface NodeDiscovery {
  readonly namespace: string;
  getAllNodes(): readonly NodeInfo[];
  getActiveNodes(): readonly NodeInfo[];
  getNodesByType(moduleType: string): readonly NodeInfo[];
  getNodeCount(): NodeCount;
  /** Undefined for an unknown node. */
  getNodeHealth(nodeId: string): NodeHealth | undefined;
  exportForUi(): UiExport;
  getTopology(): Topology;
  /** Stops listening; a line passed in stays open. */
  close(): void;
}

/** The region of this machine's nodes, as in `spikegrid node`. */
const DEFAULT_REGION = 'local';

/** How often to look for nodes that fell silent, so that listeners learn of it. */
const SWEEP_MS = 1_000;

/**
 * Discovers nodes over a line. @throws where the broker of a given line refuses the subscriptions
 */
export async function createNodeDiscovery(
  namespace: string,
  options: NodeDiscoveryOptions = {},
): Promise<NodeDiscovery> {
  const { line, regionId = line ? '' : DEFAULT_REGION, timeoutMs } = options;
  const { now = Date.now, onChange = () => {}, filters = NODE_FILTERS } = options;
  const table = new NodeTable({ regionId, ...(timeoutMs !== undefined && { timeoutMs }) });
  const timer = setInterval(() => table.sweep(now()).forEach(onChange), SWEEP_MS);
  const listen: Listen = async (to) => {
    const stop = to.onMessage((topic, payload) => {
      const change = table.receive(topic, payload, now());
      if (change) onChange(change);
    });
    try {
      for (const filter of filters) await to.subscribe(filter);
    } catch (error) {
      stop();
      throw error;
    }
    return stop;
  };
  const listening = line
    ? listen(line)
    : listenToPlatform(namespace, { ...options, regionId }, listen);
  const stop = await listening.catch((error: unknown) => {
    clearInterval(timer);
    throw error;
  });
  const close = () => {
    stop();
    clearInterval(timer);
  };
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

/** Listens on a line. @returns a function that stops */
type Listen = (line: MessageLine) => Promise<() => void>;

/** Connects to the platform's broker. While that is unreachable, no nodes are known. */
async function listenToPlatform(
  namespace: string,
  { gateway = defaultGateway(), key, regionId = '', onUnreachable = warn }: NodeDiscoveryOptions,
  listen: Listen,
): Promise<() => void> {
  const url = brokerUrl({ gateway, namespace, region: regionId });
  const settings = clientOptions(`discovery-${crypto.randomUUID()}`, key);
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop: (() => void) | undefined;
  const tryOnce = async (): Promise<void> => {
    const line = await connectLine(url, settings);
    const end = () => void line.end().catch(() => {});
    if (isClosed) return end();
    stop = end;
    await listen(line).catch((error: unknown) => {
      end();
      throw error;
    });
  };
  const retry = () => {
    timer = setTimeout(() => {
      tryOnce().catch(retry);
    }, settings.reconnectPeriod);
  };
  await tryOnce().catch((error: unknown) => {
    onUnreachable(error instanceof Error ? error : new Error(String(error)));
    retry();
  });
  return () => {
    isClosed = true;
    clearTimeout(timer);
    stop?.();
  };
}

/** A page's own platform, or the one that `npm start` starts on this machine. */
const defaultGateway = (): string => globalThis.location?.origin ?? 'http://127.0.0.1:8000';

const warn = ({ message }: Error): void =>
  console.warn(
    `node discovery: ${message}; trying again. The option gateway names another platform.`,
  );

function healthIn(infos: readonly NodeInfo[], nodeId: string): NodeHealth | undefined {
  const info = infos.find(({ node_id: id }) => id === nodeId);
  if (!info) return undefined;
  const { status, health_score, last_seen } = info;
  return { status, health_score, last_seen };
}

let instance: NodeDiscovery | undefined;

/** Creates the shared instance of this program, replacing an earlier one. */
export async function initNodeDiscovery(
  namespace: string,
  options: NodeDiscoveryOptions = {},
): Promise<NodeDiscovery> {
  const made = await createNodeDiscovery(namespace, options);
  instance?.close();
  instance = made;
  return made;
}

/** The shared instance. @throws where initNodeDiscovery was not called */
export function getNodeDiscovery(): NodeDiscovery {
  if (instance) return instance;
  throw new Error('there is no node discovery yet: initNodeDiscovery makes it');
}
