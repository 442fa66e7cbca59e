import type { Candidate, Excluded, FailoverPlan } from './contract/failover.ts';
import type { FailoverRefusal, GeoState, RegionState } from './state.ts';

/** The inputs of a plan besides the state of the regions. */
export interface Facts {
  /** One way, in milliseconds. */
  readonly latencyMs: (from: string, to: string) => number;
  readonly nodesOf: (regionId: string) => number;
  readonly activeNodesOf: (regionId: string) => number;
}

export interface FailoverRequest {
  readonly from: string;
  /** The best candidate where it is left out. */
  readonly to?: string | undefined;
  /** Accepts a target that is not online, but never one in maintenance. */
  readonly force?: boolean;
  readonly expectedEpoch?: number | undefined;
}

export type Planned =
  | { readonly kind: 'planned'; readonly plan: FailoverPlan }
  | ({ readonly kind: 'refused' } & FailoverRefusal);

/**
 * Plans which region takes over: of those online, the lowest priority; then the lowest latency from
 * the region that is left, the most active nodes, the first id. A region without an active node is
 * skipped unless it is requested by name.
 */
export function planFailover(state: GeoState, request: FailoverRequest, facts: Facts): Planned {
  const refusal = refusalOf(state, request);
  if (refusal) return { kind: 'refused', ...refusal };
  const others = [...state.regions.values()].filter((one) => one.region.region_id !== request.from);
  const judged = others.map((one) => {
    const candidate = candidateOf(one, request.from, facts);
    return { candidate, why: exclusionOf(one, facts) };
  });
  const ranked = judged
    .filter(({ why }) => why === undefined)
    .map(({ candidate }) => candidate)
    .toSorted(byRank);
  const excluded: Excluded[] = [
    { region_id: request.from, why: 'it is the region to be left' },
    ...judged.flatMap(({ candidate, why }) =>
      why === undefined ? [] : [{ region_id: candidate.region_id, why }],
    ),
  ];
  const target = request.to ?? ranked[0]?.region_id ?? null;
  return {
    kind: 'planned',
    plan: {
      from_region: request.from,
      target,
      ranked_candidates: ranked,
      excluded,
      nodes_affected: facts.nodesOf(request.from),
      latency_delta_ms: target === null ? null : facts.latencyMs(request.from, target),
      epoch: state.epoch + 1,
    },
  };
}

function refusalOf(state: GeoState, request: FailoverRequest): FailoverRefusal | undefined {
  const { from, to, force = false, expectedEpoch } = request;
  const { regions, active, epoch } = state;
  const missing = [from, to].find((id) => id !== undefined && !regions.has(id));
  if (missing !== undefined) {
    return { code: 'region_not_found', why: `There is no region ${missing}.` };
  }
  if (expectedEpoch !== undefined && expectedEpoch !== epoch) {
    return { code: 'stale_epoch', why: `The epoch is ${epoch}, expected was ${expectedEpoch}.` };
  }
  if (from !== active) {
    return { code: 'stale_epoch', why: `${from} is not active: ${active} is, in epoch ${epoch}.` };
  }
  if (to === from) return { code: 'region_active', why: `${to} is the active region already.` };
  const target = to === undefined ? undefined : regions.get(to);
  return target && notOnline(target, force);
}

function notOnline({ region, health }: RegionState, force: boolean): FailoverRefusal | undefined {
  const { status, reason } = health;
  if (status === 'online' || (force && status !== 'maintenance')) return undefined;
  const hint = status === 'maintenance' ? 'It has to end first.' : 'force takes it all the same.';
  const why = `${region.region_id} is ${status} (${reason}), expected online. ${hint}`;
  return { code: 'target_not_online', why };
}

function candidateOf({ region, health }: RegionState, from: string, facts: Facts): Candidate {
  const { region_id, priority } = region;
  return {
    region_id,
    priority,
    latency_ms: facts.latencyMs(from, region_id),
    active_nodes: facts.activeNodesOf(region_id),
    status: health.status,
  };
}

function exclusionOf({ region, health }: RegionState, facts: Facts): string | undefined {
  if (health.status !== 'online') return `it is ${health.status}: ${health.reason}`;
  if (facts.nodesOf(region.region_id) === 0) return 'it has no nodes';
  if (facts.activeNodesOf(region.region_id) > 0) return undefined;
  return 'it has no active node to take requests';
}

const byRank = (a: Candidate, b: Candidate): number =>
  a.priority - b.priority ||
  a.latency_ms - b.latency_ms ||
  b.active_nodes - a.active_nodes ||
  (a.region_id < b.region_id ? -1 : 1);
