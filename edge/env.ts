import type { ObjectNamespace } from './storage/remote.ts';

/** What wrangler.toml binds. `UPSTREAMS` is parsed where it is read: people write it. */
export interface Env {
  readonly ASSETS: Fetcher;
  /** Under the launcher: the processes that it runs beside the Worker, see gateway/companions.ts. */
  readonly COMPANIONS?: Fetcher;
  readonly FILES: R2Bucket;
  readonly REGISTRY: ObjectNamespace;
  readonly GATEWAY: ObjectNamespace;
  readonly ACCESS: ObjectNamespace;
  readonly IDEMPOTENCY: ObjectNamespace;
  readonly MONITORING: ObjectNamespace;
  readonly ALERTS: ObjectNamespace;
  readonly SENSORS: ObjectNamespace;
  readonly SOCKETS: ObjectNamespace;
  readonly TRACES: ObjectNamespace;
  /** Instances of services that connected outwards, one object each. */
  readonly CONNECTED: ObjectNamespace;
  readonly TRAINING: ObjectNamespace;
  readonly DATASETS: ObjectNamespace;
  readonly DISCOVERY: ObjectNamespace;
  readonly LOG_HUB: ObjectNamespace;
  readonly GEO: ObjectNamespace;
  readonly REGION_STORES: ObjectNamespace;
  readonly MEMORY: ObjectNamespace;
  readonly MEMORY_DIRECTORY: ObjectNamespace;
  /** Finds likeness among more memories than an object compares; where it is not bound, words do. */
  readonly MEMORY_VECTORS?: Vectorize;
  /** Says how many bytes are free on a machine of one's own; not bound in a deployment. */
  readonly DISK_SPACE?: Fetcher;
  /** Reaches public addresses only, by what a name is found to be; not bound in a deployment. */
  readonly PUBLIC_NETWORK?: Fetcher;
  /** Where the endpoints may be that nodes announce; of all others only heartbeats are known. */
  readonly ANNOUNCED_ALLOWLIST: unknown;
  /** Regions and failover; see geo/config.ts, where it is parsed. */
  readonly GEO_NODE_MANAGER: unknown;
  /** `local`: whoever reaches the Worker from this machine may do everything. `required`: credentials say. */
  readonly AUTH_MODE: 'local' | 'required';
  /** The first API key of a deployment, as `<id>:<hash>`; `spikegrid keys bootstrap` makes one. */
  readonly BOOTSTRAP_KEY?: string;
  /** Whose tokens are taken; nobody's where it is empty. */
  readonly JWT_ISSUER: string;
  readonly JWT_AUDIENCE: string;
  /** A JWK set of public keys, or the address of one. It is parsed where it is read. */
  readonly JWT_JWKS: unknown;
  /** Such as https://team.cloudflareaccess.com; Cloudflare Access is not asked where it is empty. */
  readonly CF_ACCESS_TEAM: string;
  readonly CF_ACCESS_AUDIENCE: string;
  /** What callers may do whom Cloudflare Access let in: scopes with a space between. */
  readonly CF_ACCESS_SCOPES: string;
  /** Origins whose pages may call the API, such as https://app.example. */
  readonly CORS_ORIGINS: readonly string[] | string;
  /** How many requests a caller may send for long, and at once. */
  readonly RATE_LIMIT_PER_S: number;
  readonly RATE_LIMIT_BURST: number;
  /** How much an owner and a team may have, where it differs from what contract/team.ts says. */
  readonly QUOTAS: unknown;
  /** How many credentials that do not hold an address may send. */
  readonly FAILED_AUTH_PER_MIN: number;
  /** A body may stand still for so long, and has to come as fast for long. */
  readonly BODY_STALL_MS: number;
  readonly BODY_BYTES_PER_S: number;
  /** Services that run outside of this Worker: a name and an address each. */
  readonly UPSTREAMS: unknown;
  /** Where registered services may run; see gateway/target-allowlist.ts. */
  readonly TARGET_ALLOWLIST: unknown;
  /** How long a service may take to begin its answer once it has the whole request. */
  readonly UPSTREAM_TIMEOUT_MS: number;
  /** When an upload that was neither finished nor given up is cleared away. */
  readonly UPLOAD_TTL_S: number;
  /** How long a resumable upload may stand still before it is cleared away. */
  readonly RESUMABLE_TTL_S: number;
  /** How long a part is kept that nothing names, after it was last sent or asked for. */
  readonly PARTS_TTL_S: number;
  /** How long measurements are collected before a service reports them, and before they are stored in order. */
  readonly METRICS_FLUSH_MS: number;
  /** How often the alert rules are evaluated. */
  readonly ALERTS_INTERVAL_MS: number;
  /** What is waited before a notification that failed is sent again; then ever longer. */
  readonly ALERTS_RETRY_MS: number;
  /** A Redis through which platforms share their log, such as redis://host:6379: a secret; none where it is left out. */
  readonly DISTRIBUTED_WS_REDIS?: string;
  /** So many messages of the log wait for a Redis that is away; those before them count as lost. */
  readonly DISTRIBUTED_WS_REDIS_QUEUE: number;
  /** In seconds: a client of the log stream that does not acknowledge a message within it is closed. */
  readonly DISTRIBUTED_WS_SEND_TIMEOUT: number;
}
