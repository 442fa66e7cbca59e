import type { Digest } from '../edge/contract/digest.ts';
import type { TrainerAnnouncement } from '../edge/training/contract/trainer.ts';
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

/** Properties that a trainer announces; they may change over its lifetime. */
export type TrainerFacts = Omit<TrainerAnnouncement, 'trainer_id'>;

/** The platform-dependent part, in Node or a tab, of the side that leases jobs. */
export interface TrainerEnvironment {
  /** Called repeatedly: memory and load change. */
  facts(): Promise<TrainerFacts>;
  /**
   * Starts an isolated environment for one job: a child process, or a worker of the page. Blocking steps
   * delay no heartbeat, and a crash ends only the job.
   */
  startJob(): JobPort;
}

/** The way to a job that runs elsewhere. */
export interface JobPort {
  send(message: ToJob): void;
  /**
   * `crashed` is called once with the reason if the job ended without reporting it, and whether it was
   * killed from outside.
   */
  listen(
    heard: (message: FromJob) => void,
    crashed: (reason: string, wasKilled?: boolean) => void,
  ): void;
  /** Terminates it. */
  close(): void;
}

/** The platform-dependent part, in Node or a tab, of the side that runs a job. */
export interface JobEnvironment {
  openBackend(): Promise<Backend>;
  readonly cache: DatasetCache;
  /** Variables such as TRAIN_GRAD_CLIP_NORM_OVERRIDE. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Stores tokens during training; blobs by default. */
  readonly openTokens?: OpenTokenStore;
  /** Local files; undefined in a tab. */
  readonly files?: JobFiles;
}

/** Files below the roots of a trainer. Each method throws JobFailure for a path outside its root. */
export interface JobFiles {
  /** A file below the data root, or a folder with all below it. @throws JobFailure `dataset_invalid` where there is none */
  openDataset(path: string): Promise<OpenSource | DataFiles>;
  /** A checkpoint below the output root. */
  readCheckpoint(path: string): Promise<CheckpointFiles>;
  /** Starts the log of a run in its output folder, or continues it after the step of a checkpoint. */
  openLog(folder: string, from: number | undefined): Promise<JobLog>;
  /** Stores a copy of a result below the output root. */
  keepResult(folder: string, step: number, files: CheckpointFiles): Promise<void>;
}

/** The log of a run. */
export interface JobLog {
  advanced(at: LogPosition, progress: Progress): Promise<void>;
  /** Returns whether this is the best validation so far. */
  validated(at: LogPosition, validation: Validation): Promise<boolean>;
}

/** Progress of a run at a log entry. */
interface LogPosition {
  readonly step: number;
  /** A fraction. */
  readonly epoch: number;
  readonly learning_rate: number;
}

/** Bytes that the opener closes. */
export interface OpenSource extends ByteSource {
  close(): Promise<void>;
}

/** Copies of platform datasets by their digest, so that each is fetched once. */
export interface DatasetCache {
  open(digest: Digest, name: string): Promise<OpenSource | undefined>;
  /** Starts a copy, which is visible once it is committed. */
  create(digest: Digest): Promise<DatasetCopy>;
}

interface DatasetCopy {
  append(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  keep(): Promise<void>;
  discard(): Promise<void>;
}

/** A dataset cache in memory, for tabs. */
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
        // Separate blobs: a browser moves large ones out of memory.
        append: async (bytes) => void pieces.push(new Blob([bytes])),
        keep: async () => void kept.set(digest, new Blob(pieces)),
        discard: async () => {
          pieces = [];
        },
      };
    },
  };
}
