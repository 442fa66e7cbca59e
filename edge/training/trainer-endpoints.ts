import * as z from 'zod/mini';
import { type Endpoints, post, get, del } from '../contract/endpoint.ts';
import { CheckpointRecord } from './contract/checkpoint.ts';
import { JobRecord } from './contract/job.ts';
import * as roundSchemas from './contract/round.ts';
import * as trainerSchemas from './contract/trainer.ts';
import { anyId, describe, fromBody, linksTo } from '../contract/endpoint-docs.ts';
import { exampleRecords } from './contract/example-records.ts';

/** Calls of trainers; they connect outwards and need not be reachable. */
export const trainerEndpoints = {
  announceTrainer: post('/trainers', 'train', {
    summary: 'A trainer comes, or tells what changed about it.',
    body: trainerSchemas.TrainerAnnouncement,
    responses: { 200: trainerSchemas.TrainerRecord, 201: trainerSchemas.TrainerRecord },
    problems: ['storage_full', 'quota_exceeded', 'trainer_not_found'],
  }),
  listTrainers: get('/trainers', 'train', {
    summary: 'The trainers, and what each is doing.',
    responses: { 200: trainerSchemas.TrainerList },
  }),
  getTrainer: get('/trainers/:id', 'train', {
    summary: 'One trainer.',
    responses: { 200: trainerSchemas.TrainerRecord },
    problems: ['trainer_not_found'],
  }),
  removeTrainer: del('/trainers/:id', 'train', {
    summary: 'A trainer goes; jobs it still holds go on elsewhere.',
    responses: { 204: null },
    problems: ['trainer_not_found'],
  }),
  drainTrainer: post('/trainers/:id/drain', 'admin', {
    summary: 'Gives a trainer no further jobs; what it trains, it finishes.',
    body: z.strictObject({ draining: z.boolean() }),
    responses: { 200: trainerSchemas.TrainerRecord },
    problems: ['trainer_not_found'],
  }),
  leaseJob: post('/leases', 'train', {
    summary: 'Asks for work: a lease, or 204 where there is none for so long.',
    body: trainerSchemas.LeaseRequest,
    responses: { 200: trainerSchemas.Lease, 204: null },
    problems: ['trainer_not_found'],
  }),
  heartbeat: post('/jobs/:id/heartbeat', 'train', {
    summary: 'Keeps a lease alive, with what was measured since; the answer may ask to stop.',
    body: trainerSchemas.Heartbeat,
    responses: { 200: trainerSchemas.HeartbeatAnswer },
    problems: ['job_not_found', 'stale_lease'],
  }),
  commitCheckpoint: post('/jobs/:id/checkpoints', 'train', {
    summary: 'Makes parts that were sent a checkpoint of the job, all at once.',
    body: trainerSchemas.CheckpointCommit,
    responses: { 200: CheckpointRecord, 201: CheckpointRecord },
    problems: ['job_not_found', 'stale_lease', 'part_not_found', 'digest_mismatch'],
  }),
  endLease: post('/jobs/:id/lease-end', 'train', {
    summary:
      'The trainer is done with the job: completed, failed, cancelled, or released to another.',
    body: trainerSchemas.LeaseEnd,
    responses: { 200: JobRecord },
    problems: ['job_not_found', 'stale_lease'],
  }),
  contribute: post('/jobs/:id/rounds', 'train', {
    summary: 'What a member of a job with replicas learned in a round.',
    body: roundSchemas.ContributionRequest,
    responses: { 200: roundSchemas.Round, 201: roundSchemas.Round },
    problems: ['job_not_found', 'stale_lease', 'stale_round', 'part_not_found', 'digest_mismatch'],
  }),
  listRounds: get('/jobs/:id/rounds', 'train', {
    summary: 'Rounds closed after a given one, as a long poll until there is one.',
    query: roundSchemas.RoundsQuery,
    responses: { 200: roundSchemas.RoundList },
    problems: ['job_not_found'],
  }),
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

  const announcement: trainerSchemas.TrainerAnnouncement = {
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

  const record: trainerSchemas.TrainerRecord = {
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
  const ofTrainer = { id: fromBody('trainer_id') };
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
          200: linksTo(ofTrainer, 'getTrainer', 'removeTrainer'),
          201: linksTo(ofTrainer, 'getTrainer', 'drainTrainer', 'removeTrainer'),
        },
      },
      listTrainers: { answer: { trainers: [record], total: 1 } },
      getTrainer: { params: trainer, answer: record },
      removeTrainer: { params: trainer, answer: null },
      drainTrainer: {
        params: trainer,
        body: { draining: true },
        answer: { ...record, status: 'draining' },
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
        answer: { expires_at: '2026-11-20T10:02:15Z', cancel: null, cancel_by: null, round: null },
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
        answer: { ...job, status: 'recovering', status_reason: 'the trainer shuts down' },
      },
      contribute: {
        params,
        body: { ...proof, ...contribution, round: 3, base_digest: digest },
        responses: { 200: round, 201: round },
      },
      listRounds: {
        params,
        query: { after: '1', wait_s: '0' },
        answer: {
          rounds: [
            { round: 2, contributions: [{ ...contribution, seat: 0, trainer_id: TRAINER_ID }] },
          ],
          current: round,
        },
      },
    },
  });
};
