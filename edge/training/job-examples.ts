import type { jobEndpoints } from './job-endpoints.ts';
import type { ExamplesOf } from '../api-description/description.ts';
import { checkpoint, CHECKPOINT_ID, config, job, JOB_ID, point } from './record-examples.ts';

const params = { id: JOB_ID };
const cancelled = { ...job, status: 'cancelled', finished_at: '2026-11-20T10:02:05Z' } as const;

export const jobExamples: ExamplesOf<typeof jobEndpoints> = {
  train: {
    body: {
      model_type: 'dense_chronospike',
      dataset_path: 'datasets/moby-dick',
      config: { steps: config.steps, d_model: 128, n_heads: 4, seed: 1 },
      learning_rate: 1e-4,
      output_name: 'whale',
    },
    answers: { 202: { ...job, status: 'queued', status_reason: '' } },
    headers: { 202: ['Location'] },
  },
  listJobs: {
    query: { limit: '20', order: 'desc' },
    answers: { 200: { jobs: [job], total: 1, has_more: false, next_cursor: null } },
  },
  getJob: { params, answers: { 200: job } },
  cancelJob: { params, answers: { 200: cancelled, 202: { ...job, status: 'cancelling' } } },
  listEvents: {
    params,
    query: { after: '0', limit: '100' },
    answers: {
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
    answers: { 200: { job_id: JOB_ID, points: [point] } },
  },
  listCheckpoints: { params, answers: { 200: { checkpoints: [checkpoint], total: 1 } } },
  downloadCheckpointFile: {
    params: { ...params, checkpoint: CHECKPOINT_ID, filename: 'model.safetensors' },
    answers: { 200: { 'application/octet-stream': undefined } },
  },
};
