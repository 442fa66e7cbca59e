import { callEndpoint, checked, type Http, openHttp } from '../edge/contract/client.ts';
import type { Digest } from '../edge/contract/digest.ts';
import { strangeAnswer } from '../edge/contract/problem-error.ts';
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

/** An answer that takes longer than this is given up, besides those that are held back. */
const TIME_LIMIT_MS = 15_000;
const MOST_BYTES_TIME_LIMIT_MS = 120_000;

type Aborting = AbortSignal | undefined;

function within(ms: number, signal: Aborting): AbortSignal {
  const limit = AbortSignal.timeout(ms);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

/** Of a call that is answered at once. */
const soon = (signal?: AbortSignal) => ({ signal: within(TIME_LIMIT_MS, signal) });

/** What a trainer says to the training service and asks of it. Each throws as `callEndpoint`. */
export function createTrainingClient(address: ServiceAddress) {
  const http = openHttp(address);
  return {
    async announce(body: TrainerAnnouncement, signal?: AbortSignal) {
      const asked = { body, ...soon(signal) };
      return (await callEndpoint(http, trainerEndpoints.announceTrainer, asked)).body;
    },
    async remove(id: string) {
      await callEndpoint(http, trainerEndpoints.removeTrainer, { params: { id }, ...soon() });
    },
    /** A lease, or undefined where there was no work for so long. */
    async lease(trainerId: string, waitS: number, signal?: AbortSignal) {
      const body = { trainer_id: trainerId, wait_s: waitS };
      const limit = within(waitS * 1000 + TIME_LIMIT_MS, signal);
      return (await callEndpoint(http, trainerEndpoints.leaseJob, { body, signal: limit })).body;
    },
    async heartbeat(id: string, body: Heartbeat) {
      const asked = { params: { id }, body, ...soon() };
      return (await callEndpoint(http, trainerEndpoints.heartbeat, asked)).body;
    },
    async commitCheckpoint(id: string, body: CheckpointCommit) {
      const asked = { params: { id }, body, ...soon() };
      return (await callEndpoint(http, trainerEndpoints.commitCheckpoint, asked)).body;
    },
    async endLease(id: string, body: LeaseEnd) {
      const asked = { params: { id }, body, ...soon() };
      return (await callEndpoint(http, trainerEndpoints.endLease, asked)).body;
    },
    async contribute(id: string, body: ContributionRequest) {
      const asked = { params: { id }, body, ...soon() };
      return (await callEndpoint(http, trainerEndpoints.contribute, asked)).body;
    },
    async rounds(id: string, after: number, waitS: number, signal?: AbortSignal) {
      const query = { after, wait_s: waitS };
      const limit = within(waitS * 1000 + TIME_LIMIT_MS, signal);
      const asked = { params: { id }, query, signal: limit };
      return (await callEndpoint(http, trainerEndpoints.listRounds, asked)).body;
    },
    async checkpoints(id: string) {
      const asked = { params: { id }, ...soon() };
      return (await callEndpoint(http, jobEndpoints.listCheckpoints, asked)).body.checkpoints;
    },
    ...partsOf(http),
    ...datasetsOf(http),
  };
}

function partsOf(http: Http) {
  return {
    async missingParts(digests: Digest[], signal?: AbortSignal) {
      const asked = { body: { digests }, ...soon(signal) };
      return (await callEndpoint(http, datasetEndpoints.missingParts, asked)).body.missing;
    },
    async putPart(digest: Digest, body: Uint8Array<ArrayBuffer> | Blob, signal?: AbortSignal) {
      await checked(
        await http.fetch(`${http.base}/parts/${encodeURIComponent(digest)}`, {
          method: 'PUT',
          headers: { ...http.headers, 'content-type': 'application/octet-stream' },
          body,
          signal: within(MOST_BYTES_TIME_LIMIT_MS, signal),
        }),
      );
    },
    async getPart(digest: Digest): Promise<Uint8Array<ArrayBuffer>> {
      const answer = await http.fetch(`${http.base}/parts/${encodeURIComponent(digest)}`, {
        headers: http.headers,
        signal: within(MOST_BYTES_TIME_LIMIT_MS, undefined),
      });
      return new Uint8Array(await (await checked(answer)).arrayBuffer());
    },
  };
}

function datasetsOf(http: Http) {
  return {
    async dataset(name: string) {
      const asked = { params: { name }, ...soon() };
      return (await callEndpoint(http, datasetEndpoints.getDataset, asked)).body;
    },
    /** The bytes of a dataset from one of them to the end. */
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
