import { type Damping, flipped, NO_FLIPS } from './flap-damping.ts';
import type { RegionStatus } from './contract/region.ts';

/** A fraction of active nodes below this makes a round bad. */
const MIN_ACTIVE = 0.67;
/** This multiple of the usual 95th percentile makes a round bad. */
const SLOW_RATIO = 3;
/** Below this, slowness is normal variation. */
const SLOW_FLOOR_MS = 50;
const BAD_ROUNDS = 2;
const CLEAN_ROUNDS = 2;
const CLEAN_ROUNDS_OFFLINE = 3;
/** The longest silence of all nodes. */
const SILENT_AFTER_MS = 5_000;
/** Silence is confirmed by two more checks. */
const SILENT_CHECKS = 3;
/** From this fraction of fresh heartbeats on, probes alone take no region offline. */
const FRESH_FRACTION = 1 / 3;
/** The status reason of a region without nodes. */
const NO_NODES = 'no nodes';
/** A heartbeat overdue: not silence yet, but how a fault of the monitor begins. */
const LATE_AFTER_MS = 3_000;
/** Without a result for this long, the region is unmonitored. */
export const LOST_AFTER_MS = 90_000;

/** One observation of a region. */
export type Evidence =
  /** A round of heartbeats: how many of the nodes that send them are active. */
  | {
      readonly kind: 'heartbeats';
      readonly active: number;
      readonly known: number;
      readonly p95Ms: number | null;
      /** The usual 95th percentile. */
      readonly baselineMs: number | null;
    }
  /** A round of probes, with the number of nodes that have a fresh heartbeat. */
  | {
      readonly kind: 'probes';
      readonly failed: number;
      readonly sent: number;
      readonly fresh: number;
      readonly nodes: number;
    }
  /** The time since any node was heard, checked each second. */
  | { readonly kind: 'silence'; readonly silentMs: number };

/** Consecutive rounds of one kind. */
interface Streak {
  readonly bad: number;
  readonly clean: number;
  readonly at: number | null;
}

const NO_STREAK: Streak = { bad: 0, clean: 0, at: null };

/** The health of a region and its history. Times are epoch milliseconds. */
export interface Health {
  readonly status: RegionStatus;
  readonly since: number;
  readonly reason: string;
  /** When the last round had a result; null before the first. */
  readonly lastCheckAt: number | null;
  readonly heartbeats: Streak;
  readonly probes: Streak;
  /** Consecutive checks that found every node silent. */
  readonly silentChecks: number;
  /** Since when there has been no fault; null while there is one. */
  readonly cleanSince: number | null;
  readonly damping: Damping;
}

export function newHealth(now: number, status: RegionStatus = 'online', reason = NO_NODES): Health {
  return {
    status,
    since: now,
    reason,
    lastCheckAt: null,
    heartbeats: NO_STREAK,
    probes: NO_STREAK,
    silentChecks: 0,
    cleanSince: null,
    damping: NO_FLIPS,
  };
}

/**
 *   online --2 bad rounds in a row--> degraded --2 clean rounds--> online
 *   online, degraded --all silent and confirmed twice, or all probes of a round failed while fewer
 *                      than a third of the nodes have a fresh heartbeat--> offline
 *   offline --3 clean rounds and long enough without a bad one--> online
 *   online, degraded, offline --no result for 90 s--> unknown --the next round decides--> any
 *   any --operator--> maintenance --operator--> unknown
 *   any but maintenance --its last node left--> online
 */
export function observe(health: Health, evidence: Evidence, now: number): Health {
  const counted = countIn(health, evidence, now);
  switch (counted.status) {
    case 'online':
    case 'degraded':
      return fromServing(counted, evidence, now);
    case 'offline':
      return fromOffline(counted, now);
    case 'unknown':
      return fromUnknown(counted, evidence, now);
    case 'maintenance':
      return counted;
  }
}

/** The health after a time without results. */
export function afterSilenceOfMonitor(health: Health, now: number): Health {
  const { status, lastCheckAt } = health;
  const isLost = lastCheckAt !== null && now - lastCheckAt >= LOST_AFTER_MS;
  if (!isLost || status === 'unknown' || status === 'maintenance') return health;
  return enter(
    health,
    'unknown',
    `no result of any observation for ${LOST_AFTER_MS / 1000} s`,
    now,
  );
}

export function beginMaintenance(health: Health, reason: string, now: number): Health {
  return enter(health, 'maintenance', reason, now);
}

/** From here on the next round decides; a region without nodes is as good as new. */
export function endMaintenance(health: Health, canBeChecked: boolean, now: number): Health {
  if (!canBeChecked) return newHealth(now);
  return enter(restarted(health), 'unknown', 'the maintenance ended', now);
}

/**
 * The health of a region whose last node left, or whose first one joined: earlier observations no
 * longer apply.
 */
export function afterNodesChanged(health: Health, hasNodes: boolean, now: number): Health {
  if (health.status === 'maintenance') return health;
  if (hasNodes) {
    return health.reason === NO_NODES ? { ...health, reason: 'its first node joined' } : health;
  }
  if (health.reason === NO_NODES && health.lastCheckAt === null) return health;
  return enter({ ...restarted(health), lastCheckAt: null }, 'online', NO_NODES, now);
}

/** Whether a region is failing, or about to. */
export const isFailing = (
  { silentChecks, status }: Health,
  observations: readonly Evidence[],
): boolean =>
  silentChecks > 0 ||
  status === 'offline' ||
  observations.some(
    (observation) => observation.kind === 'silence' && observation.silentMs > LATE_AFTER_MS,
  );

/** The lowest number of consecutive clean rounds over the kinds that still report. */
export const consecutiveUp = (health: Health, now: number): number => {
  const streaks = reporting(health, now);
  return streaks.length === 0 ? 0 : Math.min(...streaks.map(({ clean }) => clean));
};

export const consecutiveDown = (health: Health, now: number): number =>
  Math.max(0, ...reporting(health, now).map(({ bad }) => bad));

/** The time until a silence becomes too long; not positive where it already is. */
export const silentAfter = (silentMs: number): number => SILENT_AFTER_MS + 1 - silentMs;

/** Why a round is bad; undefined where it is clean. */
export function faultIn(evidence: Evidence): string | undefined {
  switch (evidence.kind) {
    case 'silence':
      return evidence.silentMs > SILENT_AFTER_MS ? 'every node is silent' : undefined;
    case 'probes':
      if (evidence.failed === 0) return undefined;
      return `${evidence.failed} of ${evidence.sent} probes failed`;
    case 'heartbeats':
      return faultOfNodes(evidence);
  }
}

function faultOfNodes(found: Extract<Evidence, { kind: 'heartbeats' }>): string | undefined {
  const { active, known, p95Ms, baselineMs } = found;
  if (active < known * MIN_ACTIVE) return `${active} of ${known} nodes are active`;
  const isSlow = p95Ms !== null && baselineMs !== null && p95Ms > SLOW_FLOOR_MS;
  if (!isSlow || p95Ms <= SLOW_RATIO * baselineMs) return undefined;
  return `answers take ${Math.round(p95Ms)} ms (p95), usually ${Math.round(baselineMs)} ms`;
}

function countIn(health: Health, evidence: Evidence, now: number): Health {
  const fault = faultIn(evidence);
  const cleanSince = fault === undefined ? (health.cleanSince ?? now) : null;
  if (evidence.kind === 'silence') {
    const silentChecks = fault === undefined ? 0 : health.silentChecks + 1;
    // That not all nodes are silent says nothing about their health.
    return { ...health, silentChecks, cleanSince: fault === undefined ? health.cleanSince : null };
  }
  const before = health[evidence.kind];
  const streak: Streak =
    fault === undefined
      ? { bad: 0, clean: before.clean + 1, at: now }
      : { bad: before.bad + 1, clean: 0, at: now };
  return { ...health, [evidence.kind]: streak, cleanSince, lastCheckAt: now };
}

function fromServing(health: Health, evidence: Evidence, now: number): Health {
  const failure = failureIn(health, evidence);
  if (failure !== undefined) return enter(health, 'offline', failure, now);
  const fault = faultIn(evidence);
  if (health.status === 'online') {
    const isBad = Math.max(health.heartbeats.bad, health.probes.bad) >= BAD_ROUNDS;
    return isBad && fault !== undefined ? enter(health, 'degraded', fault, now) : health;
  }
  if (!hasCleanRounds(health, CLEAN_ROUNDS, now)) return health;
  return enter(health, 'online', `${CLEAN_ROUNDS} clean rounds in a row`, now);
}

function fromOffline(health: Health, now: number): Health {
  const { stableMs } = health.damping;
  const isStable = health.cleanSince !== null && now - health.cleanSince >= stableMs;
  if (!isStable || !hasCleanRounds(health, CLEAN_ROUNDS_OFFLINE, now)) return health;
  return enter(health, 'online', `nothing wrong for ${stableMs / 1000} s`, now);
}

function fromUnknown(health: Health, evidence: Evidence, now: number): Health {
  const failure = failureIn(health, evidence);
  if (failure !== undefined) return enter(health, 'offline', failure, now);
  if (evidence.kind === 'silence') return health;
  // An unconfirmed silence is neither evidence for nor against.
  if (health.silentChecks > 0) return health;
  const fault = faultIn(evidence);
  if (fault !== undefined) return enter(health, 'degraded', fault, now);
  return enter(health, 'online', 'a clean round', now);
}

/** Why a region is offline by an observation; undefined where it is not. */
function failureIn({ silentChecks }: Health, evidence: Evidence): string | undefined {
  if (evidence.kind === 'probes') return failureOfProbes(evidence);
  if (evidence.kind !== 'silence' || silentChecks < SILENT_CHECKS) return undefined;
  return `no node was heard for ${(evidence.silentMs / 1000).toFixed(1)} s`;
}

function failureOfProbes(found: Extract<Evidence, { kind: 'probes' }>): string | undefined {
  const { sent, failed, fresh, nodes } = found;
  if (sent === 0 || failed < sent || fresh >= nodes * FRESH_FRACTION) return undefined;
  return `all ${sent} probes of a round failed`;
}

function hasCleanRounds(health: Health, rounds: number, now: number): boolean {
  const streaks = reporting(health, now);
  return streaks.length > 0 && streaks.every(({ clean }) => clean >= rounds);
}

/** A kind of rounds that has stopped says nothing about the present. */
function reporting({ heartbeats, probes }: Health, now: number): readonly Streak[] {
  return [heartbeats, probes].filter(({ at }) => at !== null && now - at < LOST_AFTER_MS);
}

/** Earlier rounds no longer count. */
const restarted = (health: Health): Health => ({
  ...health,
  heartbeats: NO_STREAK,
  probes: NO_STREAK,
  silentChecks: 0,
  cleanSince: null,
});

function enter(health: Health, status: RegionStatus, reason: string, now: number): Health {
  const damping = flipped(health.damping, { from: health.status, to: status }, now);
  const since = status === health.status ? health.since : now;
  return { ...health, status, since, reason, damping };
}
