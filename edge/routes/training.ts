import { entrance } from '../auth/entrance.ts';
import { jobEndpoints } from '../contract/training/job-endpoints.ts';
import { trainerEndpoints } from '../contract/training/trainer-endpoints.ts';
import type { Env } from '../env.ts';
import { routesOf } from '../http/route.ts';
import { createService } from '../http/service.ts';
import { trainingOf } from '../training/training-stub.ts';
import { downloadCheckpointFile } from './checkpoint-files.ts';
import { datasetRoutes, datasetUploadRoutes } from './datasets.ts';
import { type Check, healthRoutes, ownMetricsRoutes } from './health.ts';
import { getSeries, listEvents } from './job-events.ts';
import { cancelJob, getJob, listCheckpoints, listJobs, train } from './jobs.ts';
import { commitCheckpoint, endLease, heartbeat, leaseJob } from './leases.ts';
import { openApiRoutes } from './openapi.ts';
import { contribute, listRounds } from './rounds.ts';
import {
  announceTrainer,
  drainTrainer,
  getTrainer,
  listTrainers,
  removeTrainer,
} from './trainers.ts';
import { speakTus } from './uploads.ts';

const checks: Record<string, Check<Env>> = {
  jobs: async ({ env }) => {
    const { waiting, trainers, asking } = await trainingOf(env).size();
    const detail = `${waiting} seats wait for a trainer; ${trainers} trainers are here, ${asking} ask for work.`;
    return { status: 'ok', detail };
  },
};

const jobRoutes = routesOf<Env, typeof jobEndpoints>(jobEndpoints, {
  train,
  listJobs,
  getJob,
  cancelJob,
  listEvents,
  getSeries,
  listCheckpoints,
  downloadCheckpointFile,
});

const trainerRoutes = routesOf<Env, typeof trainerEndpoints>(trainerEndpoints, {
  announceTrainer,
  listTrainers,
  getTrainer,
  removeTrainer,
  drainTrainer,
  leaseJob,
  heartbeat,
  commitCheckpoint,
  endLease,
  contribute,
  listRounds,
});

/** Training: jobs, the trainers that lease them, and what they train on. */
export const serveTraining = speakTus(
  createService<Env>({
    ...entrance,
    name: 'training',
    routes: [
      ...healthRoutes('training', checks),
      ...ownMetricsRoutes('training'),
      ...jobRoutes,
      ...trainerRoutes,
      ...datasetRoutes,
      ...datasetUploadRoutes,
      ...openApiRoutes('training'),
    ],
  }),
);
