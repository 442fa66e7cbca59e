import { callEndpoint, openHttp } from '../../edge/contract/client.ts';
import { jobEndpoints } from '../../edge/training/job-endpoints.ts';
import type { JobRecord } from '../../edge/training/contract/job.ts';
import type { CategoryRequestInput } from '../../edge/training/contract/train-request.ts';
import { expect, test } from './dashboard.ts';

/** A small model that trains for so many steps. */
export const small = (steps: number): CategoryRequestInput => ({
  category: 'LangText',
  dataset_path: 'datasets/whale.txt',
  d_model: 16,
  n_heads: 2,
  num_blocks: 1,
  time_steps: 2,
  seq_len: 16,
  batch_size: 4,
  learning_rate: 0.01,
  steps,
});

const trainingOf = (gateway: string) => ({ base: `${gateway}/training`, headers: {} });

export async function submit(gateway: string, body: CategoryRequestInput): Promise<JobRecord> {
  return (await callEndpoint(openHttp(trainingOf(gateway)), jobEndpoints.train, { body })).body;
}

export async function readJob(gateway: string, id: string): Promise<JobRecord> {
  const http = openHttp(trainingOf(gateway));
  return (await callEndpoint(http, jobEndpoints.getJob, { params: { id } })).body;
}

export async function cancel(gateway: string, id: string): Promise<void> {
  await callEndpoint(openHttp(trainingOf(gateway)), jobEndpoints.cancelJob, { params: { id } });
}

/** Waits until the platform says so of a job. */
export async function until(
  gateway: string,
  id: string,
  is: (job: JobRecord) => boolean,
): Promise<JobRecord> {
  let job = await readJob(gateway, id);
  await expect
    .poll(
      async () => {
        job = await readJob(gateway, id);
        return is(job) || JSON.stringify([job.status, job.status_reason, job.error]);
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  return job;
}

export { expect, test };
