import { type BrainPrompt, modalitiesOf } from '../../edge/contract/brain/prompt.ts';
import { InferRequest } from '../../edge/contract/inference/infer.ts';
import { parseBody } from '../../edge/contract/parse.ts';
import { Version } from '../../edge/contract/semver.ts';
import { Problem } from '../../edge/http/problem.ts';
import type { DeviceChoice } from '../../engine/index.ts';
import { openInference } from '../inference/inference-env.ts';
import type { ModelChoice } from '../inference/registry-source.ts';
import { infer } from '../inference/service.ts';
import type { BrainModule } from './brain-module.ts';

export interface ModelModuleOptions {
  /** Without a slash at the end. */
  readonly gateway: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What the module reads of a prompt. */
  readonly reads: 'text' | 'image' | 'audio';
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

function choiceOf(model: string): ModelChoice {
  const [modelId = '', chosen] = model.split('@');
  if (chosen === undefined) return { modelId };
  return Version.safeParse(chosen).success
    ? { modelId, version: chosen }
    : { modelId, alias: chosen };
}

function requestOf(
  prompt: BrainPrompt,
  { choice, reads }: { readonly choice: ModelChoice; readonly reads: 'text' | 'image' | 'audio' },
): InferRequest {
  const { [reads]: input, config, timeout_ms } = prompt;
  if (input === undefined) {
    const given = modalitiesOf(prompt).join(', ');
    throw new Problem(
      'validation_failed',
      `${choice.modelId} reads ${reads}: expected ${reads} (got ${given}).`,
    );
  }
  const { modelId: model_id, version, alias } = choice;
  return parseBody(InferRequest, {
    model_id,
    config,
    timeout_ms,
    ...(version !== undefined && { version }),
    ...(alias !== undefined && { alias }),
    inputs: { [reads]: input },
  });
}
