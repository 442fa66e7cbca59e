/** A service that listens on a port of this machine, besides behind the gateway. */
interface LocalPort {
  readonly name: string;
  /** Above the first port. */
  readonly portOffset: number;
  /** A path worth opening. */
  readonly path: string;
}

/** One of the Worker's, and its entrypoint. */
export interface LocalService extends LocalPort {
  readonly entrypoint: string;
}

export const DASHBOARD = {
  name: 'dashboard',
  entrypoint: 'GatewayService',
  portOffset: 0,
  path: '/',
} as const satisfies LocalService;

export const LOCAL_SERVICES: readonly LocalService[] = [
  DASHBOARD,
  { name: 'training', entrypoint: 'TrainingService', portOffset: 1, path: '/jobs' },
  { name: 'registry', entrypoint: 'RegistryService', portOffset: 3, path: '/models' },
  { name: 'monitoring', entrypoint: 'MonitoringService', portOffset: 4, path: '/metrics' },
];

/** Served by a process of its own, see local-inference.ts. */
export const INFERENCE = { name: 'inference', portOffset: 2, path: '/models' } as const;

/** Served by a process of its own, see local-plugin-host.ts. */
export const PLUGIN_HOST = { name: 'plugin-host', portOffset: 5, path: '/plugins' } as const;

/** Served by a process of its own where tests may be run, see local-test-host.ts. */
export const TEST_HOST = { name: 'test-host', portOffset: 6, path: '/test/test-status' } as const;

export const HIGHEST_OFFSET = Math.max(
  ...[...LOCAL_SERVICES, PLUGIN_HOST, TEST_HOST].map(({ portOffset }) => portOffset),
);
