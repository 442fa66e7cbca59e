import type { trainerEndpoints } from './trainer-endpoints.ts';
import type { TrainerAnnouncement, TrainerRecord } from './contract/trainer.ts';
import type { ExamplesOf } from '../api-description/description.ts';
import {
  checkpoint,
  config,
  device,
  digest,
  file,
  job,
  JOB_ID,
  point,
  progress,
  proof,
  TRAINER_ID,
} from './record-examples.ts';

const params = { id: JOB_ID };
const trainer = { id: TRAINER_ID };

const announcement: TrainerAnnouncement = {
  name: 'desk',
  kind: 'node',
  version: '0.1.0',
  device,
  categories: ['LangText'],
  model_types: ['dense_chronospike'],
  datasets: ['corpora/moby-dick.txt'],
  region_id: null,
  slots: 1,
  load: 0.3,
};

const record: TrainerRecord = {
  ...announcement,
  trainer_id: TRAINER_ID,
  status: 'busy',
  jobs: [JOB_ID],
  succeeded: 3,
  failed: 0,
  created_by: 'local',
  owner: 'local',
  team: 'default',
  all_teams: true,
  registered_at: '2026-11-20T09:00:00Z',
  last_seen_at: '2026-11-20T10:02:00Z',
};

const round = { round: 3, seats: [0, 1], leader: 0, checkpoint_round: 2 };
const delta = { ...file, filename: 'delta.bin' };
const contribution = { tokens: 51_200, loss: 2.3, delta };

export const trainerExamples: ExamplesOf<typeof trainerEndpoints> = {
  announceTrainer: { body: announcement, answers: { 200: record, 201: record } },
  listTrainers: { answers: { 200: { trainers: [record], total: 1 } } },
  getTrainer: { params: trainer, answers: { 200: record } },
  removeTrainer: { params: trainer, answers: { 204: null } },
  drainTrainer: {
    params: trainer,
    body: { draining: true },
    answers: { 200: { ...record, status: 'draining' } },
  },
  leaseJob: {
    body: { trainer_id: TRAINER_ID, wait_s: 0 },
    answers: {
      200: {
        ...proof,
        job,
        request: { model_type: 'dense_chronospike', dataset_path: 'datasets/moby-dick', config },
        attempt: 1,
        seat: 0,
        checkpoint: null,
        expires_at: '2026-11-20T10:00:16Z',
      },
      204: null,
    },
  },
  heartbeat: {
    params,
    body: { ...proof, phase: 'running', progress, points: [point], messages: [] },
    answers: {
      200: { expires_at: '2026-11-20T10:02:15Z', cancel: null, cancel_by: null, round: null },
    },
  },
  commitCheckpoint: {
    params,
    body: {
      ...proof,
      step: 400,
      epoch: 0.4,
      metrics: { train_loss: 2.31 },
      digest,
      structure_digest: digest,
      vocabulary_digest: digest,
      tokenizer_digest: digest,
      resumable: true,
      files: [file],
    },
    answers: { 200: checkpoint, 201: checkpoint },
  },
  endLease: {
    params,
    body: { ...proof, outcome: 'released', reason: 'the trainer shuts down' },
    answers: { 200: { ...job, status: 'recovering', status_reason: 'the trainer shuts down' } },
  },
  contribute: {
    params,
    body: { ...proof, ...contribution, round: 3, base_digest: digest },
    answers: { 200: round, 201: round },
  },
  listRounds: {
    params,
    query: { after: '1', wait_s: '0' },
    answers: {
      200: {
        rounds: [
          { round: 2, contributions: [{ ...contribution, seat: 0, trainer_id: TRAINER_ID }] },
        ],
        current: round,
      },
    },
  },
};
