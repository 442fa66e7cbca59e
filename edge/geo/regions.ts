import { MAX_REGIONS, type RegionInput, type StatusChange } from './contract/region.ts';
import {
  addRegion,
  removeRegion,
  startMaintenance,
  type Stepped,
  stopMaintenance,
} from './machine.ts';
import type { Changed, Region, RegionResult, RegionState, RemoveRegionResult } from './state.ts';
import { preconditionOf } from '../http/conditional.ts';
import type { GeoRepository } from './repository.ts';
import type { GeoFailovers } from './failovers.ts';

/** The operations of operators on regions. */
export class GeoRegions {
  readonly #repository: GeoRepository;
  readonly #failovers: GeoFailovers;

  constructor(repository: GeoRepository, failovers: GeoFailovers) {
    this.#repository = repository;
    this.#failovers = failovers;
  }

  find(regionId: string): RegionResult {
    const found = this.#repository.state.regions.get(regionId);
    return found ? this.#done(found) : { kind: 'no-region' };
  }

  create(input: RegionInput): RegionResult {
    const { state } = this.#repository;
    if (state.regions.has(input.region_id)) return { kind: 'exists' };
    if (state.regions.size >= MAX_REGIONS) return { kind: 'full' };
    const now = Date.now();
    this.#repository.commit(addRegion(state, regionOf(input, now), now));
    return this.find(input.region_id);
  }

  remove(regionId: string, isForced: boolean, ifMatch: string | null): RemoveRegionResult {
    const { state, nodes } = this.#repository;
    const found = state.regions.get(regionId);
    if (!found) return { kind: 'no-region' };
    const changed = changedSince(found, ifMatch);
    if (changed) return changed;
    if (state.active === regionId) return { kind: 'active' };
    const count = nodes.countIn(regionId);
    if (count > 0 && !isForced) return { kind: 'not-empty', nodes: count };
    this.#repository.commit(removeRegion(state, regionId));
    nodes.removeRegion(regionId);
    return { kind: 'done' };
  }

  /** Maintenance of the active region begins once another has taken over, or by force. */
  async setStatus(
    regionId: string,
    { status, reason, force }: StatusChange,
    ifMatch: string | null,
  ): Promise<RegionResult> {
    const found = this.#repository.state.regions.get(regionId);
    if (!found) return { kind: 'no-region' };
    const changed = changedSince(found, ifMatch);
    if (changed) return changed;
    const isInMaintenance = found.health.status === 'maintenance';
    if (isInMaintenance === (status === 'maintenance')) return this.#done(found);
    if (status === 'online') return this.#apply(regionId, this.#stop(found));
    const refused =
      this.#repository.state.active === regionId && (await this.#handOver(regionId, reason));
    if (refused && !force) return refused;
    const current = this.#repository.state.regions.get(regionId);
    if (!current) return { kind: 'no-region' };
    const { state } = this.#repository;
    return this.#apply(regionId, startMaintenance(state, current, reason, Date.now()));
  }

  /** A planned failover away from a region. @returns the refusal where there is none */
  async #handOver(regionId: string, reason: string) {
    const plan = this.#failovers.plan({ from: regionId });
    if (plan.kind === 'planned' && plan.plan.target === null) {
      return {
        kind: 'refused',
        code: 'target_not_online',
        why: `${regionId} is active and no other region can take over. force begins all the same.`,
      } as const;
    }
    const done = await this.#failovers.manual({
      from_region: regionId,
      reason: reason === '' ? `maintenance of ${regionId}` : reason,
      triggered_by: 'maintenance',
      force: false,
    });
    if (done.kind === 'refused') return done;
    if (done.kind === 'done' && done.event.success) return undefined;
    const why = done.kind === 'done' ? (done.event.error ?? '') : '';
    return { kind: 'refused', code: 'target_not_online', why } as const;
  }

  #stop(found: RegionState): Stepped {
    const hasNodes = this.#repository.nodes.countIn(found.region.region_id) > 0;
    return stopMaintenance(this.#repository.state, found, hasNodes, Date.now());
  }

  #apply(regionId: string, { state, changes }: Stepped): RegionResult {
    this.#repository.commit(state, changes);
    return this.find(regionId);
  }

  #done(found: RegionState): RegionResult {
    return {
      kind: 'done',
      record: this.#repository.record(found, Date.now()),
      etag: etagOf(found),
    };
  }
}

const etagOf = ({ revision }: RegionState): string => `"${revision}"`;

function changedSince(found: RegionState, ifMatch: string | null): Changed | undefined {
  const etag = etagOf(found);
  const headers = new Headers(ifMatch === null ? {} : { 'if-match': ifMatch });
  return preconditionOf(headers, etag) === 'failed' ? { kind: 'changed', etag } : undefined;
}

const regionOf = (input: RegionInput, now: number): Region => ({
  region_id: input.region_id,
  display_name: input.display_name ?? input.region_id,
  provider: input.provider,
  latitude: input.location.lat,
  longitude: input.location.lon,
  priority: input.priority,
  createdAt: now,
});
