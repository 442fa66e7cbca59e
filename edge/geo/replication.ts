import type { Replica, ReplicationGroup } from './contract/latency.ts';
import type { Env } from '../env.ts';
import { regionStoreOf } from './region-store-stub.ts';
import type { RegionState } from './geo-state.ts';
import { registryOf } from '../registry/registry-stub.ts';
import type { GeoBook } from './store-state.ts';
import type { WantedVersion } from './replica.ts';

/** How often the registry is asked what is new. */
const EVERY_MS = 10_000;

interface Told {
  readonly epoch: number;
  readonly revision: string;
}

/**
 * Keeps the stores of the regions that may take over as full as the registry. Which store was told
 * what is in memory: telling one again costs it nothing.
 */
export class GeoReplication {
  readonly #env: Env;
  readonly #book: GeoBook;
  readonly #groupSize: number;
  readonly #told = new Map<string, Told>();
  #latest: { readonly revision: string; readonly versions: readonly WantedVersion[] } | undefined;
  #nextAt = 0;
  #isRunning = false;

  constructor(env: Env, book: GeoBook, groupSize: number) {
    this.#env = env;
    this.#book = book;
    this.#groupSize = groupSize;
  }

  /** The nearest regions that are online, as many as the group has. */
  targetsOf(source: RegionState, now: number): readonly RegionState[] {
    const { region_id: from } = source.region;
    const latency = ({ region }: RegionState) => this.#book.latencyMs(from, region.region_id, now);
    return this.#book
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
        ids.map((id) => [id, this.#book.latencyMs(source.region.region_id, id, now)]),
      ),
      replicas: (await Promise.all(targets.map((target) => this.#replicasIn(target)))).flat(),
    };
  }

  /** From here on the next look tells the stores what they are to hold. */
  hurry(): void {
    this.#nextAt = 0;
  }

  /** Tells the stores what is new, now and then; one that cannot be told is told again. */
  async tick(now: number): Promise<void> {
    if (now < this.#nextAt || this.#isRunning) return;
    this.#isRunning = true;
    this.#nextAt = now + EVERY_MS;
    try {
      await this.#tellAll(now);
    } catch (error) {
      warn(error);
    } finally {
      this.#isRunning = false;
    }
  }

  /** A region that is no more holds nothing. */
  async clear({ region }: RegionState): Promise<void> {
    const { epoch } = this.#book.state;
    this.#told.delete(region.region_id);
    await regionStoreOf(this.#env, region).hold(region.region_id, epoch, []);
  }

  async #tellAll(now: number): Promise<void> {
    const { active, regions } = this.#book.state;
    const source = regions.get(active ?? '');
    const targets = source ? this.targetsOf(source, now).filter((one) => this.#isServing(one)) : [];
    if (targets.length === 0) return;
    const fresh = await registryOf(this.#env).completeVersions(this.#latest?.revision ?? '');
    this.#latest = fresh ?? this.#latest;
    await Promise.all(targets.map((target) => this.#tell(target).catch(warn)));
  }

  async #tell({ region }: RegionState): Promise<void> {
    const { epoch } = this.#book.state;
    const told = this.#told.get(region.region_id);
    if (!this.#latest) return;
    const { revision, versions } = this.#latest;
    if (told?.epoch === epoch && told.revision === revision) return;
    const result = await regionStoreOf(this.#env, region).hold(region.region_id, epoch, versions);
    if (result.kind === 'admitted') this.#told.set(region.region_id, { epoch, revision });
  }

  /** A region without nodes serves nobody: it is given no copies. */
  #isServing({ region }: RegionState): boolean {
    return this.#book.nodes.countIn(region.region_id) > 0;
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
