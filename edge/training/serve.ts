import { middleware } from '../access/middleware.ts';
import { jobEndpoints } from './job-endpoints.ts';
import { trainerEndpoints } from './trainer-endpoints.ts';
import type { Env } from '../env.ts';
import { routesOf } from '../http/route.ts';
import { createService } from '../http/service.ts';
import { trainingOf } from './training-stub.ts';
import {
  cancelJob,
  downloadCheckpointFile,
  getJob,
  getSeries,
  listCheckpoints,
  listEvents,
  listJobs,
  train,
} from './job-routes.ts';
import { datasetRoutes, datasetUploadRoutes } from '../datasets/routes.ts';
import { type Check, healthRoutes, ownMetricsRoutes } from '../health/routes.ts';
import {
  announceTrainer,
  commitCheckpoint,
  contribute,
  drainTrainer,
  endLease,
  getTrainer,
  heartbeat,
  leaseJob,
  listRounds,
  listTrainers,
  removeTrainer,
} from './trainer-routes.ts';
import { openApiRoutes } from '../gateway/description-routes.ts';
import { speakTus } from '../uploads/routes.ts';

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
export const serve = speakTus(
  createService<Env>({
    ...middleware,
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
