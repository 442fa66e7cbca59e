import { openInferenceEndpoints } from '../../edge/inference/endpoints.ts';
import type {
  InferenceRequest,
  InferenceResponse,
} from '../../edge/inference/contract/open-inference.ts';
import type { Call } from '../../edge/http/call.ts';
import { teamSeen } from '../../edge/http/ownership.ts';
import { routesOf } from '../../edge/http/route.ts';
import { ulid } from '../../edge/http/ulid.ts';
import { VERSION } from '../../edge/http/version.ts';
import { mediaShapesOf } from './media-tensors.ts';
import { outputsOf, requestsOf, tensorsOf } from './open-inference-tensors.ts';
import type { ModelChoice } from './registry-source.ts';
import { infer, type InferenceEnv } from './service.ts';

/** The Open Inference Protocol (v2). */
export const openInferenceRoutes = routesOf<InferenceEnv, typeof openInferenceEndpoints>(
  openInferenceEndpoints,
  {
    serverLive: () => ok({ live: true }),
    serverReady: ({ env }) =>
      env.presence.isDraining ? { status: 400, body: { ready: false } } : ok({ ready: true }),
    serverMetadata: () => ok({ name: 'spikegrid', version: VERSION, extensions: [] }),
    modelMetadata: (call) => describe(call.env, choiceIn(call)),
    versionMetadata: (call) => describe(call.env, choiceIn(call)),
    modelReady: (call) => readiness(call.env, choiceIn(call)),
    versionReady: (call) => readiness(call.env, choiceIn(call)),
    modelInfer: (call) => ask(call, choiceIn(call)),
    versionInfer: (call) => ask(call, choiceIn(call)),
  },
);

interface Addressed extends Pick<Call<InferenceEnv>, 'caller'> {
  readonly params: { readonly id: string; readonly version?: string };
}

const choiceIn = ({ caller, params }: Addressed) => ({
  modelId: params.id,
  version: params.version,
  team: teamSeen(caller),
});

const ok = <Body>(body: Body) => ({ status: 200, body }) as const;

async function describe({ source }: InferenceEnv, choice: ModelChoice) {
  const record = await source.find(choice);
  const spec = await source.spec(record);
  return ok({
    name: record.model_id,
    versions: record.versions.map(({ version }) => version),
    platform: `spikegrid_${spec.architecture}`,
    ...tensorsOf(spec),
  });
}

async function readiness({ source, cache }: InferenceEnv, choice: ModelChoice) {
  const { model_id: name } = await source.find(choice);
  const ready = cache.stateOf(name, choice.version) === 'READY';
  if (ready) return ok({ name, ready });
  return { status: 400, body: { name, ready } } as const;
}

type Asking = Call<InferenceEnv> & { readonly body: InferenceRequest };

async function ask({ env, body, request, caller }: Omit<Asking, 'params'>, choice: ModelChoice) {
  const asking = { signal: request.signal, team: teamSeen(caller) };
  const { id = `inf_${ulid()}` } = body;
  const isNumeric = body.inputs.some(({ datatype }) => datatype !== 'BYTES');
  const spec = isNumeric ? await env.source.spec(await env.source.find(choice)) : {};
  const asked = requestsOf(body, choice, mediaShapesOf(spec));
  const answers = await Promise.all(asked.map((one) => infer(env, one, asking)));
  const response: InferenceResponse = {
    id,
    model_name: choice.modelId,
    model_version: answers[0]?.model_version,
    outputs: outputsOf(body, answers),
  };
  return ok(response);
}
