import * as z from 'zod/mini';
import type { Endpoints } from '../contract/endpoint.ts';
import { CapacityAnswer } from './contract/capacity.ts';
import { CheckpointList } from './contract/checkpoint.ts';
import { EventsQuery } from '../contract/event-query.ts';
import { EventList, MetricSeries, SeriesQuery } from './contract/job-event.ts';
import { JobList, JobQuery, JobRecord } from './contract/job.ts';
import { CategoryRequest, TrainRequest } from './contract/train-request.ts';

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
  answers: { 200: JobRecord },
  problems: ['job_not_found'],
} as const;

const cancelJob = {
  method: 'POST',
  path: '/jobs/:id/cancel',
  summary:
    'Cancels a job: 200 where it has ended so, 202 while its trainer writes a last checkpoint.',
  access: 'train',
  answers: { 200: JobRecord, 202: JobRecord },
  problems: ['job_not_found', 'job_terminal'],
} as const;

const listJobs = {
  method: 'GET',
  path: '/jobs',
  summary: 'Jobs by their state and kind, the latest first.',
  access: 'train',
  query: JobQuery,
  lists: ['status'],
  answers: { 200: JobList },
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
    answers: { 202: JobRecord },
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
    answers: { 200: EventList },
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
    answers: { 200: MetricSeries },
    problems: ['job_not_found'],
  },
  listCheckpoints: {
    method: 'GET',
    path: '/jobs/:id/checkpoints',
    summary: 'The checkpoints of a job, the newest first.',
    access: 'train',
    answers: { 200: CheckpointList },
    problems: ['job_not_found'],
  },
  downloadCheckpointFile: {
    method: 'GET',
    path: '/jobs/:id/checkpoints/:checkpoint/files/:filename',
    summary: 'A file of a checkpoint.',
    access: 'train',
    answers: { 200: { media: ['application/octet-stream'] } },
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
    answers: { 202: JobRecord },
    problems: SUBMIT_PROBLEMS,
  },
  trainingCapacity: {
    method: 'POST',
    path: '/training-capacity',
    summary: 'Whether a request would fit, and where, without submitting it.',
    access: 'train',
    body: z.union([CategoryRequest, TrainRequest]),
    answers: { 200: CapacityAnswer },
    problems: ['unsafe_path', 'invalid_structure', ...BASE_PROBLEMS],
  },
  listJobs,
  getJob,
  cancelJob,
} as const satisfies Endpoints;
