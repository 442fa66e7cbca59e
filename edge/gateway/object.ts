import type { NotedClass } from '../backup/contract/backup.ts';
import { isConnected } from '../outward/contract/connection.ts';
import type { Env } from '../env.ts';
import { fetchAt } from '../outward/connected-stub.ts';
import {
  decideRegister,
  decideRemove,
  etagOf,
  expiryOf,
  type InstanceDefinition,
  type InstanceState,
  type Registered,
  type Registering,
  removalOf,
  type Removing,
  type ServiceDefinition,
  type ServiceState,
} from './machine.ts';
import { configuredServices, outboundTo, reservedBecause } from './upstreams.ts';
import { type Allowlist, checkTarget, parseAllowlist } from './target-allowlist.ts';
import { ulid } from '../http/ulid.ts';
import {
  type Connected,
  ConnectedTable,
  connectedInstance,
  type ConnectedPlace,
  connectedService,
  type NewConnected,
} from '../outward/connected-table.ts';
import { GATEWAY_MIGRATIONS, GatewayStore } from './store.ts';
import { HealthTable, type Probed } from './health-checks.ts';
import { type ObjectIndex, StoredObject } from '../storage/stored-object.ts';

type RegisterResult =
  | { readonly kind: 'created' | 'updated' | 'renewed'; readonly service: ServiceState }
  | Exclude<Registering, { service: unknown }>;

/** Probes due within this time are sent together. */
const ALARM_GRID_MS = 200;
/** How long a list waits for the health of services that were never probed. */
const FIRST_LOOK_MS = 3_000;
/** The delay before a failed round of probes is repeated. */
const AFTER_FAULT_MS = 10_000;

/**
 * The registered services and the health of their instances.
 *
 * Storage is the only truth for registrations and for changes of health; what is in memory (when
 * an instance was last probed, when it is due) may be lost and is rebuilt.
 */
export class Gateway extends StoredObject implements ObjectIndex {
  readonly #store: GatewayStore;
  readonly #health: HealthTable;
  readonly #connected: ConnectedTable;
  #allowlist: Allowlist | undefined;
  #armedFor: number | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, GATEWAY_MIGRATIONS);
    this.#store = new GatewayStore(ctx.storage.sql);
    this.#health = new HealthTable(this.#store, (url) => fetchAt(env, outboundTo(env, url)));
    this.#connected = new ConnectedTable(ctx.storage.sql);
  }

  async register(definition: ServiceDefinition, ifMatch: string | null): Promise<RegisterResult> {
    const decision = decideRegister(this.#store.service(definition.name), {
      definition,
      ifMatch,
      revision: ulid(),
      now: Date.now(),
      count: this.#store.count(),
    });
    if (!('service' in decision)) return decision;
    this.#store.put(decision.service);
    await this.#arm();
    return { kind: decision.kind, service: this.#stateOf(decision.service, Date.now()) };
  }

  async remove(name: string, ifMatch: string | null): Promise<Removing> {
    const decision = decideRemove(this.#store.service(name), ifMatch);
    if (decision === 'removed') {
      this.#store.remove(name);
      this.#health.keep(this.#probed());
    }
    return decision;
  }

  /** Adds or renews a connected instance. */
  async join(place: NewConnected): Promise<'connected' | 'full'> {
    const result = this.#connected.put(place);
    await this.#arm();
    return result;
  }

  async leave(place: ConnectedPlace): Promise<void> {
    this.#connected.remove(place);
    this.#health.keep(this.#probed());
  }

  /** Every service outside of the Worker, as far as is known now. */
  async services(): Promise<readonly ServiceState[]> {
    if (this.#armedFor === undefined) await this.#arm();
    const now = Date.now();
    const registered = this.#registered().map((service) => this.#stateOf(service, now));
    return [
      ...configuredServices(this.env.UPSTREAMS).map(this.#configuredState),
      ...registered,
      ...this.#onlyConnected().map(this.#connectedState),
    ];
  }

  /** The same, after probing the instances that never were, as far as they respond in time. */
  async checkedServices(): Promise<readonly ServiceState[]> {
    const unasked = this.#probed().filter((one) => this.#health.stateOf(one).checkedAt === null);
    if (unasked.length > 0) {
      await Promise.race([this.#health.ask(unasked), scheduler.wait(FIRST_LOOK_MS)]);
    }
    return this.services();
  }

  /** Records an object whose name nothing else knows, before anything is stored in it. */
  noteObject(kind: NotedClass, name: string): void {
    this.#store.noteObject(kind, name);
  }

  hasObject(kind: NotedClass, name: string): boolean {
    return this.#store.hasObject(kind, name);
  }

  /** The names of such objects in order, after a given one. */
  objects(kind: NotedClass, after: string, limit: number): readonly string[] {
    return this.#store.objects(kind, after, limit);
  }

  /**
   * An alarm may fire late or twice: it probes what is due, removes what was not renewed and arms
   * the next one. It never fails, as the runtime gives up on alarms that do.
   */
  override async alarm(): Promise<void> {
    try {
      const now = Date.now();
      for (const service of this.#store.services()) {
        if (now >= (removalOf(service) ?? Infinity)) this.#store.remove(service.definition.name);
      }
      this.#connected.removeLost(now);
      const probed = this.#probed();
      this.#health.keep(probed);
      await this.#health.ask(
        probed.filter((one) => this.#health.nextAt(one) <= now + ALARM_GRID_MS),
      );
      await this.#arm(Date.now() + ALARM_GRID_MS);
    } catch (error) {
      console.error(
        JSON.stringify({ level: 'error', event: 'probes_failed', text: String(error) }),
      );
      await this.ctx.storage.setAlarm(Date.now() + AFTER_FAULT_MS);
    }
  }

  async #arm(earliest = 0): Promise<void> {
    const times = [
      ...this.#probed().map((one) => this.#health.nextAt(one)),
      ...this.#store.services().map((service) => removalOf(service) ?? Infinity),
      this.#connected.nextLoss(),
    ];
    const next = Math.max(earliest, Math.min(...times));
    this.#armedFor = next;
    if (next === Infinity) await this.ctx.storage.deleteAlarm();
    else await this.ctx.storage.setAlarm(Math.max(next, Date.now()));
  }

  /**
   * The registered services with their connected instances. Names that UPSTREAMS, or a newer
   * version of the platform, have taken since are left out.
   */
  #registered(): readonly Registered[] {
    const { UPSTREAMS } = this.env;
    const connected = Map.groupBy(this.#connected.all(), ({ service }) => service);
    return this.#store
      .services()
      .filter(({ definition }) => reservedBecause(definition.name, UPSTREAMS) === undefined)
      .map((stored) => withInstances(stored, connected.get(stored.definition.name) ?? []));
  }

  #onlyConnected(): readonly ConnectedOnly[] {
    const { UPSTREAMS } = this.env;
    const byName = Map.groupBy(this.#connected.all(), ({ service }) => service);
    return [...byName]
      .filter(([name]) => !this.#store.service(name) && !reservedBecause(name, UPSTREAMS))
      .map(([name, instances]) => ({ definition: connectedService(name, instances), instances }));
  }

  /** Every address that may be probed. */
  #probed(): readonly Probed[] {
    const registered = this.#registered()
      .map(({ definition }) => definition)
      .flatMap((service) => probedOf(service, (url) => this.#isAllowed(url)));
    return [
      ...configuredServices(this.env.UPSTREAMS).flatMap((service) => probedOf(service)),
      ...registered,
      ...this.#onlyConnected().flatMap(({ definition }) => probedOf(definition)),
    ];
  }

  #stateOf(service: Registered, now: number): ServiceState {
    const { definition, registeredAt, updatedAt } = service;
    const expiresAt = expiryOf(service) ?? null;
    const isLate = expiresAt !== null && now >= expiresAt;
    return {
      ...definition,
      origin: 'registered',
      etag: etagOf(service),
      registeredAt,
      updatedAt,
      expiresAt,
      instances: definition.instances.map((instance) => {
        const state = this.#instanceState(definition, instance);
        if (!this.#isAllowed(instance.url)) return criticalWith(state, NOT_ALLOWED);
        if (isLate) return criticalWith(state, `not registered again within ${definition.ttl_s} s`);
        return state;
      }),
    };
  }

  readonly #configuredState = (definition: ServiceDefinition): ServiceState => ({
    ...definition,
    origin: 'configured',
    etag: null,
    registeredAt: 0,
    updatedAt: 0,
    expiresAt: null,
    instances: definition.instances.map((instance) => this.#instanceState(definition, instance)),
  });

  readonly #connectedState = ({ definition, instances }: ConnectedOnly): ServiceState => ({
    ...definition,
    origin: 'connected',
    etag: null,
    registeredAt: Math.min(...instances.map(({ connectedAt }) => connectedAt)),
    updatedAt: Math.max(...instances.map(({ connectedAt }) => connectedAt)),
    expiresAt: null,
    instances: definition.instances.map((instance) => this.#instanceState(definition, instance)),
  });

  #instanceState({ name }: ServiceDefinition, instance: InstanceDefinition): InstanceState {
    const { state, checkedAt } = this.#health.stateOf({ service: name, url: instance.url });
    const { status, lastError } = state;
    return { ...instance, status, lastCheckAt: checkedAt, lastError };
  }

  #isAllowed(url: string): boolean {
    if (isConnected(url)) return true;
    this.#allowlist ??= parseAllowlist(this.env.TARGET_ALLOWLIST);
    return checkTarget(url, this.#allowlist).ok;
  }
}

/** A service that exists only through its connected instances. */
interface ConnectedOnly {
  readonly definition: ServiceDefinition;
  readonly instances: readonly Connected[];
}

function withInstances(stored: Registered, connected: readonly Connected[]): Registered {
  if (connected.length === 0) return stored;
  const { definition } = stored;
  const instances = [...definition.instances, ...connected.map(connectedInstance)];
  return { ...stored, definition: { ...definition, instances } };
}

const NOT_ALLOWED = 'TARGET_ALLOWLIST does not allow its address any more';

const criticalWith = (state: InstanceState, lastError: string): InstanceState => ({
  ...state,
  status: 'critical',
  lastError,
});

function probedOf(
  { name, health, instances }: ServiceDefinition,
  isAllowed: (url: string) => boolean = () => true,
): readonly Probed[] {
  return instances.flatMap(({ url }) => (isAllowed(url) ? { service: name, url, health } : []));
}
