import type { Access } from './objects/access-object.ts';
import type { Alerts } from './objects/alerts-object.ts';
import type { Gateway } from './objects/gateway-object.ts';
import type { Idempotency } from './objects/idempotency-object.ts';
import type { Monitoring } from './objects/monitoring-object.ts';
import type { Registry } from './objects/registry-object.ts';
import type * as worker from './worker.ts';

/** What wrangler.toml binds. `UPSTREAMS` is parsed where it is read: people write it. */
export interface Env {
  readonly ASSETS: Fetcher;
  readonly FILES: R2Bucket;
  readonly REGISTRY: DurableObjectNamespace<Registry>;
  readonly GATEWAY: DurableObjectNamespace<Gateway>;
  readonly ACCESS: DurableObjectNamespace<Access>;
  readonly IDEMPOTENCY: DurableObjectNamespace<Idempotency>;
  readonly MONITORING: DurableObjectNamespace<Monitoring>;
  readonly ALERTS: DurableObjectNamespace<Alerts>;
  /** `local`: whoever reaches the Worker from this machine may do everything. `required`: credentials say. */
  readonly AUTH_MODE: 'local' | 'required';
  /** Services that run outside of this Worker: a name and an address each. */
  readonly UPSTREAMS: unknown;
  /** How long a service may take to begin its answer once it has the whole request. */
  readonly UPSTREAM_TIMEOUT_MS: number;
  /** When an upload that was neither finished nor given up is cleared away. */
  readonly UPLOAD_TTL_S: number;
}

declare global {
  namespace Cloudflare {
    interface GlobalProps {
      mainModule: typeof worker;
      durableNamespaces:
        | 'Registry'
        | 'Gateway'
        | 'Access'
        | 'Idempotency'
        | 'Monitoring'
        | 'Alerts';
    }
  }
}
