import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { callEndpoint, openHttp } from '../../edge/contract/client.ts';
import { createRegistryClient } from '../../edge/registry/contract/client.ts';
import { jobEndpoints } from '../../edge/training/job-endpoints.ts';
import type { JobRecord } from '../../edge/training/contract/job.ts';
import type { TrainRequestInput } from '../../edge/training/contract/train-request.ts';
import { trainerEndpoints } from '../../edge/training/trainer-endpoints.ts';
import { type OwnPlane, startOwnPlane } from './own-plane.ts';
import { writeNovel } from './spikegrid-process.ts';
import { startTrainer, type TrainerProcess } from './trainer-process.ts';

const started: TrainerProcess[] = [];

/** Ends what a test left running, frozen ones too. */
function killTrainers(): void {
  for (const trainer of started.splice(0)) trainer.signalAll('SIGKILL');
}

/** Has trainers go in good order, so that none is given a job of the next test. */
export async function stopTrainers(trainers: readonly TrainerProcess[] = started): Promise<void> {
  for (const trainer of trainers) trainer.signalAll('SIGCONT');
  for (const trainer of trainers) trainer.process.kill('SIGTERM');
  await Promise.all(trainers.map((trainer) => trainer.ended()));
}

export interface TrainingPlatform extends OwnPlane {
  /** The data root of its trainers; `moby-dick.txt` lies in it. */
  readonly data: string;
  trainer(name: string, gateway?: string): TrainerProcess;
  submit(request: Partial<TrainRequestInput>): Promise<JobRecord>;
  /** Trainers that take no job but those submitted here, and such jobs; the trainers end with it. */
  region(id: string): Region;
  job(id: string): Promise<JobRecord>;
  /** Waits until a job is as asked; what it was last is in the error otherwise. */
  until(id: string, is: (job: JobRecord) => boolean, withinMs?: number): Promise<JobRecord>;
  cancel(id: string): Promise<JobRecord>;
  trainers(): Promise<readonly string[]>;
  /** Digests of the files that the registry holds of a job's result. */
  resultOf(job: JobRecord): Promise<Record<string, string>>;
}

/** The isolated part of a shared platform that one test uses. */
export interface Region extends AsyncDisposable {
  trainer(name: string, gateway?: string): TrainerProcess;
  submit(request: Partial<TrainRequestInput>): Promise<JobRecord>;
}

export const isOver = ({ status }: JobRecord) =>
  status === 'succeeded' || status === 'failed' || status === 'cancelled';

/** Some seconds of training that say as little as they can of the machine: equal digits everywhere. */
export const request: TrainRequestInput = {
  model_type: 'dense_chronospike',
  dataset_path: 'moby-dick.txt',
  learning_rate: 0.01,
  config: {
    steps: 200,
    d_model: 32,
    n_heads: 2,
    num_blocks: 1,
    time_steps: 2,
    seq_len: 32,
    batch_size: 8,
    checkpoint_every: 50,
    validate_every: 200,
  },
};

export async function startTrainingPlatform(): Promise<TrainingPlatform> {
  const plane = await startOwnPlane();
  const { folder, gateway } = plane;
  const data = join(folder, 'data');
  mkdirSync(data);
  writeNovel(data, 3);
  const training = openHttp({ base: `${gateway}/training` });
  const registry = createRegistryClient({ base: `${gateway}/registry` });
  const job = async (id: string) =>
    (await callEndpoint(training, jobEndpoints.getJob, { params: { id } })).body;
  const start = (name: string, at = gateway, region?: string) => {
    const trainer = startTrainer({ name, gateway: at, data, output: join(folder, name), region });
    started.push(trainer);
    return trainer;
  };
  const submit = async (changes: Partial<TrainRequestInput>) => {
    const body = { ...request, ...changes, config: { ...request.config, ...changes.config } };
    return (await callEndpoint(training, jobEndpoints.train, { body })).body;
  };
  return {
    ...plane,
    async end() {
      killTrainers();
      await plane.end();
    },
    data,
    job,
    trainer: (name, at) => start(name, at),
    submit,
    region(region_id) {
      const own: TrainerProcess[] = [];
      return {
        trainer(name, at) {
          const trainer = start(name, at, region_id);
          own.push(trainer);
          return trainer;
        },
        submit: (changes) =>
          submit({ ...changes, requirements: { region_id, ...changes.requirements } }),
        [Symbol.asyncDispose]: () => stopTrainers(own),
      };
    },
    async until(id, is, withinMs = 90_000) {
      const deadline = Date.now() + withinMs;
      for (;;) {
        const found = await job(id);
        if (is(found)) return found;
        if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(found, undefined, 1)}`);
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
    },
    cancel: async (id) =>
      (await callEndpoint(training, jobEndpoints.cancelJob, { params: { id } })).body,
    async trainers() {
      const { body } = await callEndpoint(training, trainerEndpoints.listTrainers, {});
      return body.trainers.map(({ name, status }) => `${name} ${status}`).toSorted();
    },
    async resultOf({ model }) {
      if (!model) throw new Error('the job has no result');
      const { files } = await registry.getModel({
        params: { id: model.model_id },
        query: { version: model.version },
      });
      return Object.fromEntries(files.map(({ filename, digest }) => [filename, digest]));
    },
  };
}
