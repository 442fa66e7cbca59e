import type { BatchingConfig } from '../../edge/inference/contract/loaded-model.ts';
import type { InferAnswer, InferRequest } from '../../edge/inference/contract/infer.ts';
import { Problem } from '../../edge/http/problem.ts';
import { type Generation, type GenerationOptions, startGeneration } from './generation.ts';
import type { InferenceMetrics } from './inference-metrics.ts';
import type { ModelCache } from './model-cache.ts';
import type { Presence } from './presence.ts';
import type { RegistrySource } from './registry-source.ts';

/** Dependencies of answering requests. */
export interface AnsweringEnv {
  readonly cache: ModelCache;
  readonly batching: BatchingConfig;
  readonly meters: InferenceMetrics;
  readonly presence: Presence;
}

/** Dependencies of the handlers of the inference service. */
export interface InferenceEnv extends AnsweringEnv {
  readonly source: RegistrySource;
}

type Begin = Omit<GenerationOptions, 'arrivedAt' | 'refusesLate'> & Asking;

/** Who asks. */
interface Asking {
  readonly signal: AbortSignal;
  /** The only team whose models the caller may use; undefined if they may use all. */
  readonly team: string | undefined;
}

/** Queries a model; a caller that hangs up frees its place in the queue. @throws Problem draining and what loading throws */
export async function beginInference(
  env: AnsweringEnv,
  request: InferRequest,
  begin: Begin,
): Promise<Generation> {
  if (env.presence.isDraining) {
    throw new Problem('draining', 'The server is shutting down; ask again.', {
      headers: { 'retry-after': '1' },
    });
  }
  const leave = env.presence.enter();
  try {
    const generation = await generate(env, request, begin);
    generation.answer.then(env.meters.answered, env.meters.failed).finally(leave);
    return generation;
  } catch (error) {
    leave();
    throw error;
  }
}

async function generate(
  { cache, batching, meters }: AnsweringEnv,
  request: InferRequest,
  { signal, team, ...options }: Begin,
): Promise<Generation> {
  const arrivedAt = performance.now();
  const { model_id: modelId, version, alias } = request;
  const held = await cache.hold({ modelId, version, alias, team });
  const refusesLate = batching.timeout_action === 'reject';
  const generation = startGeneration(held, request, { ...options, arrivedAt, refusesLate });
  meters.begun();
  const hangUp = () => generation.cancel();
  if (signal.aborted) hangUp();
  signal.addEventListener('abort', hangUp);
  const forget = () => signal.removeEventListener('abort', hangUp);
  generation.answer.then(forget, forget);
  return generation;
}

/** The whole answer to a request that is not streamed. */
export async function infer(
  env: AnsweringEnv,
  request: InferRequest,
  asking: Asking,
): Promise<InferAnswer> {
  const { answer } = await beginInference(env, request, { isStreamed: false, ...asking });
  return answer;
}
