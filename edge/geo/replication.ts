import type { Replica, ReplicationGroup } from './contract/latency.ts';
import type { Env } from '../env.ts';
import { regionStoreOf } from './region-store-stub.ts';
import type { RegionState } from './state.ts';
import { registryOf } from '../registry/registry-stub.ts';
import type { GeoRepository } from './repository.ts';
import type { WantedVersion } from './region-store/copy.ts';

/** How often the registry is asked for changes. */
const EVERY_MS = 10_000;

interface SentVersion {
  readonly epoch: number;
  readonly revision: string;
}

/**
 * Replicates the registry to the stores of the regions that may take over. The last version sent to
 * each store is in memory only: sending it again has no effect.
 */
export class GeoReplication {
  readonly #env: Env;
  readonly #repository: GeoRepository;
  readonly #groupSize: number;
  readonly #sent = new Map<string, SentVersion>();
  #latest: { readonly revision: string; readonly versions: readonly WantedVersion[] } | undefined;
  #nextAt = 0;
  #isRunning = false;

  constructor(env: Env, repository: GeoRepository, groupSize: number) {
    this.#env = env;
    this.#repository = repository;
    this.#groupSize = groupSize;
  }

  /** The nearest online regions, up to the size of the group. */
  targetsOf(source: RegionState, now: number): readonly RegionState[] {
    const { region_id: from } = source.region;
    const latency = ({ region }: RegionState) =>
      this.#repository.latencyMs(from, region.region_id, now);
    return this.#repository
      .sorted()
      .filter(({ region, health }) => region.region_id !== from && health.status === 'online')
      .toSorted((a, b) => latency(a) - latency(b))
      .slice(0, this.#groupSize);
  }

  async groupOf(source: RegionState): Promise<ReplicationGroup> {
    const now = Date.now();
    const targets = this.targetsOf(source, now);
    const ids = targets.map(({ region }) => region.region_id);
    return {
      source_region: source.region.region_id,
      replication_targets: ids,
      latencies_ms: Object.fromEntries(
        ids.map((id) => [id, this.#repository.latencyMs(source.region.region_id, id, now)]),
      ),
      replicas: (await Promise.all(targets.map((target) => this.#replicasIn(target)))).flat(),
    };
  }

  /** Makes the next check update the stores. */
  hurry(): void {
    this.#nextAt = 0;
  }

  /** Updates the stores at intervals; an unreachable one is retried. */
  async tick(now: number): Promise<void> {
    if (now < this.#nextAt || this.#isRunning) return;
    this.#isRunning = true;
    this.#nextAt = now + EVERY_MS;
    try {
      await this.#replicateAll(now);
    } catch (error) {
      warn(error);
    } finally {
      this.#isRunning = false;
    }
  }

  /** A deleted region has no copies. */
  async clear({ region }: RegionState): Promise<void> {
    const { epoch } = this.#repository.state;
    this.#sent.delete(region.region_id);
    await regionStoreOf(this.#env, region).hold(region.region_id, epoch, []);
  }

  async #replicateAll(now: number): Promise<void> {
    const { active, regions } = this.#repository.state;
    const source = regions.get(active ?? '');
    const targets = source ? this.targetsOf(source, now).filter((one) => this.#isServing(one)) : [];
    if (targets.length === 0) return;
    const fresh = await registryOf(this.#env).completeVersions(this.#latest?.revision ?? '');
    this.#latest = fresh ?? this.#latest;
    await Promise.all(targets.map((target) => this.#replicateTo(target).catch(warn)));
  }

  async #replicateTo({ region }: RegionState): Promise<void> {
    const { epoch } = this.#repository.state;
    const sent = this.#sent.get(region.region_id);
    if (!this.#latest) return;
    const { revision, versions } = this.#latest;
    if (sent?.epoch === epoch && sent.revision === revision) return;
    const result = await regionStoreOf(this.#env, region).hold(region.region_id, epoch, versions);
    if (result.kind === 'admitted') this.#sent.set(region.region_id, { epoch, revision });
  }

  /** A region without nodes serves no requests, so it gets no copies. */
  #isServing({ region }: RegionState): boolean {
    return this.#repository.nodes.countIn(region.region_id) > 0;
  }

  async #replicasIn(target: RegionState): Promise<readonly Replica[]> {
    if (!this.#isServing(target)) return [];
    return regionStoreOf(this.#env, target.region).replicas();
  }
}

function warn(error: unknown): void {
  const text = String(error);
  console.warn(JSON.stringify({ level: 'warn', event: 'replication_failed', text }));
}
