import * as z from 'zod/mini';
import type { Endpoints } from '../contract/endpoint.ts';
import { CheckpointRecord } from './contract/checkpoint.ts';
import { JobRecord } from './contract/job.ts';
import * as roundSchemas from './contract/round.ts';
import { ContributionRequest, Round, RoundList, RoundsQuery } from './contract/round.ts';
import * as trainerSchemas from './contract/trainer.ts';
import {
  CheckpointCommit,
  Heartbeat,
  HeartbeatAnswer,
  Lease,
  LeaseEnd,
  LeaseRequest,
  TrainerAnnouncement,
  TrainerList,
  TrainerRecord,
} from './contract/trainer.ts';
import { anyId, describe, fromBody } from '../contract/endpoint-docs.ts';
import { exampleRecords } from './contract/example-records.ts';

/** Calls of trainers; they connect outwards and need not be reachable. */
export const trainerEndpoints = {
  announceTrainer: {
    method: 'POST',
    path: '/trainers',
    summary: 'A trainer comes, or tells what changed about it.',
    access: 'train',
    body: TrainerAnnouncement,
    responses: { 200: TrainerRecord, 201: TrainerRecord },
    problems: ['storage_full', 'quota_exceeded', 'trainer_not_found'],
  },
  listTrainers: {
    method: 'GET',
    path: '/trainers',
    summary: 'The trainers, and what each is doing.',
    access: 'train',
    responses: { 200: TrainerList },
  },
  getTrainer: {
    method: 'GET',
    path: '/trainers/:id',
    summary: 'One trainer.',
    access: 'train',
    responses: { 200: TrainerRecord },
    problems: ['trainer_not_found'],
  },
  removeTrainer: {
    method: 'DELETE',
    path: '/trainers/:id',
    summary: 'A trainer goes; jobs it still holds go on elsewhere.',
    access: 'train',
    responses: { 204: null },
    problems: ['trainer_not_found'],
  },
  drainTrainer: {
    method: 'POST',
    path: '/trainers/:id/drain',
    summary: 'Gives a trainer no further jobs; what it trains, it finishes.',
    access: 'admin',
    body: z.strictObject({ draining: z.boolean() }),
    responses: { 200: TrainerRecord },
    problems: ['trainer_not_found'],
  },
  leaseJob: {
    method: 'POST',
    path: '/leases',
    summary: 'Asks for work: a lease, or 204 where there is none for so long.',
    access: 'train',
    body: LeaseRequest,
    responses: { 200: Lease, 204: null },
    problems: ['trainer_not_found'],
  },
  heartbeat: {
    method: 'POST',
    path: '/jobs/:id/heartbeat',
    summary: 'Keeps a lease alive, with what was measured since; the answer may ask to stop.',
    access: 'train',
    body: Heartbeat,
    responses: { 200: HeartbeatAnswer },
    problems: ['job_not_found', 'stale_lease'],
  },
  commitCheckpoint: {
    method: 'POST',
    path: '/jobs/:id/checkpoints',
    summary: 'Makes parts that were sent a checkpoint of the job, all at once.',
    access: 'train',
    body: CheckpointCommit,
    responses: { 200: CheckpointRecord, 201: CheckpointRecord },
    problems: ['job_not_found', 'stale_lease', 'part_not_found', 'digest_mismatch'],
  },
  endLease: {
    method: 'POST',
    path: '/jobs/:id/lease-end',
    summary:
      'The trainer is done with the job: completed, failed, cancelled, or released to another.',
    access: 'train',
    body: LeaseEnd,
    responses: { 200: JobRecord },
    problems: ['job_not_found', 'stale_lease'],
  },
  contribute: {
    method: 'POST',
    path: '/jobs/:id/rounds',
    summary: 'What a member of a job with replicas learned in a round.',
    access: 'train',
    body: ContributionRequest,
    responses: { 200: Round, 201: Round },
    problems: ['job_not_found', 'stale_lease', 'stale_round', 'part_not_found', 'digest_mismatch'],
  },
  listRounds: {
    method: 'GET',
    path: '/jobs/:id/rounds',
    summary: 'Rounds closed after a given one, as a long poll until there is one.',
    access: 'train',
    query: RoundsQuery,
    responses: { 200: RoundList },
    problems: ['job_not_found'],
  },
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const trainerDocs = () => {
  const {
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
  } = exampleRecords();
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

  return describe(trainerEndpoints, {
    schemas: [roundSchemas, trainerSchemas],
    params: {
      'jobs/:id': { description: 'The job.', schema: anyId() },
      'trainers/:id': { description: 'The trainer.', schema: anyId() },
    },
    operations: {
      announceTrainer: {
        body: announcement,
        responses: { 200: record, 201: record },
        links: {
          200: {
            getTrainer: { id: fromBody('trainer_id') },
            removeTrainer: { id: fromBody('trainer_id') },
          },
          201: {
            getTrainer: { id: fromBody('trainer_id') },
            drainTrainer: { id: fromBody('trainer_id') },
            removeTrainer: { id: fromBody('trainer_id') },
          },
        },
      },
      listTrainers: { responses: { 200: { trainers: [record], total: 1 } } },
      getTrainer: { params: trainer, responses: { 200: record } },
      removeTrainer: { params: trainer, responses: { 204: null } },
      drainTrainer: {
        params: trainer,
        body: { draining: true },
        responses: { 200: { ...record, status: 'draining' } },
      },
      leaseJob: {
        body: { trainer_id: TRAINER_ID, wait_s: 0 },
        responses: {
          200: {
            ...proof,
            job,
            request: {
              model_type: 'dense_chronospike',
              dataset_path: 'datasets/moby-dick',
              config,
            },
            attempt: 1,
            seat: 0,
            checkpoint: null,
            expires_at: '2026-11-20T10:00:16Z',
          },
          204: null,
        },
        links: { 200: { getJob: { id: fromBody('job/job_id') } } },
      },
      heartbeat: {
        params,
        body: { ...proof, phase: 'running', progress, points: [point], messages: [] },
        responses: {
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
        responses: { 200: checkpoint, 201: checkpoint },
      },
      endLease: {
        params,
        body: { ...proof, outcome: 'released', reason: 'the trainer shuts down' },
        responses: {
          200: { ...job, status: 'recovering', status_reason: 'the trainer shuts down' },
        },
      },
      contribute: {
        params,
        body: { ...proof, ...contribution, round: 3, base_digest: digest },
        responses: { 200: round, 201: round },
      },
      listRounds: {
        params,
        query: { after: '1', wait_s: '0' },
        responses: {
          200: {
            rounds: [
              { round: 2, contributions: [{ ...contribution, seat: 0, trainer_id: TRAINER_ID }] },
            ],
            current: round,
          },
        },
      },
    },
  });
};
