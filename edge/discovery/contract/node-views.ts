import type {
  DiscoveryStatus,
  NodeCount,
  NodeInfo,
  Topology,
  TopologyEdge,
  UiExport,
  UiNode,
} from './node.ts';
import { type NodeState, scoreAt, statusAt } from './node-machine.ts';
import { phiOf } from './node-health.ts';
import { promptTopic, TEXT_PROMPT } from './topics.ts';

const ICONS: Readonly<Record<DiscoveryStatus, string>> = {
  active: '🟢',
  inactive: '⚪',
  error: '🔴',
};

/** The public record of a node as of a time. */
export function infoOf(state: NodeState, now: number, timeoutMs: number): NodeInfo {
  const { nodeId, moduleType, host, regionId, announced, metadata, heardAt, seenAt } = state;
  return {
    node_id: nodeId,
    module_type: moduleType,
    host,
    status: statusAt(state, now, timeoutMs),
    last_seen: seenAt / 1000,
    health_score: scoreAt(state, now, timeoutMs),
    region_id: regionId,
    metadata: {
      ...announced,
      ...metadata,
      phi: phiOf(state.rhythm, Math.max(0, now - heardAt)),
      ...(state.isSkewed && { clock_skew: true }),
    },
  };
}

/**
 * Merges the lists of several regions: of a node heard in more than one, the record where it is
 * active, else the latest.
 */
export function joinInfos(lists: readonly (readonly NodeInfo[])[]): readonly NodeInfo[] {
  const byId = new Map<string, NodeInfo>();
  for (const info of lists.flat()) {
    const other = byId.get(info.node_id);
    if (!other || isBetter(info, other)) byId.set(info.node_id, info);
  }
  return [...byId.values()];
}

function isBetter(a: NodeInfo, b: NodeInfo): boolean {
  return isHere(a) === isHere(b) ? a.last_seen > b.last_seen : isHere(a);
}

const isHere = ({ status }: NodeInfo): boolean => status !== 'inactive';

export function countOf(infos: readonly NodeInfo[]): NodeCount {
  const of = (wanted: DiscoveryStatus) => infos.filter(({ status }) => status === wanted).length;
  return { active: of('active'), inactive: of('inactive'), total: infos.length };
}

/** The nodes as a list for people, with times of day in UTC. */
export function uiExportOf(infos: readonly NodeInfo[], now: number): UiExport {
  return {
    nodes: infos.map((info) => uiNodeOf(info, now)),
    summary: countOf(infos),
    updated_at: timeOfDay(now),
  };
}

function uiNodeOf(info: NodeInfo, now: number): UiNode {
  const { node_id, module_type: type, host, status, last_seen: lastSeen, metadata } = info;
  const { owner, evidence } = info;
  const agoS = Math.max(0, now / 1000 - lastSeen);
  return {
    node_id,
    type,
    host,
    status,
    status_icon: ICONS[status],
    last_seen: timeOfDay(lastSeen * 1000),
    uptime: `${agoS.toFixed(1)}s ago`,
    ...(owner !== undefined && { owner }),
    ...(evidence !== undefined && { evidence }),
    metadata,
  };
}

const timeOfDay = (ms: number): string => new Date(ms).toISOString().slice(11, 19);

/** The topology: every PFC may send to every other node, and to each lang-main as a fallback. */
export function topologyOf(infos: readonly NodeInfo[], now: number): Topology {
  const sources = infos.filter(({ module_type: type }) => type === 'pfc');
  const edges = sources.flatMap((source) =>
    infos.flatMap((target) => (target.node_id === source.node_id ? [] : edgesOf(source, target))),
  );
  return { nodes: [...infos], edges, timestamp: now / 1000 };
}

function edgesOf(source: NodeInfo, target: NodeInfo): readonly TopologyEdge[] {
  const routes = edgeOf(source, target, 'routes_to');
  return target.module_type === 'lang-main'
    ? [routes, edgeOf(source, target, 'fallback')]
    : [routes];
}

function edgeOf(
  source: NodeInfo,
  target: NodeInfo,
  relation: 'routes_to' | 'fallback',
): TopologyEdge {
  const isUp = source.status === 'active' && target.status === 'active';
  const { latency_ms: latency } = target.metadata;
  return {
    id: `${source.node_id}/${target.node_id}/${relation}`,
    source: source.node_id,
    target: target.node_id,
    relation,
    topic: relation === 'fallback' ? TEXT_PROMPT : promptTopic(target.node_id),
    status: isUp ? 'up' : 'down',
    latency_ms: typeof latency === 'number' && latency >= 0 ? latency : null,
    weight: weightOf(target),
    mainstat: `${Math.round(target.health_score * 100)} %`,
  };
}

/**
 * The weight of a target among others of its type: its health, reduced by the suspicion of its
 * silence.
 */
export function weightOf({ status, health_score: score, metadata }: NodeInfo): number {
  if (status !== 'active') return 0;
  const { phi } = metadata;
  return Math.round((score / (1 + (typeof phi === 'number' ? phi : 0))) * 1000) / 1000;
}
