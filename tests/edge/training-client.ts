import { callEndpoint, type Http } from '../../edge/contract/client.ts';
import type { CheckpointRecord, PartedFile } from '../../edge/training/contract/checkpoint.ts';
import { jobEndpoints } from '../../edge/training/job-endpoints.ts';
import type { JobRecord } from '../../edge/training/contract/job.ts';
import type { JobEvent, MetricPoint } from '../../edge/training/contract/job-event.ts';
import { trainerEndpoints } from '../../edge/training/trainer-endpoints.ts';
import type {
  Heartbeat,
  HeartbeatAnswer,
  Lease,
  LeaseEnd,
  LeaseProof,
  TrainerAnnouncement,
  TrainerRecord,
} from '../../edge/training/contract/trainer.ts';
import type { TrainRequestInput } from '../../edge/training/contract/train-request.ts';

export const smallJob: TrainRequestInput = {
  model_type: 'dense_chronospike',
  dataset_path: 'corpora/a.txt',
  config: { steps: 100, d_model: 32, n_heads: 2 },
};

export const aTrainer: TrainerAnnouncement = {
  name: 'worker-1',
  kind: 'node',
  version: '1.0.0',
  device: { kind: 'cpu', label: 'WASM', gpu_index: null, total_bytes: null, free_bytes: null },
  categories: ['LangText'],
  model_types: ['dense_chronospike'],
  datasets: ['corpora/a.txt'],
  region_id: null,
  slots: 1,
  load: 0,
};

export const aDigest = `sha256:${'0a'.repeat(32)}`;

export const pointAt = (step: number): MetricPoint => ({
  step,
  seat: 0,
  time: 1_763_632_800 + step,
  train_loss: 5 - step / 1000,
  valid_loss: null,
  tokens_per_s: 1000,
  spike_rate: 0.1,
  learning_rate: 1e-4,
  grad_norm: 1,
});

export const progressAt = (step: number): Heartbeat['progress'] => ({
  epoch: step / 100,
  step,
  total_steps: 100,
  percent: step,
  eta_s: null,
});

export type Beat = Partial<Omit<Heartbeat, keyof LeaseProof>>;

const proofOf = ({ lease_id, fencing_token }: LeaseProof): LeaseProof => ({
  lease_id,
  fencing_token,
});

/** Speaks to the training service as users and trainers do. */
export function trainingClient(base: URL, headers: Readonly<Record<string, string>> = {}) {
  const http: Http = { base: base.origin + base.pathname.replace(/\/$/, ''), fetch, headers };
  const params = (id: string) => ({ params: { id } });
  return {
    http,
    async submit(request: Partial<TrainRequestInput> = {}): Promise<JobRecord> {
      const body = { ...smallJob, ...request };
      return (await callEndpoint(http, jobEndpoints.train, { body })).body;
    },
    async job(id: string): Promise<JobRecord> {
      return (await callEndpoint(http, jobEndpoints.getJob, params(id))).body;
    },
    async cancel(id: string) {
      return callEndpoint(http, jobEndpoints.cancelJob, params(id));
    },
    async events(id: string): Promise<readonly JobEvent[]> {
      const asked = { ...params(id), query: { limit: '1000' } };
      return (await callEndpoint(http, jobEndpoints.listEvents, asked)).body.events;
    },
    async series(id: string) {
      return (await callEndpoint(http, jobEndpoints.getSeries, params(id))).body.points;
    },
    async announce(said: Partial<TrainerAnnouncement> = {}): Promise<TrainerRecord> {
      const body = { ...aTrainer, ...said };
      return (await callEndpoint(http, trainerEndpoints.announceTrainer, { body })).body;
    },
    async trainer(id: string): Promise<TrainerRecord> {
      return (await callEndpoint(http, trainerEndpoints.getTrainer, params(id))).body;
    },
    async lease(trainer_id: string, wait_s = 0, signal?: AbortSignal): Promise<Lease | undefined> {
      const asked = { body: { trainer_id, wait_s }, ...(signal && { signal }) };
      return (await callEndpoint(http, trainerEndpoints.leaseJob, asked)).body;
    },
    async beat(lease: Lease, beat: Beat = {}): Promise<HeartbeatAnswer> {
      const usual = {
        phase: 'running' as const,
        progress: progressAt(0),
        points: [],
        messages: [],
      };
      const body: Heartbeat = { ...usual, ...beat, ...proofOf(lease) };
      const asked = { ...params(lease.job.job_id), body };
      return (await callEndpoint(http, trainerEndpoints.heartbeat, asked)).body;
    },
    async commit(
      lease: Lease,
      step: number,
      { files = [], metrics = {} }: CommitExtras = {},
    ): Promise<{ readonly status: number; readonly body: CheckpointRecord }> {
      const body = {
        ...proofOf(lease),
        ...{ step, epoch: step / 100, metrics, digest: aDigest, structure_digest: aDigest },
        ...{ vocabulary_digest: aDigest, tokenizer_digest: aDigest, resumable: true, files },
      };
      const asked = { ...params(lease.job.job_id), body };
      return callEndpoint(http, trainerEndpoints.commitCheckpoint, asked);
    },
    async end(lease: Lease, end: EndInput): Promise<JobRecord> {
      const body = { ...proofOf(lease), ...end } as LeaseEnd;
      const asked = { ...params(lease.job.job_id), body };
      return (await callEndpoint(http, trainerEndpoints.endLease, asked)).body;
    },
  };
}
export type TrainingClient = ReturnType<typeof trainingClient>;

export interface CommitExtras {
  readonly files?: PartedFile[];
  readonly metrics?: Record<string, number>;
}

type Without<T> = T extends unknown ? Omit<T, keyof LeaseProof> : never;
export type EndInput = Without<LeaseEnd>;

export const completed: EndInput = {
  outcome: 'completed',
  progress: progressAt(100),
  model: { model_id: 'whale', version: '1.0.0', digest: aDigest },
  verdict: {
    floor: { name: 'bigram', figure: 'loss', value: 2.5 },
    reached: 2.1,
    is_beaten: true,
  },
};
