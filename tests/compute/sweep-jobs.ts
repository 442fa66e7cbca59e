import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callEndpoint, openHttp } from '../../edge/contract/client.ts';
import type { JobRecord } from '../../edge/training/contract/job.ts';
import { type SweepLabel, sweepLabelOf } from '../../edge/training/contract/sweep.ts';
import type { SweepFileInput } from '../../edge/training/contract/sweep-file.ts';
import { jobEndpoints } from '../../edge/training/job-endpoints.ts';

/** A sweep whose jobs take a second or two, mostly of starting. */
export const smallSweep = {
  name: 'small',
  model_type: 'dense_chronospike',
  dataset: 'moby-dick.txt',
  method: 'random',
  runs: 4,
  parallel: 2,
  seed: 1,
  budget: { steps: 12 },
  fixed: {
    d_model: 16,
    n_heads: 2,
    num_blocks: 1,
    time_steps: 2,
    seq_len: 16,
    batch_size: 4,
    validate_every: 12,
    checkpoint_every: 12,
  },
  search: { learning_rate: { from: 0.001, to: 0.1, scale: 'log' }, seed: [1, 2] },
} satisfies SweepFileInput;

/** Writes a sweep's file into a folder. Returns its path. */
export function writeSweep(folder: string, sweep: Partial<SweepFileInput>): string {
  const file = { ...smallSweep, ...sweep };
  const path = join(folder, `${file.name}.json`);
  writeFileSync(path, JSON.stringify(file));
  return path;
}

/** The jobs of a sweep with their labels, the first submitted first. */
export async function jobsOfSweep(
  gateway: string,
  name: string,
): Promise<readonly (SweepLabel & { readonly job: JobRecord })[]> {
  const training = openHttp({ base: `${gateway}/training` });
  const query = { limit: '100', order: 'asc' };
  const { body } = await callEndpoint(training, jobEndpoints.listJobs, { query });
  if (body.has_more) throw new Error(`${body.total} jobs: expected no more than one page has`);
  return body.jobs.flatMap((job) => {
    const label = sweepLabelOf(job);
    return label?.id.startsWith(`${name}-`) ? [{ ...label, job }] : [];
  });
}

/** Names of the jobs of a sweep, each of which may be there once. */
export const partsOf = (jobs: readonly Pick<SweepLabel, 'run' | 'rung'>[]): readonly string[] =>
  jobs.map(({ run, rung }) => `run ${run + 1} rung ${rung + 1}`);
