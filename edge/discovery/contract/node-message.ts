/** A node's report on its usage and work; further members are allowed. */
export type NodeMetadata = Readonly<Record<string, unknown>>;

/** The announcement of a node. */
export interface Announcement {
  readonly node_id: string;
  readonly module_type: string;
  readonly host: string;
  readonly metadata: NodeMetadata;
}

/** A heartbeat of a node. */
export interface Heartbeat extends Announcement {
  /** Epoch seconds. */
  readonly timestamp: number;
}

const MAX_HEARTBEAT_BYTES = 8 * 1024;
const MAX_NODE_ID = 128;
const MAX_MODULE_TYPE = 64;
const MAX_HOST = 255;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses an announcement; undefined where it is invalid. Written by hand, as heartbeats are most of
 * what discovery reads and a schema takes several times as long.
 */
export function parseAnnouncement(payload: Uint8Array): Announcement | undefined {
  const value = parseObject(payload);
  return value && announcementIn(value);
}

function announcementIn(value: Record<string, unknown>): Announcement | undefined {
  const { node_id: nodeId, module_type: moduleType, host, metadata = {} } = value;
  if (!isText(nodeId, MAX_NODE_ID) || /[+#/]/.test(nodeId)) return undefined;
  if (!isText(moduleType, MAX_MODULE_TYPE) || !isText(host, MAX_HOST)) return undefined;
  if (!isObject(metadata)) return undefined;
  return { node_id: nodeId, module_type: moduleType, host, metadata };
}

/** Parses a heartbeat; undefined where it is invalid. */
export function parseHeartbeat(payload: Uint8Array): Heartbeat | undefined {
  const value = parseObject(payload);
  const said = value && announcementIn(value);
  const timestamp = value?.['timestamp'];
  if (!said || typeof timestamp !== 'number' || !(timestamp >= 0)) return undefined;
  return { ...said, timestamp };
}

function parseObject(payload: Uint8Array): Record<string, unknown> | undefined {
  if (payload.length > MAX_HEARTBEAT_BYTES) return undefined;
  try {
    const value: unknown = JSON.parse(decoder.decode(payload));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= most;
