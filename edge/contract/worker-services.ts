/** A service of the Worker, and where it listens on a machine of one's own besides behind the gateway. */
interface WorkerService {
  /** The class in worker.ts that serves it. */
  readonly entrypoint: `${string}Service`;
  readonly local?: LocalPort;
}

export interface LocalPort {
  readonly name: string;
  /** Above the first port. */
  readonly portOffset: number;
  /** A path worth opening. */
  readonly path: string;
}

/**
 * The services of the Worker by their segment behind the gateway. A new one is a row here, a line in
 * worker.ts, and its tables of endpoints in api-description/services.ts.
 */
export const WORKER_SERVICES = {
  gateway: {
    entrypoint: 'GatewayService',
    local: { name: 'dashboard', portOffset: 0, path: '/' },
  },
  training: {
    entrypoint: 'TrainingService',
    local: { name: 'training', portOffset: 1, path: '/jobs' },
  },
  'lm-training': { entrypoint: 'LmTrainingService' },
  'edge-inference': { entrypoint: 'EdgeInferenceService' },
  registry: {
    entrypoint: 'RegistryService',
    local: { name: 'registry', portOffset: 3, path: '/models' },
  },
  monitoring: {
    entrypoint: 'MonitoringService',
    local: { name: 'monitoring', portOffset: 4, path: '/metrics' },
  },
} as const satisfies Readonly<Record<string, WorkerService>>;

export type WorkerServiceName = keyof typeof WORKER_SERVICES;

export const isWorkerService = (name: string): name is WorkerServiceName =>
  Object.hasOwn(WORKER_SERVICES, name);
