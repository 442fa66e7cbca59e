import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { clientOf, openStream, urlOf } from '../../edge/contract/client.ts';
import type { CapacityAnswer } from '../../edge/training/contract/capacity.ts';
import { jobEndpoints, lmTrainingEndpoints } from '../../edge/training/job-endpoints.ts';
import type { MetricPoint } from '../../edge/training/contract/job-event.ts';
import {
  type JobList,
  type JobRecord,
  type JobStatus,
  TERMINAL,
} from '../../edge/training/contract/job.ts';
import type {
  CategoryRequestInput,
  TrainRequestInput,
} from '../../edge/training/contract/train-request.ts';
import { datasetEndpoints } from '../../edge/datasets/endpoints.ts';
import { trainerEndpoints } from '../../edge/training/trainer-endpoints.ts';
import type { TrainerRecord } from '../../edge/training/contract/trainer.ts';
import { serviceHttp } from './service-http.ts';

const training = serviceHttp('/training');
const jobApi = clientOf(jobEndpoints, training);
const trainerApi = clientOf(trainerEndpoints, training);
const datasetApi = clientOf(datasetEndpoints, training);
const lmTrainingApi = clientOf(lmTrainingEndpoints, serviceHttp('/lm-training'));

/** How often what is under way is asked for, while the page is seen. */
const LIVE_EVERY_MS = 2_000;
const JOB_PAGE = 20;

/** The first part of the key of all that jobs answer. */
export const JOBS_KEY = ['jobs'] as const;
export const TRAINERS_KEY = ['trainers'] as const;
const DATASETS_KEY = ['datasets'] as const;

export interface JobSearch {
  readonly status?: readonly JobStatus[];
  readonly kind?: JobRecord['kind'];
  readonly model_name?: string;
  readonly trainer_id?: string;
}

export const jobsQuery = (search: JobSearch) =>
  infiniteQueryOptions({
    queryKey: [...JOBS_KEY, 'list', search],
    queryFn: ({ signal, pageParam: cursor }) =>
      jobApi.listJobs({
        query: { ...search, limit: JOB_PAGE, ...(cursor !== null && { cursor }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: LIVE_EVERY_MS,
  });

/** Jobs of a page, and pages, of the newest jobs that sweeps are looked for in. */
const SWEEP_PAGE = 100;
const SWEEP_PAGES = 5;
const SWEEPS_EVERY_MS = 5_000;

/** The newest jobs, whatever their kind. */
export const newestJobsQuery = queryOptions({
  queryKey: [...JOBS_KEY, 'newest'],
  queryFn: async ({ signal }): Promise<readonly JobRecord[]> => {
    const jobs: JobRecord[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < SWEEP_PAGES && (page === 0 || cursor !== null); page++) {
      const query = { limit: SWEEP_PAGE, ...(cursor !== null && { cursor }) };
      const list: JobList = await jobApi.listJobs({ query, signal });
      jobs.push(...list.jobs);
      cursor = list.next_cursor;
    }
    return jobs;
  },
  refetchInterval: SWEEPS_EVERY_MS,
});

/** A job that has ended does not change any more. */
export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: [...JOBS_KEY, 'one', id],
    queryFn: ({ signal }) => jobApi.getJob({ params: { id }, signal }),
    refetchInterval: ({ state }) =>
      state.data && TERMINAL.has(state.data.status) ? false : LIVE_EVERY_MS,
  });

/** Metrics of the first seat of a job until now. */
export const curvesQuery = (id: string) =>
  queryOptions({
    queryKey: [...JOBS_KEY, 'curves', id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => readSeries(id, 0, signal),
  });

export async function readSeries(
  id: string,
  seat: number,
  signal: AbortSignal,
): Promise<readonly MetricPoint[]> {
  return (await jobApi.getSeries({ params: { id }, query: { seat }, signal })).points;
}

/** The events of a job after one, as a stream that goes on until the job has ended. */
export async function openJobStream(
  id: string,
  after: string,
  signal: AbortSignal,
): Promise<Response> {
  const headers = after === '' ? {} : { 'last-event-id': after };
  return openStream(training, jobEndpoints.listEvents, { params: { id }, headers, signal });
}

export const checkpointsQuery = (id: string, isLive: boolean) =>
  queryOptions({
    queryKey: [...JOBS_KEY, 'checkpoints', id],
    refetchInterval: isLive ? LIVE_EVERY_MS : false,
    queryFn: async ({ signal }) =>
      (await jobApi.listCheckpoints({ params: { id }, signal })).checkpoints,
  });

interface CheckpointFile {
  readonly id: string;
  readonly checkpoint: string;
  readonly filename: string;
}

/** The address a link to a file of a checkpoint leads to. */
export const checkpointUrl = ({ id, checkpoint, filename }: CheckpointFile): string =>
  urlOf(training, jobEndpoints.downloadCheckpointFile, { params: { id, checkpoint, filename } });

/** @throws ProblemError such as insufficient_vram or dataset_not_found */
export const submitJob = (body: CategoryRequestInput | TrainRequestInput): Promise<JobRecord> =>
  jobApi.train({ body });

/** @throws ProblemError job_terminal where it has ended meanwhile */
export const cancelJob = (id: string): Promise<JobRecord> => jobApi.cancelJob({ params: { id } });

/** Memory that a request needs, and trainers that could run it. */
export const capacityQuery = (body: CategoryRequestInput | TrainRequestInput) =>
  queryOptions({
    queryKey: [...TRAINERS_KEY, 'capacity', body],
    retry: false,
    // Trainers come and go.
    refetchInterval: LIVE_EVERY_MS,
    queryFn: async ({ signal }): Promise<CapacityAnswer> =>
      await lmTrainingApi.trainingCapacity({ body, signal }),
  });

export const trainersQuery = queryOptions({
  queryKey: [...TRAINERS_KEY, 'list'],
  refetchInterval: LIVE_EVERY_MS,
  queryFn: async ({ signal }) => (await trainerApi.listTrainers({ signal })).trainers,
});

export const drainTrainer = (id: string, draining: boolean): Promise<TrainerRecord> =>
  trainerApi.drainTrainer({ params: { id }, body: { draining } });

export const datasetsQuery = queryOptions({
  queryKey: [...DATASETS_KEY, 'list'],
  queryFn: async ({ signal }) => (await datasetApi.listDatasets({ signal })).datasets,
});
