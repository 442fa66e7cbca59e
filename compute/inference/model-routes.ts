import { inferenceEndpoints } from '../../edge/inference/endpoints.ts';
import { teamSeen } from '../../edge/http/ownership.ts';
import { type HandlerOf, routesOf } from '../../edge/http/route.ts';
import type { InferenceEnv } from './service.ts';

const { loadModel, unloadModel, loadedModels, batchingConfig } = inferenceEndpoints;

const load: HandlerOf<InferenceEnv, typeof loadModel> = async (call) => {
  const { env, params, query, body, caller } = call;
  const { version, alias, warmup, pin, ttl_s: ttlS } = body;
  const choice = { modelId: params.id, version, alias, team: teamSeen(caller) };
  const { entry, evicted } = await env.cache.load(choice, { warmup, pin, ttlS });
  const isReady = entry.state === 'READY';
  if (query.wait === 'false' && !isReady) return { status: 202, body: entry.answer(evicted) };
  await entry.loaded();
  return { status: 200, body: entry.answer(evicted) };
};

const unload: HandlerOf<InferenceEnv, typeof unloadModel> = async (call) => {
  const { env, params, query, caller } = call;
  const choice = { modelId: params.id, version: query.version, team: teamSeen(caller) };
  const entry = await env.cache.unload(choice);
  return { status: 200, body: { ...entry.answer([]), state: 'UNAVAILABLE' } };
};

type Routes = Pick<
  typeof inferenceEndpoints,
  'loadModel' | 'unloadModel' | 'loadedModels' | 'batchingConfig'
>;

/** The models in the cache, and how their requests are put together. */
export const modelRoutes = routesOf<InferenceEnv, Routes>(
  { loadModel, unloadModel, loadedModels, batchingConfig },
  {
    loadModel: load,
    unloadModel: unload,
    loadedModels: ({ env, caller }) => ({ status: 200, body: env.cache.list(teamSeen(caller)) }),
    batchingConfig: ({ env }) => ({ status: 200, body: env.batching }),
  },
);
