import * as z from 'zod/mini';
import type { Endpoints } from '../contract/endpoint.ts';
import * as capacitySchemas from './contract/capacity.ts';
import { CapacityAnswer } from './contract/capacity.ts';
import * as checkpointSchemas from './contract/checkpoint.ts';
import { CheckpointList } from './contract/checkpoint.ts';
import { EventsQuery } from '../contract/event-query.ts';
import * as jobEventSchemas from './contract/job-event.ts';
import { EventList, MetricSeries, SeriesQuery } from './contract/job-event.ts';
import * as jobSchemas from './contract/job.ts';
import { JobList, JobQuery, JobRecord } from './contract/job.ts';
import * as trainRequestSchemas from './contract/train-request.ts';
import { CategoryRequest, TrainRequest } from './contract/train-request.ts';
import * as controlSchemas from './contract/controls.ts';
import { anyId, describe, fromBody } from '../contract/endpoint-docs.ts';
import { exampleRecords } from './contract/example-records.ts';
import { Filename } from '../registry/contract/model-file.ts';

/** About the model that a run goes on from. */
const BASE_PROBLEMS = ['base_model_mismatch', 'model_not_found', 'alias_not_found'] as const;

const SUBMIT_PROBLEMS = [
  'unsafe_path',
  'invalid_structure',
  'insufficient_vram',
  ...BASE_PROBLEMS,
  'dataset_not_found',
  'storage_full',
  'already_exists',
] as const;

const getJob = {
  method: 'GET',
  path: '/jobs/:id',
  summary: 'A job: its state, progress, latest measurements and checkpoints.',
  access: 'train',
  responses: { 200: JobRecord },
  problems: ['job_not_found'],
} as const;

const cancelJob = {
  method: 'POST',
  path: '/jobs/:id/cancel',
  summary:
    'Cancels a job: 200 where it has ended so, 202 while its trainer writes a last checkpoint.',
  access: 'train',
  responses: { 200: JobRecord, 202: JobRecord },
  problems: ['job_not_found', 'job_terminal'],
} as const;

const listJobs = {
  method: 'GET',
  path: '/jobs',
  summary: 'Jobs by their state and kind, the latest first.',
  access: 'train',
  query: JobQuery,
  lists: ['status'],
  responses: { 200: JobList },
} as const;

/** Training jobs. Port 8001, `/training/…` behind the gateway. */
export const jobEndpoints = {
  train: {
    method: 'POST',
    path: '/train',
    summary:
      'Submits a job; a body with a `category` is one of the language-model training server.',
    access: 'train',
    body: z.union([TrainRequest, CategoryRequest]),
    limit: 'train',
    responses: { 202: JobRecord },
    problems: SUBMIT_PROBLEMS,
  },
  listJobs,
  getJob,
  cancelJob,
  listEvents: {
    method: 'GET',
    path: '/jobs/:id/events',
    summary: 'What happened to a job; as `text/event-stream` it goes on until the job has ended.',
    access: 'train',
    query: EventsQuery,
    responses: { 200: EventList },
    also: { 200: ['text/event-stream'] },
    problems: ['job_not_found'],
    headers: {
      'last-event-id': 'The `id` of the last event that arrived; the stream goes on after it.',
    },
  },
  getSeries: {
    method: 'GET',
    path: '/jobs/:id/metrics',
    summary: 'What was measured while a job trained, step by step.',
    access: 'train',
    query: SeriesQuery,
    responses: { 200: MetricSeries },
    problems: ['job_not_found'],
  },
  listCheckpoints: {
    method: 'GET',
    path: '/jobs/:id/checkpoints',
    summary: 'The checkpoints of a job, the newest first.',
    access: 'train',
    responses: { 200: CheckpointList },
    problems: ['job_not_found'],
  },
  downloadCheckpointFile: {
    method: 'GET',
    path: '/jobs/:id/checkpoints/:checkpoint/files/:filename',
    summary: 'A file of a checkpoint.',
    access: 'train',
    responses: { 200: { media: ['application/octet-stream'] } },
    problems: ['job_not_found', 'checkpoint_not_found', 'file_not_found'],
  },
} as const satisfies Endpoints;

/**
 * The load balancer in front of the language-model training servers: `/lm-training/…` behind the
 * gateway. A training server of Node answers the same endpoints for itself.
 */
export const lmTrainingEndpoints = {
  trainLm: {
    method: 'POST',
    path: '/train',
    summary: 'Submits the training of a language model to the best of the training servers.',
    access: 'train',
    body: CategoryRequest,
    limit: 'train',
    responses: { 202: JobRecord },
    problems: SUBMIT_PROBLEMS,
  },
  trainingCapacity: {
    method: 'POST',
    path: '/training-capacity',
    summary: 'Whether a request would fit, and where, without submitting it.',
    access: 'train',
    body: z.union([CategoryRequest, TrainRequest]),
    responses: { 200: CapacityAnswer },
    problems: ['unsafe_path', 'invalid_structure', ...BASE_PROBLEMS],
  },
  listJobs,
  getJob,
  cancelJob,
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const jobDocs = () => {
  const { checkpoint, CHECKPOINT_ID, config, job, JOB_ID, point } = exampleRecords();
  const params = { id: JOB_ID };
  const cancelled = { ...job, status: 'cancelled', finished_at: '2026-11-20T10:02:05Z' } as const;

  // Metrics have points and series of their own.
  const {
    MetricPoint: TrainingPoint,
    MetricSeries: TrainingSeries,
    ...jobEvents
  } = jobEventSchemas;
  return describe(jobEndpoints, {
    schemas: [
      jobSchemas,
      jobEvents,
      { TrainingPoint, TrainingSeries },
      capacitySchemas,
      checkpointSchemas,
      controlSchemas,
      trainRequestSchemas,
    ],
    params: {
      'jobs/:id': { description: 'The job.', schema: anyId() },
      'checkpoints/:checkpoint': { description: 'A checkpoint of the job.', schema: anyId() },
      'files/:filename': { description: 'A file of the checkpoint.', schema: Filename },
    },
    operations: {
      train: {
        body: {
          model_type: 'dense_chronospike',
          dataset_path: 'datasets/moby-dick',
          config: { steps: config.steps, d_model: 128, n_heads: 4, seed: 1 },
          learning_rate: 1e-4,
          output_name: 'whale',
        },
        responses: { 202: { ...job, status: 'queued', status_reason: '' } },
        headers: { 202: ['Location'] },
        links: {
          202: {
            getJob: { id: fromBody('job_id') },
            cancelJob: { id: fromBody('job_id') },
            listEvents: { id: fromBody('job_id') },
            getSeries: { id: fromBody('job_id') },
            listCheckpoints: { id: fromBody('job_id') },
          },
        },
      },
      listJobs: {
        query: { limit: '20', order: 'desc' },
        responses: { 200: { jobs: [job], total: 1, has_more: false, next_cursor: null } },
      },
      getJob: { params, responses: { 200: job } },
      cancelJob: { params, responses: { 200: cancelled, 202: { ...job, status: 'cancelling' } } },
      listEvents: {
        params,
        query: { after: '0', limit: '100' },
        responses: {
          200: {
            events: [
              {
                id: 'evt_01KAJ9W9A1B2C3D4E5F6G7H8J9',
                seq: 1,
                created_at: '2026-11-20T10:00:00Z',
                level: 'info',
                type: 'job.status',
                message: 'queued',
                data: { from: null, to: 'queued' },
              },
            ],
            total: 1,
            has_more: false,
          },
        },
        requestHeaders: { 'last-event-id': '0' },
      },
      getSeries: {
        params,
        query: { after_step: '0', seat: '0' },
        responses: { 200: { job_id: JOB_ID, points: [point] } },
      },
      listCheckpoints: { params, responses: { 200: { checkpoints: [checkpoint], total: 1 } } },
      downloadCheckpointFile: {
        params: { ...params, checkpoint: CHECKPOINT_ID, filename: 'model.safetensors' },
        responses: { 200: { 'application/octet-stream': undefined } },
      },
    },
  });
};

/** Parameters, examples and links of the table. */
export const lmTrainingDocs = () => {
  const { config, job } = exampleRecords();
  const jobOperations = jobDocs().operations;
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

  return describe(lmTrainingEndpoints, {
    schemas: [],
    params: { 'jobs/:id': { description: 'The job.', schema: anyId() } },
    operations: {
      trainLm: {
        body,
        responses: { 202: { ...lmJob, status: 'queued', status_reason: '' } },
        headers: { 202: ['Location'] },
        links: {
          202: { getJob: { id: fromBody('job_id') }, cancelJob: { id: fromBody('job_id') } },
        },
      },
      trainingCapacity: {
        body,
        responses: {
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
        ...jobOperations.listJobs,
        responses: { 200: { jobs: [lmJob], total: 1, has_more: false, next_cursor: null } },
      },
      getJob: { ...jobOperations.getJob, responses: { 200: lmJob } },
      cancelJob: jobOperations.cancelJob,
    },
  });
};
