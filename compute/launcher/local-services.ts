/** A service of this machine, the Worker's entrypoint behind it, and its port above the base. */
export interface LocalService {
  readonly name: string;
  readonly entrypoint: string;
  readonly portOffset: number;
  /** A path worth opening. */
  readonly path: string;
}

export const DASHBOARD: LocalService = {
  name: 'dashboard',
  entrypoint: 'GatewayService',
  portOffset: 0,
  path: '/',
};

const TRAINING: LocalService = {
  name: 'training',
  entrypoint: 'TrainingService',
  portOffset: 1,
  path: '/jobs',
};

/** Served by a process of its own, see local-inference.ts. */
export const INFERENCE = { name: 'inference', portOffset: 2, path: '/models' } as const;

/** Served by a process of its own, see local-plugin-host.ts. */
export const PLUGIN_HOST = { name: 'plugin-host', portOffset: 5, path: '/plugins' } as const;

/** Served by a process of its own where tests may be run, see local-test-host.ts. */
export const TEST_HOST = { name: 'test-host', portOffset: 6, path: '/test/test-status' } as const;

const REGISTRY: LocalService = {
  name: 'registry',
  entrypoint: 'RegistryService',
  portOffset: 3,
  path: '/models',
};

const MONITORING: LocalService = {
  name: 'monitoring',
  entrypoint: 'MonitoringService',
  portOffset: 4,
  path: '/metrics',
};

export const LOCAL_SERVICES: readonly LocalService[] = [DASHBOARD, TRAINING, REGISTRY, MONITORING];

export const HIGHEST_OFFSET = Math.max(
  ...[...LOCAL_SERVICES, PLUGIN_HOST, TEST_HOST].map(({ portOffset }) => portOffset),
);
