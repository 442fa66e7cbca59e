import { existsSync } from 'node:fs';
import type { BrainModule } from '../../brain/brain-node.ts';
import { choiceOf, type ModelChoice, requestOf } from '../../brain/model-request.ts';
import type { Reads } from '../../brain/node-types.ts';
import { openHttp } from '../../edge/contract/client.ts';
import { ModelId } from '../../edge/registry/contract/model.ts';
import type { DeviceChoice } from '../../engine/index.ts';
import { openFolderSource } from '../inference/folder-source.ts';
import { openInference } from '../inference/inference-env.ts';
import { createRegistrySource, type ModelSource } from '../inference/registry-source.ts';
import { infer } from '../inference/service.ts';

interface ModelModuleOptions {
  /** Without a slash at the end. */
  readonly gateway: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The part of a prompt that the module reads. */
  readonly reads: Reads;
  /** A model of the registry, an id with a version or an alias behind an @; or a folder, a run or a checkpoint. */
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
 * A module that answers with a model as the inference service does.
 *
 * @throws Problem where there is no such model, and EngineError where there is no such folder or device
 */
export async function openModelModule(options: ModelModuleOptions): Promise<BrainModule> {
  const { reads, device } = options;
  const { source, choice } = await findModel(options);
  const inference = await openInference({
    source,
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
      const { outputs, ...made } = await infer(env, request, {
        signal: new AbortController().signal,
        // Whatever the node's own key may read.
        team: undefined,
      });
      const { model_id, model_version, model_digest } = made;
      return { outputs, model: { model_id, model_version, model_digest } };
    },
    close: () => inference.close(GRACE_MS),
  };
}

/** Where a model comes from: what is there on disk or cannot be an id is a folder. */
async function findModel({
  model,
  gateway,
  headers,
}: ModelModuleOptions): Promise<{ readonly source: ModelSource; readonly choice: ModelChoice }> {
  const choice = choiceOf(model);
  if (existsSync(model) || !ModelId.safeParse(choice.modelId).success) {
    const source = await openFolderSource(model);
    const { model_id: modelId, version } = await source.find({ modelId: model });
    return { source, choice: { modelId, version } };
  }
  const registry = openHttp({ base: `${gateway}/registry`, headers: { ...headers } });
  return { source: createRegistrySource(registry), choice };
}
