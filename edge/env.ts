import type { ObjectNamespace } from './storage/remote.ts';

/** Bindings and variables of wrangler.toml. `unknown` ones are written by hand and parsed where they are read. */
export interface Env {
  readonly ASSETS: Fetcher;
  /** Under the launcher: its companion processes, see gateway/companions.ts. */
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
  /** Vector search over more memories than one object compares; optional. */
  readonly MEMORY_VECTORS?: Vectorize;
  /** Free disk space of a self-hosted machine; not bound in a deployment. */
  readonly DISK_SPACE?: Fetcher;
  /** Reaches public addresses only, after name resolution; not bound in a deployment. */
  readonly PUBLIC_NETWORK?: Fetcher;
  /** Allowed endpoints of announced nodes; others are known by heartbeats only. */
  readonly ANNOUNCED_ALLOWLIST: unknown;
  /** Regions and failover; see geo/config.ts, where it is parsed. */
  readonly GEO_NODE_MANAGER: unknown;
  /** `local`: callers on this machine may do everything. `required`: everybody needs credentials. */
  readonly AUTH_MODE: 'local' | 'required';
  /** The first API key of a deployment, as `<id>:<hash>`; `spikegrid keys bootstrap` makes one. */
  readonly BOOTSTRAP_KEY?: string;
  /** Issuer of accepted tokens; none if empty. */
  readonly JWT_ISSUER: string;
  readonly JWT_AUDIENCE: string;
  /** A JWK set of public keys, or the address of one. It is parsed where it is read. */
  readonly JWT_JWKS: unknown;
  /** Such as https://team.cloudflareaccess.com; Cloudflare Access is not asked where it is empty. */
  readonly CF_ACCESS_TEAM: string;
  readonly CF_ACCESS_AUDIENCE: string;
  /** Scopes of callers authenticated by Cloudflare Access, separated by spaces. */
  readonly CF_ACCESS_SCOPES: string;
  /** Origins whose pages may call the API, such as https://app.example. */
  readonly CORS_ORIGINS: readonly string[] | string;
  /** Sustained rate and burst of requests per caller. */
  readonly RATE_LIMIT_PER_S: number;
  readonly RATE_LIMIT_BURST: number;
  /** Quotas of owners and teams that differ from contract/team.ts. */
  readonly QUOTAS: unknown;
  /** Invalid credentials accepted per address and minute. */
  readonly FAILED_AUTH_PER_MIN: number;
  /** Maximum stall of a request body, and its minimum sustained rate. */
  readonly BODY_STALL_MS: number;
  readonly BODY_BYTES_PER_S: number;
  /** Services that run outside of this Worker: a name and an address each. */
  readonly UPSTREAMS: unknown;
  /** Where registered services may run; see gateway/target-allowlist.ts. */
  readonly TARGET_ALLOWLIST: unknown;
  /** Time limit for the first byte of a response once the request is complete. */
  readonly UPSTREAM_TIMEOUT_MS: number;
  /** Age at which an unfinished upload is deleted. */
  readonly UPLOAD_TTL_S: number;
  /** Idle time after which a resumable upload is deleted. */
  readonly RESUMABLE_TTL_S: number;
  /** Retention of an unreferenced part after its last use. */
  readonly PARTS_TTL_S: number;
  /** Interval at which services report metrics and samples are stored. */
  readonly METRICS_FLUSH_MS: number;
  /** How often the alert rules are evaluated. */
  readonly ALERTS_INTERVAL_MS: number;
  /** First delay before a failed notification is retried; it grows from there. */
  readonly ALERTS_RETRY_MS: number;
  /** Redis through which platforms share their log, such as redis://host:6379: an optional secret. */
  readonly DISTRIBUTED_WS_REDIS?: string;
  /** Maximum number of log messages queued for an unreachable Redis; older ones are dropped. */
  readonly DISTRIBUTED_WS_REDIS_QUEUE: number;
  /** Seconds within which a client of the log stream must acknowledge a message. */
  readonly DISTRIBUTED_WS_SEND_TIMEOUT: number;
}
