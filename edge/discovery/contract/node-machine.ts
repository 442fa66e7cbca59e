import { firstRhythm, healthScore, type Rhythm, spareOf, withInterval } from './node-health.ts';
import type { DiscoveryStatus } from './node.ts';
import type { Announcement, Heartbeat, NodeMetadata } from './node-message.ts';

/** How long a node may be silent before it counts as inactive. */
export const TIMEOUT_MS = 5_000;
export const HEARTBEAT_MS = 2_000;
/**
 * A node is forgotten after this time of inactivity (Consul: deregister critical service after).
 */
export const REAP_MS = 72 * 3600 * 1000;

/** Timestamps of a node whose clock is off by more than this are not trusted. */
const MAX_SKEW_MS = 30_000;
/** Consecutive bad heartbeats that put a node into error, and clean ones that take it out again. */
const BAD_IN_ROW = 3;
const CLEAN_IN_ROW = 2;
const LOWEST_SCORE = 0.1;
/** Two outdated heartbeats in order, this far apart, mean that the clock was set back. */
const BACK_APART_MS = HEARTBEAT_MS / 2;

/** The state of a node; times in epoch milliseconds of the listener. */
export interface NodeState {
  readonly nodeId: string;
  readonly moduleType: string;
  readonly host: string;
  /** The region it states; else the one where it was heard. */
  readonly regionId: string;
  readonly announced: NodeMetadata;
  readonly metadata: NodeMetadata;
  /** As of its last message; silence makes it inactive without one. */
  readonly status: DiscoveryStatus;
  readonly heardAt: number;
  /** By the node's own clock where that can be trusted. */
  readonly seenAt: number;
  /**
   * The timestamp of the last heartbeat, in seconds by the node's clock; undefined before the
   * first.
   */
  readonly timestamp: number | undefined;
  readonly isSkewed: boolean;
  /** When it, or its broker, announced that it leaves; undefined once it was heard again. */
  readonly leftAt: number | undefined;
  readonly spare: number;
  readonly rhythm: Rhythm;
  readonly malformed: number;
  readonly low: number;
  readonly clean: number;
  /** The last heartbeat that was ignored as outdated. */
  readonly back: { readonly timestamp: number; readonly heardAt: number } | undefined;
}

/**
 *   nothing --announce, heartbeat--> active --5 s of silence, leave--> inactive --72 h--> nothing
 *                                      |  <--announce, heartbeat--------- |  ^
 *                                      |---metadata.error, 3 malformed,---|--|--> error
 *                                           3 heartbeats of score < 0.1         error --5 s, leave--> inactive
 *                                      <--2 clean heartbeats-- error
 */
export function announce(
  known: NodeState | undefined,
  heartbeat: Announcement,
  { now, regionId }: { readonly now: number; readonly regionId: string },
): NodeState {
  const { node_id: nodeId, module_type: moduleType, host, metadata } = heartbeat;
  const base = known ?? unknown(nodeId, now);
  return {
    ...base,
    moduleType,
    host,
    announced: metadata,
    regionId: textOr(metadata['region_id'], regionId),
    // It has restarted: the metadata of its last run no longer applies.
    metadata: {},
    status: statusAt(base, now) === 'error' ? 'error' : 'active',
    heardAt: now,
    seenAt: now,
    timestamp: undefined,
    back: undefined,
    leftAt: undefined,
    malformed: 0,
  };
}

/** Applies a heartbeat. Undefined where it is ignored as a duplicate or outdated. */
export function applyHeartbeat(
  known: NodeState | undefined,
  heartbeat: Heartbeat,
  { now, regionId }: { readonly now: number; readonly regionId: string },
): NodeState | undefined {
  const { node_id: nodeId, module_type: moduleType, host, metadata, timestamp } = heartbeat;
  const before = known ?? unknown(nodeId, now);
  const isSkewed = Math.abs(timestamp * 1000 - now) > MAX_SKEW_MS;
  const isOld = before.timestamp !== undefined && timestamp <= before.timestamp;
  if (isOld && !isClockPutBack(before, timestamp, now)) return undefined;
  const spare = spareOf(metadata);
  const marks = marksOf(before, metadata, spare);
  return {
    ...before,
    moduleType,
    host,
    metadata,
    timestamp,
    isSkewed,
    spare,
    ...marks,
    regionId: textOr(metadata['region_id'], known?.regionId ?? regionId),
    status: statusAfter(statusAt(before, now), metadata, marks),
    heardAt: now,
    seenAt: isSkewed ? now : Math.min(now, timestamp * 1000),
    rhythm: rhythmAfter(before, now),
    malformed: 0,
    back: undefined,
    leftAt: undefined,
  };
}

/** Records an outdated heartbeat, to detect a clock that was set back. */
export const leftOut = (state: NodeState, timestamp: number, now: number): NodeState =>
  state.timestamp === timestamp || state.back?.timestamp === timestamp
    ? state
    : { ...state, back: { timestamp, heardAt: now } };

/** An invalid message on the node's topic: it is alive, but perhaps not well. */
export function malformedHeartbeat(state: NodeState, now: number): NodeState {
  const malformed = state.malformed + 1;
  const before = statusAt(state, now);
  if (before === 'inactive') return { ...state, status: before, malformed, clean: 0 };
  const status = malformed >= BAD_IN_ROW ? 'error' : before;
  return { ...state, malformed, clean: 0, status, heardAt: now };
}

/** The node fell silent, or announced at `leftAt` that it leaves. */
export const leave = (state: NodeState, leftAt?: number): NodeState => ({
  ...state,
  leftAt,
  status: 'inactive',
  malformed: 0,
  low: 0,
  clean: 0,
});

/** The status at a time: silence counts without any event. */
export function statusAt({ status, heardAt }: NodeState, now: number, timeoutMs = TIMEOUT_MS) {
  return now - heardAt >= timeoutMs ? 'inactive' : status;
}

export const scoreAt = (
  { spare, heardAt, status }: NodeState,
  now: number,
  timeoutMs = TIMEOUT_MS,
) => (status === 'inactive' ? 0 : healthScore(spare, Math.max(0, now - heardAt), timeoutMs));

function isClockPutBack(
  { back, timestamp: last = 0 }: NodeState,
  timestamp: number,
  now: number,
): boolean {
  if (!back || timestamp >= last) return false;
  return timestamp > back.timestamp && now - back.heardAt >= BACK_APART_MS;
}

interface Marks {
  readonly low: number;
  readonly clean: number;
}

function marksOf(before: NodeState, metadata: NodeMetadata, spare: number): Marks {
  const low = spare < LOWEST_SCORE ? before.low + 1 : 0;
  const isClean = low === 0 && !hasError(metadata);
  return { low, clean: isClean ? before.clean + 1 : 0 };
}

const hasError = ({ error }: NodeMetadata): boolean =>
  error !== undefined && error !== null && error !== false && error !== '';

function statusAfter(
  before: DiscoveryStatus,
  metadata: NodeMetadata,
  { low, clean }: Marks,
): DiscoveryStatus {
  if (hasError(metadata) || low >= BAD_IN_ROW) return 'error';
  return before === 'error' && clean < CLEAN_IN_ROW ? 'error' : 'active';
}

/** The first interval after a silence is not representative. */
function rhythmAfter({ rhythm, heardAt, timestamp }: NodeState, now: number): Rhythm {
  const intervalMs = now - heardAt;
  const isRegular = timestamp !== undefined && intervalMs > 0 && intervalMs < TIMEOUT_MS;
  return isRegular ? withInterval(rhythm, intervalMs) : rhythm;
}

const textOr = (value: unknown, other: string): string =>
  typeof value === 'string' && value !== '' ? value : other;

const unknown = (nodeId: string, now: number): NodeState => ({
  nodeId,
  moduleType: '',
  host: '',
  regionId: '',
  announced: {},
  metadata: {},
  status: 'active',
  heardAt: now,
  seenAt: now,
  timestamp: undefined,
  isSkewed: false,
  leftAt: undefined,
  spare: 1,
  rhythm: firstRhythm(HEARTBEAT_MS),
  malformed: 0,
  low: 0,
  clean: 0,
  back: undefined,
});
