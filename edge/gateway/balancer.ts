import type { ServiceStatus } from '../contract/service.ts';

/** An instance as the balancer sees it. */
export interface Candidate {
  readonly id: string;
  readonly weight: number;
  readonly regionId: string | null;
  /** By the health checks. */
  readonly status: ServiceStatus;
  /** Whether failed requests took it out of the rotation for a while. */
  readonly isEjected: boolean;
  readonly inFlight: number;
}

interface Choice {
  /** The caller's region, where known. */
  readonly regionId: string | null;
  /** Ids of the instances that have already failed this request. */
  readonly tried: readonly string[];
  /** In [0, 1). */
  readonly random: () => number;
}

/**
 * Chooses an instance by the power of two choices: of two picked at random by weight, the one with
 * the lower load. Undefined where no instance is left, or health checks found all of them critical.
 */
export function chooseInstance<C extends Candidate>(
  candidates: readonly C[],
  { regionId, tried, random }: Choice,
): C | undefined {
  if (candidates.every(({ status }) => status === 'critical')) return undefined;
  const isFresh = ({ id }: C) => !tried.includes(id);
  const fresh = candidates.filter(isFresh);
  // A second attempt goes to a healthy instance even in panic mode: the first one was the gamble.
  const pool = tried.length > 0 ? healthyOf(fresh) : rotationOf(candidates, regionId);
  return pickOfTwo(pool.length > 0 ? pool : fresh, random);
}

const isHealthy = ({ status, isEjected }: Candidate) => status !== 'critical' && !isEjected;

function healthyOf<C extends Candidate>(candidates: readonly C[]): readonly C[] {
  return candidates.filter(isHealthy);
}

/**
 * The healthy instances, those of the caller's region first. Where fewer than half are healthy they
 * would be overrun, so all take part (panic mode); the same threshold decides about leaving the
 * region.
 */
function rotationOf<C extends Candidate>(
  candidates: readonly C[],
  regionId: string | null,
): readonly C[] {
  const healthy = healthyOf(candidates);
  if (healthy.length * 2 < candidates.length) return candidates;
  if (regionId === null) return healthy;
  const isNear = (candidate: C) => candidate.regionId === regionId;
  const near = healthy.filter(isNear);
  return near.length > 0 && near.length * 2 >= candidates.filter(isNear).length ? near : healthy;
}

function pickOfTwo<C extends Candidate>(pool: readonly C[], random: () => number): C | undefined {
  const first = pickByWeight(pool, random);
  if (!first || pool.length === 1) return first;
  const second = pickByWeight(
    pool.filter((candidate) => candidate !== first),
    random,
  );
  return second && loadOf(second) < loadOf(first) ? second : first;
}

const loadOf = ({ inFlight, weight }: Candidate) => (inFlight + 1) / weight;

function pickByWeight<C extends Candidate>(
  pool: readonly C[],
  random: () => number,
): C | undefined {
  const total = pool.reduce((sum, { weight }) => sum + weight, 0);
  let rest = random() * total;
  return pool.find(({ weight }) => (rest -= weight) < 0) ?? pool.at(-1);
}
