import type { HealthCheck } from '../../edge/health/contract/health.ts';
import type { MetricInput } from '../../edge/monitoring/contract/metrics.ts';
import { PLUGIN_HOST_TAG } from '../../edge/plugins/endpoints.ts';
import { type Backend, PLUGIN_STATUSES, type PluginManager } from '../../engine/index.ts';
import { watchPlugins } from '../plugins/hot-reload.ts';
import type { Grants } from '../plugins/grants.ts';
import { PluginLoader } from '../plugins/plugin-loader.ts';
import { initializePluginSystem } from '../plugins/plugin-system.ts';
import { BaseService, type ServiceFacts } from '../service/base-service.ts';
import type { ServicePlace } from '../service/node-service.ts';
import { type PluginHostEnv, pluginRoutes, type Turns } from './plugin-routes.ts';

interface PluginHostOptions extends ServicePlace {
  /** Its segment behind the gateway. */
  readonly name: string;
  readonly directories: readonly string[];
  /** The plugins of folders that may use the network if they ask. */
  readonly grants?: Grants;
  /** Opens what plugins of the platform compute on. */
  readonly openBackend?: () => Promise<Backend>;
  /** Milliseconds that an execution may take. */
  readonly executeMs?: number;
  /** Executions at a time; more wait for their turn. */
  readonly workers?: number;
  /** Follows the folders, and puts new versions in place. */
  readonly isWatching?: boolean;
}

/** The service that shows plugins and steers them over HTTP. */
export class PluginHost extends BaseService<PluginHostEnv> {
  readonly facts: ServiceFacts;
  readonly #options: PluginHostOptions;
  #manager: PluginManager | undefined;
  #stopWatching = () => {};

  constructor(options: PluginHostOptions) {
    super(options);
    this.#options = options;
    this.facts = { name: options.name, tags: [PLUGIN_HOST_TAG], described: 'plugin-host' };
  }

  /** Loads all plugins and activates those that can be; the others say why not. */
  async initialize(): Promise<PluginHostEnv> {
    const { directories, grants, executeMs, workers = Infinity, isWatching } = this.#options;
    const { openBackend } = this.#options;
    const loader = new PluginLoader(grants ? { grants } : {});
    const manager = await initializePluginSystem(directories, {
      loader,
      ...(executeMs !== undefined && { limits: { execute: executeMs } }),
      ...(openBackend && { openBackend }),
    });
    await manager.activateAll();
    if (isWatching) {
      this.#stopWatching = watchPlugins({ manager, loader, directories });
    }
    this.#manager = manager;
    return { manager, turns: createTurns(workers) };
  }

  async healthCheck(): Promise<HealthCheck> {
    const broken = this.#reports()
      .filter(({ status }) => status === 'ERROR')
      .map(({ metadata }) => metadata.name);
    return broken.length === 0
      ? { status: 'ok', detail: `${this.#reports().length} plugins` }
      : { status: 'degraded', detail: `failed: ${broken.join(', ')}` };
  }

  protected routes() {
    return pluginRoutes;
  }

  protected async release(): Promise<void> {
    this.#stopWatching();
    await this.#manager?.close();
  }

  protected override measure(): readonly MetricInput[] {
    return PLUGIN_STATUSES.map((status) => ({
      name: 'plugins',
      type: 'gauge',
      labels: { status },
      value: this.#reports().filter((report) => report.status === status).length,
    }));
  }

  #reports() {
    return this.#manager?.listPlugins() ?? [];
  }
}

/** Lets so many works be under way at a time; those that come later have their turn in order. */
export function createTurns(most: number): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
