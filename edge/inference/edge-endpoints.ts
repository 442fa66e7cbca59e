import { type Endpoints, MAX_JSON_BYTES } from '../contract/endpoint.ts';
import { inferenceEndpoints, servedOperations } from './endpoints.ts';
import { describe } from '../contract/endpoint-docs.ts';
import { ModelId } from '../registry/contract/model.ts';

/** Tokens that are written at most, and that a prompt may have. */
export const EDGE_MAX_LENGTH = 2_000;
export const EDGE_MAX_PROMPT = 8_000;
/** Models that are loaded at once, and what their files may take together. */
export const EDGE_MODELS = 2;
export const EDGE_MODEL_BYTES = 32 * 1024 * 1024;
/** Requests that may wait while a model is at work. */
export const EDGE_QUEUE = 16;

const { infer, inferV1, loadModel, loadedModels } = inferenceEndpoints;

const LOAD_PROBLEMS = [
  'model_not_found',
  'alias_not_found',
  'model_cache_full',
  'digest_mismatch',
  'invalid_structure',
  'unsupported_neuron',
] as const;

const own = {
  maxBodyBytes: MAX_JSON_BYTES,
  problems: [...LOAD_PROBLEMS, 'upstream_timeout'],
} as const;

/**
 * The part of the inference service that the Worker serves by itself, on one thread of WASM:
 * `/edge-inference/…` behind the gateway. Requests and answers are the same.
 */
export const edgeInferenceEndpoints = {
  infer: {
    ...infer,
    ...own,
    summary: 'Asks a small model at the edge; streamed where `stream` is true.',
  },
  inferV1: { ...inferV1, ...own },
  loadModel: { ...loadModel, problems: LOAD_PROBLEMS },
  loadedModels: { ...loadedModels, summary: 'The models in the isolate that answers.' },
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const edgeInferenceDocs = () => {
  const served = servedOperations();
  return describe(edgeInferenceEndpoints, {
    schemas: [],
    params: { 'load_model/:id': { description: 'The model.', schema: ModelId } },
    operations: {
      ...served,
      loadModel: { ...served.loadModel, links: { 202: { loadedModels: {} } } },
    },
  });
};
