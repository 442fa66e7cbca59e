import { clientOf, type Http, openHttp } from '../edge/contract/client.ts';
import type { Digest } from '../edge/contract/digest.ts';
import { invalidResponse } from '../edge/contract/problem-error.ts';
import { jobEndpoints } from '../edge/training/job-endpoints.ts';
import type { ContributionRequest } from '../edge/training/contract/round.ts';
import { datasetEndpoints } from '../edge/datasets/endpoints.ts';
import { trainerEndpoints } from '../edge/training/trainer-endpoints.ts';
import type {
  CheckpointCommit,
  Heartbeat,
  LeaseEnd,
  TrainerAnnouncement,
} from '../edge/training/contract/trainer.ts';
import type { ServiceAddress } from './job-messages.ts';

export type TrainingClient = ReturnType<typeof createTrainingClient>;

/** Time limit of a response, beside those of long polls. */
const TIME_LIMIT_MS = 15_000;
const MAX_BYTES_TIME_LIMIT_MS = 120_000;

type Aborting = AbortSignal | undefined;

function within(ms: number, signal: Aborting): AbortSignal {
  const limit = AbortSignal.timeout(ms);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

/** Options of a call that is no long poll. */
const soon = (signal?: AbortSignal) => ({ signal: within(TIME_LIMIT_MS, signal) });

/** Options of a call that carries the bytes of a part. */
const patient = (signal?: AbortSignal) => ({ signal: within(MAX_BYTES_TIME_LIMIT_MS, signal) });

/** The calls of a trainer to the training service, each with a time limit. They throw as `callEndpoint`. */
export function createTrainingClient(address: ServiceAddress) {
  const http = openHttp(address);
  const trainers = clientOf(trainerEndpoints, http);
  const jobs = clientOf(jobEndpoints, http);
  return {
    announce: (body: TrainerAnnouncement, signal?: AbortSignal) =>
      trainers.announceTrainer({ body, ...soon(signal) }),
    remove: (id: string) => trainers.removeTrainer({ params: { id }, ...soon() }),
    /** A lease, or undefined where there was no work for so long. */
    lease: (trainerId: string, waitS: number, signal?: AbortSignal) =>
      trainers.leaseJob({
        body: { trainer_id: trainerId, wait_s: waitS },
        signal: within(waitS * 1000 + TIME_LIMIT_MS, signal),
      }),
    heartbeat: (id: string, body: Heartbeat) =>
      trainers.heartbeat({ params: { id }, body, ...soon() }),
    commitCheckpoint: (id: string, body: CheckpointCommit) =>
      trainers.commitCheckpoint({ params: { id }, body, ...soon() }),
    endLease: (id: string, body: LeaseEnd) =>
      trainers.endLease({ params: { id }, body, ...soon() }),
    contribute: (id: string, body: ContributionRequest) =>
      trainers.contribute({ params: { id }, body, ...soon() }),
    rounds: (id: string, after: number, waitS: number, signal?: AbortSignal) =>
      trainers.listRounds({
        params: { id },
        query: { after, wait_s: waitS },
        signal: within(waitS * 1000 + TIME_LIMIT_MS, signal),
      }),
    checkpoints: async (id: string) =>
      (await jobs.listCheckpoints({ params: { id }, ...soon() })).checkpoints,
    ...datasetsOf(http),
  };
}

function datasetsOf(http: Http) {
  const datasets = clientOf(datasetEndpoints, http);
  return {
    missingParts: async (digests: Digest[], signal?: AbortSignal) =>
      (await datasets.missingParts({ body: { digests }, ...soon(signal) })).missing,
    async putPart(digest: Digest, body: Uint8Array<ArrayBuffer> | Blob, signal?: AbortSignal) {
      await datasets.putPart({ params: { digest }, body, ...patient(signal) });
    },
    async getPart(digest: Digest): Promise<Uint8Array<ArrayBuffer>> {
      const response = await datasets.getPart({ params: { digest }, ...patient() });
      return new Uint8Array(await response.arrayBuffer());
    },
    dataset: (name: string) => datasets.getDataset({ params: { name }, ...soon() }),
    /** The bytes of a dataset from one of them to the end. */
    async datasetBytes(name: string, from: number): Promise<Response> {
      const headers = from > 0 ? { range: `bytes=${from}-` } : {};
      const response = await datasets.downloadDataset({ params: { name }, headers });
      if (from === 0 || response.status === 206) return response;
      throw invalidResponse(response, `expected the bytes from ${from} on, got all`);
    },
  };
}
