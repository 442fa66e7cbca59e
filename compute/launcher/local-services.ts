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

export const LOCAL_SERVICES: readonly LocalService[] = [DASHBOARD, REGISTRY, MONITORING];

export const HIGHEST_OFFSET = Math.max(...LOCAL_SERVICES.map(({ portOffset }) => portOffset));
