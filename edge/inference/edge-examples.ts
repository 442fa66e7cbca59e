import type { edgeInferenceEndpoints } from './edge-endpoints.ts';
import type { LoadAnswer } from './contract/loaded-model.ts';
import type { ExamplesOf } from '../api-description/description.ts';

const DIGEST = `sha256:${'3f'.repeat(32)}` as const;

const ask = {
  body: {
    model_id: 'tiny',
    inputs: { text: 'Call me ' },
    config: { max_length: 40, temperature: 0.8, seed: 5 },
  },
  answers: {
    200: {
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
  },
} as const;

const loaded: LoadAnswer = {
  model_id: 'tiny',
  version: '1.0.0',
  state: 'READY',
  reason: '',
  loaded_at: '2026-11-21T10:00:00.000Z',
  size_bytes: 38_400,
  digest: DIGEST,
  evicted: [],
};

export const edgeInferenceExamples: ExamplesOf<typeof edgeInferenceEndpoints> = {
  infer: ask,
  inferV1: ask,
  loadModel: {
    params: { id: 'tiny' },
    query: { wait: 'true' },
    body: { alias: 'production' },
    answers: { 200: loaded, 202: { ...loaded, state: 'LOADING', loaded_at: null } },
  },
  loadedModels: {
    answers: {
      200: {
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
  },
};
