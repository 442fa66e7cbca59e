import { openHttp } from '../../edge/contract/client.ts';
import { type Check, healthRoutes } from '../../edge/http/health.ts';
import type { OutwardConnection } from '../outward/connect-outward.ts';
import { type ServicePlace, startNodeService } from '../service/node-service.ts';
import { inferRoutes } from './infer-routes.ts';
import { type InferenceEnvOptions, type OpenInference, openInference } from './inference-env.ts';
import { modelRoutes } from './model-routes.ts';
import { openInferenceRoutes } from './open-inference-routes.ts';
import { createRegistrySource } from './registry-source.ts';
import type { InferenceEnv } from './service.ts';

export type InferenceServerOptions = ServicePlace & Omit<InferenceEnvOptions, 'source'>;

export interface InferenceServer {
  /** 0 where it listens on none. */
  readonly port: number;
  /** Where it listens on nothing: its connection to the gateway. */
  readonly connection: OutwardConnection | undefined;
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
  const { gateway, headers } = options;
  const registry = openHttp({ base: `${gateway}/registry`, headers: { ...headers } });
  const source = createRegistrySource(registry);
  const inference = await openInference({ ...options, source });
  const { device } = inference;
  const env = { ...inference.env, source };
  const server = await startNodeService<InferenceEnv>({
    ...options,
    name: 'inference',
    described: 'inference',
    env,
    routes: [
      ...healthRoutes('inference', healthChecks(inference)),
      ...inferRoutes,
      ...modelRoutes,
      ...openInferenceRoutes,
    ],
    more: () => env.meters.read(env.cache),
    reportMs: REPORT_MS,
    refusalsBelow: { path: '/v2', form: 'open-inference' },
  }).catch(async (error: unknown) => {
    await inference.close(0);
    throw error;
  });
  return {
    port: server.port,
    connection: server.connection,
    device,
    async close(graceMs = GRACE_MS) {
      if (graceMs > 0) await server.connection?.leave();
      await env.presence.drain(graceMs);
      await server.close(graceMs > 0 ? LAST_BYTES_MS : 0);
      await inference.close(0);
    },
  };
}

function healthChecks({ engines, device }: OpenInference): Record<string, Check<InferenceEnv>> {
  return {
    engines: async () => ({ status: 'ok', detail: `${engines.length} x ${device}` }),
    cache: async ({ env }) => {
      const { capacity, used } = env.cache.list(undefined).cache;
      return { status: 'ok', detail: `${used} of ${capacity} models are loaded.` };
    },
    requests: async ({ env }) =>
      env.presence.isDraining
        ? { status: 'unavailable', detail: 'The server is shutting down.' }
        : { status: 'ok', detail: 'It takes requests.' },
  };
}
