import type { Endpoint } from '../edge/contract/endpoint.ts';
import { callEndpoint } from '../edge/contract/endpoint-client.ts';
import { checked, type Http, openHttp } from '../edge/contract/http-client.ts';
import type { Digest } from '../edge/contract/digest.ts';
import { strangeAnswer } from '../edge/contract/problem-error.ts';
import { jobEndpoints } from '../edge/training/job-endpoints.ts';
import type { ContributionRequest } from '../edge/training/contract/round.ts';
import { datasetEndpoints, trainerEndpoints } from '../edge/training/trainer-endpoints.ts';
import type {
  CheckpointCommit,
  Heartbeat,
  LeaseEnd,
  TrainerAnnouncement,
} from '../edge/training/contract/trainer.ts';
import type { ServiceAddress } from './job-messages.ts';

export type TrainingClient = ReturnType<typeof createTrainingClient>;

/** Time limit of calls other than long polls. */
const TIME_LIMIT_MS = 15_000;
const TRANSFER_TIME_LIMIT_MS = 120_000;

type Aborting = AbortSignal | undefined;

function within(ms: number, signal: Aborting): AbortSignal {
  const limit = AbortSignal.timeout(ms);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

/** Options of a call other than a long poll. */
const soon = (signal?: AbortSignal) => ({ signal: within(TIME_LIMIT_MS, signal) });

/** Options of a call that the service may hold open for `waitS` seconds. */
const longPoll = (waitS: number, signal: Aborting) => ({
  signal: within(waitS * 1000 + TIME_LIMIT_MS, signal),
});

type Options<P extends Endpoint> = Parameters<typeof callEndpoint<P>>[2];

/** A trainer's client of the training service. Each method throws as `callEndpoint`. */
export function createTrainingClient(address: ServiceAddress) {
  const http = openHttp(address);
  const call = async <P extends Endpoint>(endpoint: P, options: Options<P>) =>
    (await callEndpoint(http, endpoint, options)).body;
  return {
    announce: (body: TrainerAnnouncement, signal?: AbortSignal) =>
      call(trainerEndpoints.announceTrainer, { body, ...soon(signal) }),
    remove: (id: string) => call(trainerEndpoints.removeTrainer, { params: { id }, ...soon() }),
    /** A lease, or undefined if no job arrived during the long poll. */
    lease: (trainerId: string, waitS: number, signal?: AbortSignal) =>
      call(trainerEndpoints.leaseJob, {
        body: { trainer_id: trainerId, wait_s: waitS },
        ...longPoll(waitS, signal),
      }),
    heartbeat: (id: string, body: Heartbeat) =>
      call(trainerEndpoints.heartbeat, { params: { id }, body, ...soon() }),
    commitCheckpoint: (id: string, body: CheckpointCommit) =>
      call(trainerEndpoints.commitCheckpoint, { params: { id }, body, ...soon() }),
    endLease: (id: string, body: LeaseEnd) =>
      call(trainerEndpoints.endLease, { params: { id }, body, ...soon() }),
    contribute: (id: string, body: ContributionRequest) =>
      call(trainerEndpoints.contribute, { params: { id }, body, ...soon() }),
    rounds: (id: string, after: number, waitS: number, signal?: AbortSignal) =>
      call(trainerEndpoints.listRounds, {
        params: { id },
        query: { after, wait_s: waitS },
        ...longPoll(waitS, signal),
      }),
    async checkpoints(id: string) {
      const options = { params: { id }, ...soon() };
      return (await call(jobEndpoints.listCheckpoints, options)).checkpoints;
    },
    async missingParts(digests: Digest[], signal?: AbortSignal) {
      const options = { body: { digests }, ...soon(signal) };
      return (await call(datasetEndpoints.missingParts, options)).missing;
    },
    dataset: (name: string) => call(datasetEndpoints.getDataset, { params: { name }, ...soon() }),
    ...bytesOf(http),
  };
}

function bytesOf(http: Http) {
  return {
    async putPart(digest: Digest, body: Uint8Array<ArrayBuffer> | Blob, signal?: AbortSignal) {
      await checked(
        await http.fetch(`${http.base}/parts/${encodeURIComponent(digest)}`, {
          method: 'PUT',
          headers: { ...http.headers, 'content-type': 'application/octet-stream' },
          body,
          signal: within(TRANSFER_TIME_LIMIT_MS, signal),
        }),
      );
    },
    async getPart(digest: Digest): Promise<Uint8Array<ArrayBuffer>> {
      const answer = await http.fetch(`${http.base}/parts/${encodeURIComponent(digest)}`, {
        headers: http.headers,
        signal: within(TRANSFER_TIME_LIMIT_MS, undefined),
      });
      return new Uint8Array(await (await checked(answer)).arrayBuffer());
    },
    /** The bytes of a dataset from an offset to its end. */
    async datasetBytes(name: string, from: number): Promise<Response> {
      const answer = await http.fetch(`${http.base}/datasets/${encodeURIComponent(name)}/content`, {
        headers: { ...http.headers, ...(from > 0 && { range: `bytes=${from}-` }) },
      });
      if (from > 0 && answer.ok && answer.status !== 206) {
        throw strangeAnswer(answer, `expected the bytes from ${from} on, got all`);
      }
      return checked(answer);
    },
  };
}
