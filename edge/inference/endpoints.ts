import * as z from 'zod/mini';
import { type Endpoints, type Schema, post, get } from '../contract/endpoint.ts';
import * as inferSchemas from './contract/infer.ts';
import * as loadedModelSchemas from './contract/loaded-model.ts';
import * as openInferenceSchemas from './contract/open-inference.ts';
import { describe, type EndpointDocs, fromBody } from '../contract/endpoint-docs.ts';
import { ModelId } from '../registry/contract/model.ts';
import { Version } from '../contract/semver.ts';

/** Maximum size of an inference request. */
const MAX_INFER_BYTES = 20 * 1024 * 1024;

/** Problems of an inference, besides those of its request. */
export const INFER_PROBLEMS = [
  'model_not_found',
  'alias_not_found',
  'digest_mismatch',
  'model_cache_full',
  'payload_too_large',
  'overloaded',
  'draining',
  'upstream_error',
  'upstream_timeout',
] as const;

const infer = {
  method: 'POST',
  access: 'infer',
  body: inferSchemas.InferRequest,
  maxBodyBytes: MAX_INFER_BYTES,
  responses: { 200: inferSchemas.InferAnswer },
  // Events of InferChunk, where `stream` is true.
  also: { 200: ['text/event-stream'] },
  problems: INFER_PROBLEMS,
} as const;

/** Refusals have the form of the protocol. */
const v2 = { access: 'infer', refusals: 'open-inference', problems: INFER_PROBLEMS } as const;

/** The Open Inference Protocol (v2), a part of the inference service. */
export const openInferenceEndpoints = {
  serverLive: {
    ...v2,
    method: 'GET',
    path: '/v2/health/live',
    summary: 'Whether the server lives (Open Inference Protocol).',
    access: 'public',
    responses: { 200: openInferenceSchemas.Live },
  },
  serverReady: {
    ...v2,
    method: 'GET',
    path: '/v2/health/ready',
    summary: 'Whether the server takes requests.',
    access: 'public',
    responses: { 200: openInferenceSchemas.Ready, 400: openInferenceSchemas.Ready },
  },
  serverMetadata: {
    ...v2,
    method: 'GET',
    path: '/v2',
    summary: 'What the server is.',
    responses: { 200: openInferenceSchemas.ServerMetadata },
  },
  modelMetadata: {
    ...v2,
    method: 'GET',
    path: '/v2/models/:id',
    summary: 'What a model takes and answers.',
    responses: { 200: openInferenceSchemas.ModelMetadata },
  },
  versionMetadata: {
    ...v2,
    method: 'GET',
    path: '/v2/models/:id/versions/:version',
    summary: 'What a version of a model takes and answers.',
    responses: { 200: openInferenceSchemas.ModelMetadata },
  },
  modelReady: {
    ...v2,
    method: 'GET',
    path: '/v2/models/:id/ready',
    summary: 'Whether a model is loaded: 200 or 400.',
    responses: { 200: openInferenceSchemas.ModelReady, 400: openInferenceSchemas.ModelReady },
  },
  versionReady: {
    ...v2,
    method: 'GET',
    path: '/v2/models/:id/versions/:version/ready',
    summary: 'Whether a version of a model is loaded: 200 or 400.',
    responses: { 200: openInferenceSchemas.ModelReady, 400: openInferenceSchemas.ModelReady },
  },
  modelInfer: {
    ...v2,
    method: 'POST',
    path: '/v2/models/:id/infer',
    summary: 'Asks a model by the Open Inference Protocol.',
    body: openInferenceSchemas.InferenceRequest,
    maxBodyBytes: MAX_INFER_BYTES,
    responses: { 200: openInferenceSchemas.InferenceResponse },
  },
  versionInfer: {
    ...v2,
    method: 'POST',
    path: '/v2/models/:id/versions/:version/infer',
    summary: 'Asks a version of a model by the Open Inference Protocol.',
    body: openInferenceSchemas.InferenceRequest,
    maxBodyBytes: MAX_INFER_BYTES,
    responses: { 200: openInferenceSchemas.InferenceResponse },
  },
} as const satisfies Endpoints;

/** The inference service: models that answer. Port 8002, `/inference/…` behind the gateway. */
export const inferenceEndpoints = {
  infer: { ...infer, path: '/infer', summary: 'Asks a model; streamed where `stream` is true.' },
  inferV1: { ...infer, path: '/v1/infer', summary: 'The same as `/infer`.' },
  batchInfer: post('/batch_infer', 'infer', {
    summary: 'Asks up to 64 times at once; each answer or refusal stands at its index.',
    body: inferSchemas.BatchRequest,
    maxBodyBytes: MAX_INFER_BYTES,
    responses: { 200: inferSchemas.BatchResponse },
    problems: ['payload_too_large', 'overloaded', 'draining'],
  }),
  loadModel: post('/load_model/:id', 'infer', {
    summary: 'Loads a model beforehand; `wait=false` answers at once.',
    query: z.strictObject({ wait: z.prefault(z.enum(['true', 'false']), 'true') }),
    body: loadedModelSchemas.LoadRequest,
    bodyOptional: true,
    responses: { 200: loadedModelSchemas.LoadAnswer, 202: loadedModelSchemas.LoadAnswer },
    problems: INFER_PROBLEMS,
  }),
  unloadModel: post('/unload_model/:id', 'infer', {
    summary: 'Takes a model out of the cache once its requests have been answered.',
    query: z.strictObject({ version: z.optional(z.string().check(z.maxLength(128))) }),
    responses: { 200: loadedModelSchemas.LoadAnswer },
    problems: ['model_not_found'],
  }),
  loadedModels: get('/models', 'infer', {
    summary: 'The models in the cache and how they are used.',
    responses: { 200: loadedModelSchemas.LoadedModels },
  }),
  batchingConfig: get('/config', 'infer', {
    summary: 'How requests are put together to batches.',
    responses: { 200: loadedModelSchemas.BatchingConfig },
  }),
  ...openInferenceEndpoints,
} as const satisfies Endpoints;

/** Examples of what the Worker's own inference responses, too. */
export const servedOperations = () => {
  const DIGEST = `sha256:${'3f'.repeat(32)}` as const;

  const ask = {
    body: {
      model_id: 'tiny',
      inputs: { text: 'Call me ' },
      config: { max_length: 40, temperature: 0.8, seed: 5 },
    },
    answer: {
      id: 'inf_01KAJ9W9A1B2C3D4E5F6G7H8J9',
      model_id: 'tiny',
      model_version: '1.0.0',
      model_digest: DIGEST,
      outputs: { text: 'Ishmael. Some years ago, never mind how ' },
      usage: { prompt_tokens: 8, completion_tokens: 40, total_tokens: 48 },
      finish_reason: 'length',
      timing: { queue_ms: 2, compute_ms: 31, total_ms: 33 },
      batch: { size: 1 },
      spikes: {
        total: 2_064,
        rate: 0.12,
        break_even_rate: 0.0905,
        synaptic_ops: 66_048,
        dense_macs: 203_040,
        energy: {
          compute_pj: 91_200,
          dense_compute_pj: 933_984,
          with_memory_pj: 11_300_000,
          dense_with_memory_pj: 11_085_984,
        },
      },
      seed: 5,
    },
  } as const;

  const loaded: loadedModelSchemas.LoadAnswer = {
    model_id: 'tiny',
    version: '1.0.0',
    state: 'READY',
    reason: '',
    loaded_at: '2026-11-21T10:00:00.000Z',
    size_bytes: 38_400,
    digest: DIGEST,
    evicted: [],
  };

  return {
    infer: ask,
    inferV1: ask,
    loadModel: {
      params: { id: 'tiny' },
      query: { wait: 'true' },
      body: { alias: 'production' },
      responses: { 200: loaded, 202: { ...loaded, state: 'LOADING', loaded_at: null } },
    },
    loadedModels: {
      answer: {
        models: [
          {
            ...loaded,
            device: 'WASM SIMD on the processor (1 thread)',
            pinned: false,
            ttl_s: null,
            last_used_at: '2026-11-21T10:00:05.000Z',
            requests: 3,
            hits: 2,
          },
        ],
        cache: { capacity: 2, used: 1 },
      },
    },
  } satisfies EndpointDocs<
    Pick<typeof inferenceEndpoints, 'infer' | 'inferV1' | 'loadModel' | 'loadedModels'>
  >['operations'];
};

interface Answered<S extends Schema> {
  readonly answer: z.output<S>;
}

/** Parameters, examples and links of the table. */
export const inferenceDocs = () => {
  const served = servedOperations();
  const answered = served.infer.answer;
  const loaded = served.loadModel.responses[200];

  const params = { id: 'tiny' };
  const ofVersion = { id: 'tiny', version: '1.0.0' };

  const metadata: Answered<typeof openInferenceSchemas.ModelMetadata> = {
    answer: {
      name: 'tiny',
      versions: ['1.0.0'],
      platform: 'spikegrid_dense_chronospike',
      inputs: [{ name: 'text', datatype: 'BYTES', shape: [-1] }],
      outputs: [{ name: 'text', datatype: 'BYTES', shape: [-1] }],
    },
  };

  const ready = {
    responses: { 200: { name: 'tiny', ready: true }, 400: { name: 'tiny', ready: false } },
  } as const;

  const tensors: Answered<typeof openInferenceSchemas.InferenceResponse> & {
    readonly body: openInferenceSchemas.InferenceRequest;
  } = {
    body: {
      inputs: [{ name: 'text', shape: [1], datatype: 'BYTES', data: ['Call me '] }],
      parameters: { max_length: 40, seed: 5 },
    },
    answer: {
      id: answered.id,
      model_name: 'tiny',
      model_version: '1.0.0',
      outputs: [{ name: 'text', shape: [1], datatype: 'BYTES', data: [' Some years ago'] }],
    },
  };

  const model = { description: 'The model.', schema: ModelId };
  return describe(inferenceEndpoints, {
    schemas: [inferSchemas, loadedModelSchemas, openInferenceSchemas],
    params: {
      'load_model/:id': model,
      'unload_model/:id': model,
      'models/:id': model,
      'versions/:version': { description: 'The version.', schema: Version },
    },
    operations: {
      ...served,
      batchInfer: {
        body: { requests: [served.infer.body] },
        answer: {
          id: 'batch_01KAJ9W9A1B2C3D4E5F6G7H8J9',
          results: [{ index: 0, status: 200, response: answered }],
          succeeded: 1,
          failed: 0,
        },
      },
      loadModel: {
        ...served.loadModel,
        body: { version: '1.0.0' },
        links: {
          200: { unloadModel: { id: fromBody('model_id'), version: fromBody('version') } },
          202: { loadedModels: {}, modelReady: { id: fromBody('model_id') } },
        },
      },
      unloadModel: {
        params,
        query: { version: '1.0.0' },
        answer: { ...loaded, state: 'UNAVAILABLE' },
      },
      batchingConfig: {
        answer: {
          max_batch_size: 8,
          max_queue_delay_us: 2_000,
          max_queue_size: 256,
          timeout_action: 'reject',
          priority_levels: 10,
          adaptive: true,
        },
      },
      serverLive: { answer: { live: true } },
      serverReady: { responses: { 200: { ready: true }, 400: { ready: false } } },
      serverMetadata: {
        answer: { name: 'spikegrid', version: '0.1.0', extensions: [] },
      },
      modelMetadata: { params, ...metadata },
      versionMetadata: { params: ofVersion, ...metadata },
      modelReady: { params, ...ready },
      versionReady: { params: ofVersion, ...ready },
      modelInfer: { params, ...tensors },
      versionInfer: { params: ofVersion, ...tensors },
    },
  });
};
