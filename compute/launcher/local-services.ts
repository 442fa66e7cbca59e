import { type LocalPort, WORKER_SERVICES } from '../../edge/contract/worker-services.ts';

/** A service of this machine, and the Worker's entrypoint behind it. */
export interface LocalService extends LocalPort {
  readonly entrypoint: string;
}

export const LOCAL_SERVICES: readonly LocalService[] = Object.values(WORKER_SERVICES).flatMap(
  (service) => ('local' in service ? [{ ...service.local, entrypoint: service.entrypoint }] : []),
);

export const DASHBOARD = WORKER_SERVICES.gateway.local;

/** Served by a process of its own, see local-inference.ts. */
export const INFERENCE = { name: 'inference', portOffset: 2, path: '/models' } as const;

/** Served by a process of its own, see local-plugin-host.ts. */
export const PLUGIN_HOST = { name: 'plugin-host', portOffset: 5, path: '/plugins' } as const;

/** Served by a process of its own where tests may be run, see local-test-host.ts. */
export const TEST_HOST = { name: 'test-host', portOffset: 6, path: '/test/test-status' } as const;

export const HIGHEST_OFFSET = Math.max(
  ...[...LOCAL_SERVICES, PLUGIN_HOST, TEST_HOST].map(({ portOffset }) => portOffset),
);
