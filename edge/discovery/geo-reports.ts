import type { NodeState } from '../contract/discovery/node-machine.ts';
import { geoOf } from '../geo/geo-stub.ts';
import type { NodeSeen } from '../geo/node-activity.ts';
import type { Env } from '../env.ts';

/** How often the Geo object is told of nodes, while any are heard. */
export const TELL_EVERY_MS = 1_000;

/** Tells the Geo object, which judges regions by their nodes, who was heard and who has left. */
export async function tellGeo(env: Env, heard: readonly NodeState[]): Promise<void> {
  if (heard.length === 0) return;
  try {
    await geoOf(env).report(heard.map(seenOf));
  } catch (error) {
    // The next second tells it again.
    const text = String(error);
    console.warn(JSON.stringify({ level: 'warn', event: 'geo_not_told', text }));
  }
}

export function seenOf(state: NodeState): NodeSeen {
  const { nodeId, regionId, announced, metadata, heardAt, leftAt } = state;
  const { endpoint, latency_ms: latency, round_trips_ms: trips } = { ...announced, ...metadata };
  return {
    node_id: nodeId,
    region_id: regionId === '' ? null : regionId,
    endpoint: typeof endpoint === 'string' ? endpoint : null,
    status: leftAt === undefined ? 'active' : 'left',
    last_seen: heardAt,
    ...(isTime(latency) && { latency_ms: latency }),
    ...(isTimes(trips) && { round_trips_ms: trips }),
  };
}

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

const isTimes = (value: unknown): value is Readonly<Record<string, number>> =>
  typeof value === 'object' && value !== null && Object.values(value).every(isTime);
