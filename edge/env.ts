import type { Registry } from './objects/registry-object.ts';
import type * as worker from './worker.ts';

/** What wrangler.toml binds. `UPSTREAMS` is parsed where it is read: people write it. */
export interface Env {
  readonly ASSETS: Fetcher;
  readonly FILES: R2Bucket;
  readonly REGISTRY: DurableObjectNamespace<Registry>;
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
      durableNamespaces: 'Registry';
    }
  }
}
