import type { BatchingConfig } from '../../edge/inference/contract/loaded-model.ts';
import type { DeviceChoice } from '../../engine/index.ts';
import { type Engine, startOwnEngine, startThreadEngine } from './engine.ts';
import { createInferenceMetrics } from './inference-metrics.ts';
import { ModelCache } from './model-cache.ts';
import { createPresence } from './presence.ts';
import { PRIORITY_LEVELS } from './priority-queue.ts';
import type { ModelSource } from './registry-source.ts';
import type { BatchingOptions } from './scheduler.ts';
import { serveModel } from './served-model.ts';
import type { AnsweringEnv } from './service.ts';

export interface InferenceEnvOptions {
  readonly source: ModelSource;
  /** Engines that compute side by side; one where the device is no WASM. */
  readonly workers: number;
  /** Models that are loaded at once at most. */
  readonly cacheSize: number;
  readonly device: DeviceChoice;
  readonly batching: BatchingOptions & Pick<BatchingConfig, 'timeout_action'>;
}

/** Engines with models of a source, without a door of their own. */
export interface OpenInference {
  readonly env: AnsweringEnv;
  readonly engines: readonly Engine[];
  readonly device: string;
  /** Refuses new requests, waits for those under way for so long, and ends. */
  close(graceMs: number): Promise<void>;
}

/** @throws EngineError where there is no such device */
export async function openInference(options: InferenceEnvOptions): Promise<OpenInference> {
  const engines = await startEngines(options);
  const env = createEnv(options, engines);
  return {
    env,
    engines,
    device: deviceOf(engines),
    async close(graceMs) {
      await env.presence.drain(graceMs);
      await env.cache.close();
      await Promise.all(engines.map((engine) => engine.end()));
    },
  };
}

async function startEngines({ device, workers }: InferenceEnvOptions): Promise<Engine[]> {
  if (device !== 'wasm') return [await startOwnEngine(device)];
  return Promise.all(Array.from({ length: workers }, () => startThreadEngine(1)));
}

function createEnv(options: InferenceEnvOptions, engines: readonly Engine[]): AnsweringEnv {
  const { source, cacheSize, batching } = options;
  return {
    meters: createInferenceMetrics(),
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

const deviceOf = ([first]: readonly Engine[]) => first?.device ?? 'nothing';
