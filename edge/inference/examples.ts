import type * as z from 'zod/mini';
import type { Schema } from '../contract/endpoint.ts';
import type {
  InferenceRequest,
  InferenceResponse,
  ModelMetadata,
} from './contract/open-inference.ts';
import type { inferenceEndpoints } from './endpoints.ts';
import type { LoadAnswer } from './contract/loaded-model.ts';
import type { ExamplesOf } from '../api-description/description.ts';
import { edgeInferenceExamples } from './edge-examples.ts';

const { infer, inferV1, loadModel, loadedModels } = edgeInferenceExamples;
const answered = infer.answers[200];
const loaded: LoadAnswer = loadModel.answers[200];

interface Answered<S extends Schema> {
  readonly answers: { readonly 200: z.output<S> };
}

const params = { id: 'tiny' };
const ofVersion = { id: 'tiny', version: '1.0.0' };

const metadata: Answered<typeof ModelMetadata> = {
  answers: {
    200: {
      name: 'tiny',
      versions: ['1.0.0'],
      platform: 'spikegrid_dense_chronospike',
      inputs: [{ name: 'text', datatype: 'BYTES', shape: [-1] }],
      outputs: [{ name: 'text', datatype: 'BYTES', shape: [-1] }],
    },
  },
};

const ready = {
  answers: { 200: { name: 'tiny', ready: true }, 400: { name: 'tiny', ready: false } },
} as const;

const tensors: Answered<typeof InferenceResponse> & { readonly body: InferenceRequest } = {
  body: {
    inputs: [{ name: 'text', shape: [1], datatype: 'BYTES', data: ['Call me '] }],
    parameters: { max_length: 40, seed: 5 },
  },
  answers: {
    200: {
      id: answered.id,
      model_name: 'tiny',
      model_version: '1.0.0',
      outputs: [{ name: 'text', shape: [1], datatype: 'BYTES', data: [' Some years ago'] }],
    },
  },
};

/** Of the inference service and, as a part of it, the Open Inference Protocol. */
export const inferenceExamples: ExamplesOf<typeof inferenceEndpoints> = {
  infer,
  inferV1,
  batchInfer: {
    body: { requests: [infer.body] },
    answers: {
      200: {
        id: 'batch_01KAJ9W9A1B2C3D4E5F6G7H8J9',
        results: [{ index: 0, status: 200, response: answered }],
        succeeded: 1,
        failed: 0,
      },
    },
  },
  loadModel: { ...loadModel, body: { version: '1.0.0' } },
  unloadModel: {
    params,
    query: { version: '1.0.0' },
    answers: { 200: { ...loaded, state: 'UNAVAILABLE' } },
  },
  loadedModels,
  batchingConfig: {
    answers: {
      200: {
        max_batch_size: 8,
        max_queue_delay_us: 2_000,
        max_queue_size: 256,
        timeout_action: 'reject',
        priority_levels: 10,
        adaptive: true,
      },
    },
  },
  serverLive: { answers: { 200: { live: true } } },
  serverReady: { answers: { 200: { ready: true }, 400: { ready: false } } },
  serverMetadata: { answers: { 200: { name: 'spikegrid', version: '0.1.0', extensions: [] } } },
  modelMetadata: { params, ...metadata },
  versionMetadata: { params: ofVersion, ...metadata },
  modelReady: { params, ...ready },
  versionReady: { params: ofVersion, ...ready },
  modelInfer: { params, ...tensors },
  versionInfer: { params: ofVersion, ...tensors },
};
