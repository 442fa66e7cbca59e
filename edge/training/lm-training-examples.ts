import type { lmTrainingEndpoints } from './job-endpoints.ts';
import type { ExamplesOf } from '../api-description/description.ts';
import { jobExamples } from './job-examples.ts';
import { config, job } from './record-examples.ts';

const lmJob = { ...job, kind: 'lm', category: 'LangText' } as const;

const body = {
  category: 'LangText',
  gpu: true,
  dataset_path: 'datasets/moby-dick',
  steps: config.steps,
  d_model: 128,
  n_heads: 4,
  model_name: 'whale@production',
  output_name: 'white-whale',
} as const;

export const lmTrainingExamples: ExamplesOf<typeof lmTrainingEndpoints> = {
  trainLm: {
    body,
    answers: { 202: { ...lmJob, status: 'queued', status_reason: '' } },
    headers: { 202: ['Location'] },
  },
  trainingCapacity: {
    body,
    answers: {
      200: {
        capacity: {
          checked: true,
          fits: true,
          gpu_index: 0,
          gpu_name: 'NVIDIA H200',
          free_bytes: 140_000_000_000,
          required_bytes: 7_703_217_920,
          breakdown: {
            parameters: 3_457_024,
            gradients: 3_457_024,
            optimiser: 6_914_048,
            arena: 131_991_888,
            margin: 7_291_000,
            reserve: 7_550_106_936,
          },
        },
        candidates: [
          {
            trainer_id: 'trn_01KAJ9W9A1B2C3D4E5F6G7H8J9',
            name: 'rack-1',
            device: 'NVIDIA H200',
            free_bytes: 140_000_000_000,
            load: 0.2,
            jobs: 0,
            region_id: 'tokyo',
            excluded: null,
          },
        ],
      },
    },
  },
  listJobs: {
    ...jobExamples.listJobs,
    answers: { 200: { jobs: [lmJob], total: 1, has_more: false, next_cursor: null } },
  },
  getJob: { ...jobExamples.getJob, answers: { 200: lmJob } },
  cancelJob: jobExamples.cancelJob,
};
