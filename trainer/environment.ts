import type { Digest } from '../edge/contract/digest.ts';
import type { TrainerAnnouncement } from '../edge/contract/training/trainer.ts';
import {
  type Backend,
  blobSource,
  type ByteSource,
  type CheckpointFiles,
  type DataFiles,
  type OpenTokenStore,
  type Progress,
  type Validation,
} from '../engine/index.ts';
import type { FromJob, ToJob } from './job-messages.ts';

/** What a trainer tells about itself; it may change while it lives. */
export type TrainerFacts = Omit<TrainerAnnouncement, 'trainer_id'>;

/** What differs between a Node process and a tab, on the side that leases jobs. */
export interface TrainerEnvironment {
  /** Asked for again and again: memory and load change. */
  facts(): Promise<TrainerFacts>;
  /**
   * Starts a place where one job runs, apart from here: a child process, or a worker of the page.
   * Steps that block it delay no heartbeat, and a crash of it ends the job alone.
   */
  startJob(): JobPort;
}

/** The way to a job that runs elsewhere. */
export interface JobPort {
  send(message: ToJob): void;
  /**
   * `crashed` is told why, once, where the job ended without having said so; and whether it was
   * killed from outside, through no fault of its own.
   */
  listen(
    heard: (message: FromJob) => void,
    crashed: (reason: string, wasKilled?: boolean) => void,
  ): void;
  /** Ends it at once. */
  close(): void;
}

/** What differs between a Node process and a tab, on the side that runs a job. */
export interface JobEnvironment {
  openBackend(): Promise<Backend>;
  readonly cache: DatasetCache;
  /** Variables such as TRAIN_GRAD_CLIP_NORM_OVERRIDE. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Where the tokens of a text are kept while it is learned from; blobs where it is left out. */
  readonly openTokens?: OpenTokenStore;
  /** What lies on this machine; a tab has nothing of the kind. */
  readonly files?: JobFiles;
}

/** Files below the roots of a trainer. Each refuses with a JobFailure what leads out of its root. */
export interface JobFiles {
  /** A file below the data root, or a folder with all below it. @throws JobFailure `dataset_invalid` where there is none */
  openDataset(path: string): Promise<OpenSource | DataFiles>;
  /** A checkpoint below the output root. */
  readCheckpoint(path: string): Promise<CheckpointFiles>;
  /**
   * Begins to write what is measured of a run beside its result, or goes on behind the step of the checkpoint
   * that it goes on from.
   */
  openLog(folder: string, from: number | undefined): Promise<JobLog>;
  /** Keeps a copy of a result below the output root. */
  keepResult(folder: string, step: number, files: CheckpointFiles): Promise<void>;
}

/** What is written of a run as it goes. */
export interface JobLog {
  advanced(at: LogStanding, progress: Progress): Promise<void>;
  /** Says whether no validation was better. */
  validated(at: LogStanding, validation: Validation): Promise<boolean>;
}

/** Where a run stands when something of it is written down. */
interface LogStanding {
  readonly step: number;
  /** A fraction. */
  readonly epoch: number;
  readonly learning_rate: number;
}

/** Bytes that whoever opened them closes. */
export interface OpenSource extends ByteSource {
  close(): Promise<void>;
}

/** Copies of platform datasets by their digest, so that each is fetched once. */
export interface DatasetCache {
  open(digest: Digest, name: string): Promise<OpenSource | undefined>;
  /** Begins a copy, which is there once it is kept. */
  create(digest: Digest): Promise<DatasetCopy>;
}

export interface DatasetCopy {
  append(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  keep(): Promise<void>;
  discard(): Promise<void>;
}

/** Keeps datasets as blobs for as long as the page or process lives: the cache of a tab. */
export function createMemoryCache(): DatasetCache {
  const kept = new Map<string, Blob>();
  return {
    async open(digest, name) {
      const blob = kept.get(digest);
      return blob && { ...blobSource(blob, name), close: async () => {} };
    },
    async create(digest) {
      let pieces: Blob[] = [];
      return {
        // A blob of its own each: a browser moves large ones out of memory.
        append: async (bytes) => void pieces.push(new Blob([bytes])),
        keep: async () => void kept.set(digest, new Blob(pieces)),
        discard: async () => {
          pieces = [];
        },
      };
    },
  };
}
