import { openHttp } from '../../edge/contract/http-client.ts';
import type { BatchingConfig } from '../../edge/contract/inference/loaded-model.ts';
import { type Check, healthRoutes } from '../../edge/http/health.ts';
import type { DeviceChoice } from '../../engine/index.ts';
import { type ServicePlace, startNodeService } from '../service/node-service.ts';
import { type Engine, startOwnEngine, startThreadEngine } from './engine.ts';
import { inferRoutes } from './infer-routes.ts';
import { createInferenceMeters } from './inference-meters.ts';
import { ModelCache } from './model-cache.ts';
import { modelRoutes } from './model-routes.ts';
import { openInferenceErrors, openInferenceRoutes } from './open-inference-routes.ts';
import { createPresence } from './presence.ts';
import { PRIORITY_LEVELS } from './priority-queue.ts';
import { createRegistrySource } from './registry-source.ts';
import type { BatchingOptions } from './scheduler.ts';
import { serveModel } from './served-model.ts';
import type { InferenceEnv } from './service.ts';

export interface InferenceServerOptions extends ServicePlace {
  /** Engines that compute side by side; one where the device is no WASM. */
  readonly workers: number;
  /** Models that are loaded at once at most. */
  readonly cacheSize: number;
  readonly device: DeviceChoice;
  readonly batching: BatchingOptions & Pick<BatchingConfig, 'timeout_action'>;
}

export interface InferenceServer {
  readonly port: number;
  readonly device: string;
  /** Refuses new requests, waits for those under way for so long, and ends. */
  close(graceMs?: number): Promise<void>;
}

const GRACE_MS = 10_000;
/** How long the last answers may take to get to their readers. */
const LAST_BYTES_MS = 1_000;
/** How often the server reports to monitoring, where there is something to report. */
const REPORT_MS = 1_000;

/** @throws EngineError where there is no such device, and the error of the system for the port */
export async function startInferenceServer(
  options: InferenceServerOptions,
): Promise<InferenceServer> {
  const engines = await startEngines(options);
  const env = createEnv(options, engines);
  const server = await startNodeService<InferenceEnv>({
    ...options,
    name: 'inference',
    env,
    routes: [
      ...healthRoutes('inference', healthChecks(engines)),
      ...inferRoutes,
      ...modelRoutes,
      ...openInferenceRoutes,
    ],
    more: () => env.meters.read(env.cache),
    reportMs: REPORT_MS,
    around: openInferenceErrors,
  }).catch(async (error: unknown) => {
    await endAll(engines);
    throw error;
  });
  return {
    port: server.port,
    device: deviceOf(engines),
    async close(graceMs = GRACE_MS) {
      await env.presence.drain(graceMs);
      await server.close(LAST_BYTES_MS);
      await env.cache.close();
      await endAll(engines);
    },
  };
}

async function startEngines({ device, workers }: InferenceServerOptions): Promise<Engine[]> {
  if (device !== 'wasm') return [await startOwnEngine(device)];
  return Promise.all(Array.from({ length: workers }, () => startThreadEngine(1)));
}

function createEnv(options: InferenceServerOptions, engines: readonly Engine[]): InferenceEnv {
  const { gateway, headers, cacheSize, batching } = options;
  const registry = openHttp({ base: `${gateway}/registry`, headers: { ...headers } });
  const source = createRegistrySource(registry);
  return {
    source,
    meters: createInferenceMeters(),
    presence: createPresence(),
    batching: {
      max_batch_size: batching.maxBatchSize,
      max_queue_delay_us: batching.maxQueueDelayUs,
      max_queue_size: batching.maxQueueSize,
      timeout_action: batching.timeout_action,
      priority_levels: PRIORITY_LEVELS,
      adaptive: true,
    },
    cache: new ModelCache({
      capacity: cacheSize,
      source,
      device: deviceOf(engines),
      serve: (record, files, { warmup, onBroken }) =>
        serveModel(record, files, {
          engines,
          batching,
          warmup,
          onBroken: ({ message }) => onBroken(message),
        }),
    }),
  };
}

function healthChecks(engines: readonly Engine[]): Record<string, Check<InferenceEnv>> {
  return {
    engines: async () => ({ status: 'ok', detail: `${engines.length} x ${deviceOf(engines)}` }),
    cache: async ({ env }) => {
      const { capacity, used } = env.cache.list().cache;
      return { status: 'ok', detail: `${used} of ${capacity} models are loaded.` };
    },
    requests: async ({ env }) =>
      env.presence.isDraining
        ? { status: 'unavailable', detail: 'The server is shutting down.' }
        : { status: 'ok', detail: 'It takes requests.' },
  };
}

const deviceOf = ([first]: readonly Engine[]) => first?.device ?? 'nothing';

async function endAll(engines: readonly Engine[]): Promise<void> {
  await Promise.all(engines.map((engine) => engine.end()));
}
