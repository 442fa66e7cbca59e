import * as z from 'zod/mini';
import { type Endpoints, get, post } from '../contract/endpoint.ts';
import * as capacitySchemas from './contract/capacity.ts';
import { CapacityAnswer } from './contract/capacity.ts';
import * as checkpointSchemas from './contract/checkpoint.ts';
import { CheckpointList } from './contract/checkpoint.ts';
import { EventsQuery } from '../contract/event-query.ts';
import * as jobEventSchemas from './contract/job-event.ts';
import * as jobSchemas from './contract/job.ts';
import * as trainRequestSchemas from './contract/train-request.ts';
import { CategoryRequest, TrainRequest } from './contract/train-request.ts';
import * as controlSchemas from './contract/controls.ts';
import { anyId, describe, fromBody, linksTo } from '../contract/endpoint-docs.ts';
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

const getJob = get('/jobs/:id', 'train', {
  summary: 'A job: its state, progress, latest measurements and checkpoints.',
  responses: { 200: jobSchemas.JobRecord },
  problems: ['job_not_found'],
});

const cancelJob = post('/jobs/:id/cancel', 'train', {
  summary:
    'Cancels a job: 200 where it has ended so, 202 while its trainer writes a last checkpoint.',
  responses: { 200: jobSchemas.JobRecord, 202: jobSchemas.JobRecord },
  problems: ['job_not_found', 'job_terminal'],
});

const listJobs = get('/jobs', 'train', {
  summary: 'Jobs by their state and kind, the latest first.',
  query: jobSchemas.JobQuery,
  lists: ['status'],
  responses: { 200: jobSchemas.JobList },
});

/** Training jobs. Port 8001, `/training/…` behind the gateway. */
export const jobEndpoints = {
  train: post('/train', 'train', {
    summary:
      'Submits a job; a body with a `category` is one of the language-model training server.',
    body: z.union([TrainRequest, CategoryRequest]),
    limit: 'train',
    responses: { 202: jobSchemas.JobRecord },
    problems: SUBMIT_PROBLEMS,
  }),
  listJobs,
  getJob,
  cancelJob,
  listEvents: get('/jobs/:id/events', 'train', {
    summary: 'What happened to a job; as `text/event-stream` it goes on until the job has ended.',
    query: EventsQuery,
    responses: { 200: jobEventSchemas.EventList },
    also: { 200: ['text/event-stream'] },
    problems: ['job_not_found'],
    headers: {
      'last-event-id': 'The `id` of the last event that arrived; the stream goes on after it.',
    },
  }),
  getSeries: get('/jobs/:id/metrics', 'train', {
    summary: 'What was measured while a job trained, step by step.',
    query: jobEventSchemas.SeriesQuery,
    responses: { 200: jobEventSchemas.MetricSeries },
    problems: ['job_not_found'],
  }),
  listCheckpoints: get('/jobs/:id/checkpoints', 'train', {
    summary: 'The checkpoints of a job, the newest first.',
    responses: { 200: CheckpointList },
    problems: ['job_not_found'],
  }),
  downloadCheckpointFile: get('/jobs/:id/checkpoints/:checkpoint/files/:filename', 'train', {
    summary: 'A file of a checkpoint.',
    responses: { 200: { media: ['application/octet-stream'] } },
    problems: ['job_not_found', 'checkpoint_not_found', 'file_not_found'],
  }),
} as const satisfies Endpoints;

/**
 * The load balancer in front of the language-model training servers: `/lm-training/…` behind the
 * gateway. A training server of Node answers the same endpoints for itself.
 */
export const lmTrainingEndpoints = {
  trainLm: post('/train', 'train', {
    summary: 'Submits the training of a language model to the best of the training servers.',
    body: CategoryRequest,
    limit: 'train',
    responses: { 202: jobSchemas.JobRecord },
    problems: SUBMIT_PROBLEMS,
  }),
  trainingCapacity: post('/training-capacity', 'train', {
    summary: 'Whether a request would fit, and where, without submitting it.',
    body: z.union([CategoryRequest, TrainRequest]),
    responses: { 200: CapacityAnswer },
    problems: ['unsafe_path', 'invalid_structure', ...BASE_PROBLEMS],
  }),
  listJobs,
  getJob,
  cancelJob,
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const jobDocs = () => {
  const { checkpoint, CHECKPOINT_ID, config, job, JOB_ID, point } = exampleRecords();
  const params = { id: JOB_ID };
  const ofJob = { id: fromBody('job_id') };
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
        answer: { ...job, status: 'queued', status_reason: '' },
        headers: { 202: ['Location'] },
        links: {
          202: linksTo(ofJob, 'getJob', 'cancelJob', 'listEvents', 'getSeries', 'listCheckpoints'),
        },
      },
      listJobs: {
        query: { limit: '20', order: 'desc' },
        answer: { jobs: [job], total: 1, has_more: false, next_cursor: null },
      },
      getJob: { params, answer: job },
      cancelJob: { params, responses: { 200: cancelled, 202: { ...job, status: 'cancelling' } } },
      listEvents: {
        params,
        query: { after: '0', limit: '100' },
        answer: {
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
        requestHeaders: { 'last-event-id': '0' },
      },
      getSeries: {
        params,
        query: { after_step: '0', seat: '0' },
        answer: { job_id: JOB_ID, points: [point] },
      },
      listCheckpoints: { params, answer: { checkpoints: [checkpoint], total: 1 } },
      downloadCheckpointFile: {
        params: { ...params, checkpoint: CHECKPOINT_ID, filename: 'model.safetensors' },
        answer: { 'application/octet-stream': undefined },
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
        answer: { ...lmJob, status: 'queued', status_reason: '' },
        headers: { 202: ['Location'] },
        links: { 202: linksTo({ id: fromBody('job_id') }, 'getJob', 'cancelJob') },
      },
      trainingCapacity: {
        body,
        answer: {
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
      listJobs: {
        ...jobOperations.listJobs,
        answer: { jobs: [lmJob], total: 1, has_more: false, next_cursor: null },
      },
      getJob: { ...jobOperations.getJob, answer: lmJob },
      cancelJob: jobOperations.cancelJob,
    },
  });
};
