import type { BrainModule } from '../../brain/brain-module.ts';
import { choiceOf, requestOf } from '../../brain/model-request.ts';
import type { Reads } from '../../brain/node-types.ts';
import type { DeviceChoice } from '../../engine/index.ts';
import { openInference } from '../inference/inference-env.ts';
import { infer } from '../inference/service.ts';

export interface ModelModuleOptions {
  /** Without a slash at the end. */
  readonly gateway: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What the module reads of a prompt. */
  readonly reads: Reads;
  /** A model of the registry: an id, with a version or an alias behind an @. */
  readonly model: string;
  readonly device: DeviceChoice;
}

/** The version in use, and the next one where an alias moves. */
const MODELS = 2;
const GRACE_MS = 5_000;
const BATCHING = {
  maxBatchSize: 32,
  maxQueueDelayUs: 0,
  maxQueueSize: 256,
  timeout_action: 'reject',
} as const;

/**
 * A module that answers with a model of the registry, as the inference service does.
 *
 * @throws Problem where there is no such model, and EngineError where there is no such device
 */
export async function openModelModule(options: ModelModuleOptions): Promise<BrainModule> {
  const { model, reads, device, gateway, headers } = options;
  const choice = choiceOf(model);
  const inference = await openInference({
    gateway,
    headers,
    device,
    batching: BATCHING,
    workers: 1,
    cacheSize: MODELS,
  });
  const { env } = inference;
  // Loaded before the node is announced: the first prompt need not wait, a wrong name shows at once.
  const { model: loaded, release } = await env.cache.hold(choice).catch(async (error: unknown) => {
    await inference.close(0);
    throw error;
  });
  release();
  return {
    metadata: { model: loaded.key, device: inference.device, reads },
    async answer(prompt) {
      const request = requestOf(prompt, { choice, reads });
      const { outputs, ...made } = await infer(env, request, new AbortController().signal);
      const { model_id, model_version, model_digest } = made;
      return { outputs, model: { model_id, model_version, model_digest } };
    },
    close: () => inference.close(GRACE_MS),
  };
}
