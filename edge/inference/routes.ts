import { middleware } from '../access/middleware.ts';
import { EDGE_MODEL_BYTES, EDGE_MODELS, edgeInferenceEndpoints } from './edge-endpoints.ts';
import type { InferAnswer, InferRequest } from './contract/infer.ts';
import type { VersionRecord } from '../registry/contract/model.ts';
import type { Env } from '../env.ts';
import { teamSeen } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import { type CallOf, type HandlerOf, type ReplyOf, routesOf } from '../http/route.ts';
import { createService } from '../http/service.ts';
import { createTextStream } from '../http/text-stream.ts';
import { ulid } from '../http/ulid.ts';
import type { CachedModel } from './cached-model.ts';
import { entryOf, type Held, hold, listModels, visibleTo } from './model-cache.ts';
import { findVersion } from './loaded-model.ts';
import {
  checkLengths,
  textJobOf,
  type TextClient,
  predictClasses,
  writeText,
} from './generation.ts';
import { modelIdOf, registryOf } from '../registry/registry-stub.ts';
import { type Check, healthRoutes, ownMetricsRoutes } from '../health/routes.ts';
import { openApiRoutes } from '../gateway/description-routes.ts';

type Endpoints = typeof edgeInferenceEndpoints;
type InferCall = CallOf<Env, Endpoints['infer']>;
type LoadCall = CallOf<Env, Endpoints['loadModel']>;

/** The priority of loading a model in advance. */
const LOAD_PRIORITY = 5;

const infer: HandlerOf<Env, Endpoints['infer']> = async (call) => {
  const { signal } = call.request;
  if (call.body.stream) return streamed(call, signal);
  const { answer } = await begin(call, { hasGone: () => signal.aborted, onText: () => {} });
  return { status: 200, body: await answer };
};

const routes = routesOf<Env, Endpoints>(edgeInferenceEndpoints, {
  infer,
  inferV1: infer,
  loadModel,
  loadedModels: ({ caller }) => ({ status: 200, body: listModels(teamSeen(caller)) }),
});

const checks: Record<string, Check<Env>> = {
  registry: async ({ env }) => {
    const models = await registryOf(env).countModels(undefined);
    return { status: 'ok', detail: `It holds ${models} models.` };
  },
  cache: async () => {
    const { used } = listModels(undefined).cache;
    const most = `${EDGE_MODELS} models of ${EDGE_MODEL_BYTES} bytes together`;
    return { status: 'ok', detail: `${used} loaded in this isolate, of at most ${most}.` };
  },
};

/** Small models that answer at the edge itself. */
export const serve = createService<Env>({
  ...middleware,
  name: 'edge-inference',
  routes: [
    ...healthRoutes('edge-inference', checks),
    ...ownMetricsRoutes('edge-inference'),
    ...routes,
    ...openApiRoutes('edge-inference'),
  ],
});

/** A refusal before the first token is a problem document; later it is the last event. */
async function streamed(call: InferCall, signal: AbortSignal): Promise<Response> {
  const gone = new AbortController();
  const { prefix, url, trace } = call;
  const occurrence = { instance: prefix + url.pathname, traceId: trace.traceId };
  const stream = createTextStream(occurrence, () => gone.abort());
  const { id, answer } = await begin(call, {
    hasGone: () => gone.signal.aborted || signal.aborted,
    onText: stream.write,
  });
  stream.endWith(id, answer);
  return stream.response;
}

interface Begun {
  readonly id: string;
  readonly answer: Promise<InferAnswer>;
}

/** Waits for the model and starts generating; a client that hangs up meanwhile leaves the line. */
async function begin(call: InferCall, reader: Omit<TextClient, 'check'>): Promise<Begun> {
  const { env, body, ctx } = call;
  const { model_id: modelId, version, alias, priority, timeout_ms: timeoutMs } = body;
  const askedAt = performance.now();
  const check = () => {
    if (performance.now() - askedAt <= timeoutMs) return;
    throw new Problem('upstream_timeout', `The answer was not complete after ${timeoutMs} ms.`);
  };
  checkLengths(body);
  const team = teamSeen(call.caller);
  const record = await findVersion(env, modelId, { version, alias }, team);
  const checkWaiting = () => {
    check();
    if (reader.hasGone()) throw new Problem('precondition_failed', 'The caller has gone.');
  };
  const holding = hold(env, entryOf(record), { priority, check: checkWaiting });
  // Lets it complete, and leave the line, even where the client hangs up.
  ctx.waitUntil(holding.catch(() => {}));
  const held = await holding;
  held.entry.use(held.isHit);
  try {
    const begun = answerOf(held, body, { client: { ...reader, check }, askedAt });
    const answer = begun.answer.finally(held.release);
    ctx.waitUntil(answer.catch(() => {}));
    return { id: begun.id, answer };
  } catch (error) {
    held.release();
    throw error;
  }
}

/** Starts generating or classifying. @throws Problem validation_failed for unsuitable inputs */
function answerOf(
  held: Held,
  request: InferRequest,
  { client, askedAt }: { readonly client: TextClient; readonly askedAt: number },
): Begun {
  const { loaded } = held;
  if (loaded.kind === 'class') {
    const { id = `inf_${ulid()}` } = request;
    return { id, answer: predictClasses(held, loaded, { request, id, askedAt }) };
  }
  const job = textJobOf(held, loaded, request);
  return { id: job.id, answer: writeText(held, loaded, job, { client, askedAt }) };
}

/** POST /load_model/{id}: loads a model into this isolate, and lists the models evicted for it. */
async function loadModel(call: LoadCall): Promise<ReplyOf<Endpoints['loadModel']>> {
  const { env, body, query, ctx, request } = call;
  const { version, alias, warmup, pin, ttl_s: ttlS } = body;
  const team = teamSeen(call.caller);
  const record = await findVersion(env, modelIdOf(call), { version, alias }, team);
  const entry = entryOf(record, { pin, ttlS });
  if (entry.loaded) return { status: 200, body: entry.answer([]) };
  const isWaited = query.wait === 'true';
  const check = () => {
    if (isWaited && request.signal.aborted) {
      throw new Problem('precondition_failed', 'The caller has gone.');
    }
  };
  const loading = loadNow(env, entry, { warmup, check });
  ctx.waitUntil(loading.catch(() => {}));
  if (!isWaited) return { status: 202, body: entry.answer([]) };
  return { status: 200, body: entry.answer(visibleTo(team, await loading)) };
}

interface Loading {
  readonly warmup: boolean;
  check(): void;
}

async function loadNow(
  env: Env,
  entry: CachedModel,
  { warmup, check }: Loading,
): Promise<readonly VersionRecord[]> {
  const held = await hold(env, entry, { priority: LOAD_PRIORITY, check });
  try {
    const { loaded } = held;
    if (warmup && loaded.kind === 'text') await loaded.model.read([{ slot: 0, token: 0 }]);
    return held.evicted;
  } finally {
    held.release();
  }
}
