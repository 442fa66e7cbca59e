import * as z from 'zod/mini';
import type { Endpoints } from '../contract/endpoint.ts';
import { BatchRequest, BatchResponse, InferAnswer, InferRequest } from './contract/infer.ts';
import { BatchingConfig, LoadAnswer, LoadedModels, LoadRequest } from './contract/loaded-model.ts';
import {
  InferenceError,
  InferenceRequest,
  InferenceResponse,
  Live,
  ModelMetadata,
  ModelReady,
  Ready,
  ServerMetadata,
} from './contract/open-inference.ts';

/** What an inference may be asked with. */
const MAX_INFER_BYTES = 20 * 1024 * 1024;

/** What asking a model may end in, beside what is wrong with the request itself. */
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
  body: InferRequest,
  maxBodyBytes: MAX_INFER_BYTES,
  answers: { 200: InferAnswer },
  // Events of InferChunk, where `stream` is true.
  also: { 200: ['text/event-stream'] },
  problems: INFER_PROBLEMS,
} as const;

/** What is wrong is said in the protocol's own form. */
const v2 = { access: 'infer', refusal: InferenceError, problems: INFER_PROBLEMS } as const;

/** The Open Inference Protocol (v2), a part of the inference service. */
export const openInferenceEndpoints = {
  serverLive: {
    ...v2,
    method: 'GET',
    path: '/v2/health/live',
    summary: 'Whether the server lives (Open Inference Protocol).',
    access: 'public',
    answers: { 200: Live },
  },
  serverReady: {
    ...v2,
    method: 'GET',
    path: '/v2/health/ready',
    summary: 'Whether the server takes requests.',
    access: 'public',
    answers: { 200: Ready, 400: Ready },
  },
  serverMetadata: {
    ...v2,
    method: 'GET',
    path: '/v2',
    summary: 'What the server is.',
    answers: { 200: ServerMetadata },
  },
  modelMetadata: {
    ...v2,
    method: 'GET',
    path: '/v2/models/:id',
    summary: 'What a model takes and answers.',
    answers: { 200: ModelMetadata },
  },
  versionMetadata: {
    ...v2,
    method: 'GET',
    path: '/v2/models/:id/versions/:version',
    summary: 'What a version of a model takes and answers.',
    answers: { 200: ModelMetadata },
  },
  modelReady: {
    ...v2,
    method: 'GET',
    path: '/v2/models/:id/ready',
    summary: 'Whether a model is loaded: 200 or 400.',
    answers: { 200: ModelReady, 400: ModelReady },
  },
  versionReady: {
    ...v2,
    method: 'GET',
    path: '/v2/models/:id/versions/:version/ready',
    summary: 'Whether a version of a model is loaded: 200 or 400.',
    answers: { 200: ModelReady, 400: ModelReady },
  },
  modelInfer: {
    ...v2,
    method: 'POST',
    path: '/v2/models/:id/infer',
    summary: 'Asks a model by the Open Inference Protocol.',
    body: InferenceRequest,
    maxBodyBytes: MAX_INFER_BYTES,
    answers: { 200: InferenceResponse },
  },
  versionInfer: {
    ...v2,
    method: 'POST',
    path: '/v2/models/:id/versions/:version/infer',
    summary: 'Asks a version of a model by the Open Inference Protocol.',
    body: InferenceRequest,
    maxBodyBytes: MAX_INFER_BYTES,
    answers: { 200: InferenceResponse },
  },
} as const satisfies Endpoints;

/** The inference service: models that answer. Port 8002, `/inference/…` behind the gateway. */
export const inferenceEndpoints = {
  infer: { ...infer, path: '/infer', summary: 'Asks a model; streamed where `stream` is true.' },
  inferV1: { ...infer, path: '/v1/infer', summary: 'The same as `/infer`.' },
  batchInfer: {
    method: 'POST',
    path: '/batch_infer',
    summary: 'Asks up to 64 times at once; each answer or refusal stands at its index.',
    access: 'infer',
    body: BatchRequest,
    maxBodyBytes: MAX_INFER_BYTES,
    answers: { 200: BatchResponse },
    problems: ['payload_too_large', 'overloaded', 'draining'],
  },
  loadModel: {
    method: 'POST',
    path: '/load_model/:id',
    summary: 'Loads a model beforehand; `wait=false` answers at once.',
    access: 'infer',
    query: z.strictObject({ wait: z.prefault(z.enum(['true', 'false']), 'true') }),
    body: LoadRequest,
    bodyOptional: true,
    answers: { 200: LoadAnswer, 202: LoadAnswer },
    problems: INFER_PROBLEMS,
  },
  unloadModel: {
    method: 'POST',
    path: '/unload_model/:id',
    summary: 'Takes a model out of the cache once its requests have been answered.',
    access: 'infer',
    query: z.strictObject({ version: z.optional(z.string().check(z.maxLength(128))) }),
    answers: { 200: LoadAnswer },
    problems: ['model_not_found'],
  },
  loadedModels: {
    method: 'GET',
    path: '/models',
    summary: 'The models in the cache and how they are used.',
    access: 'infer',
    answers: { 200: LoadedModels },
  },
  batchingConfig: {
    method: 'GET',
    path: '/config',
    summary: 'How requests are put together to batches.',
    access: 'infer',
    answers: { 200: BatchingConfig },
  },
  ...openInferenceEndpoints,
} as const satisfies Endpoints;
