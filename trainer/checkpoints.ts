import type { Digest } from '../edge/contract/digest.ts';
import { ProblemError } from '../edge/contract/problem-error.ts';
import type { CheckpointRecord } from '../edge/training/contract/checkpoint.ts';
import type { CheckpointCommit, LeaseProof } from '../edge/training/contract/trainer.ts';
import {
  type CheckpointFiles,
  MANIFEST,
  type ModelSpec,
  readTokenizer,
  vocabularyOf,
} from '../engine/index.ts';
import { retry, type RetryOptions } from './backoff.ts';
import { JobFailure } from './job-failure.ts';
import { cutFile, digestOfBytes, fetchFile, sendMissingParts } from './parts.ts';
import type { TrainingClient } from './training-client.ts';

interface CheckpointPlace {
  readonly client: Pick<
    TrainingClient,
    'missingParts' | 'putPart' | 'getPart' | 'commitCheckpoint'
  >;
  readonly jobId: string;
  readonly proof: LeaseProof;
  readonly retryOptions: RetryOptions;
}

export interface NewCheckpoint {
  readonly files: CheckpointFiles;
  readonly step: number;
  readonly epoch: number;
  readonly metrics: Readonly<Record<string, number>>;
}

/** Attempts to resend parts that were deleted meanwhile. */
const MAX_COMMITS = 3;

/**
 * Sends those parts of a checkpoint that are not there, then makes them one by a single commit.
 *
 * @throws ProblemError stale_lease where the job has passed to another trainer
 */
export async function commitCheckpoint(
  { client, jobId, proof, retryOptions }: CheckpointPlace,
  { files, step, epoch, metrics }: NewCheckpoint,
): Promise<CheckpointRecord> {
  const cut = await Promise.all(Array.from(files, ([name, bytes]) => cutFile(name, bytes)));
  const manifest = cut.find(({ file }) => file.filename === MANIFEST);
  if (!manifest) throw new TypeError(`a checkpoint without ${MANIFEST}`);
  const commit: CheckpointCommit = {
    lease_id: proof.lease_id,
    fencing_token: proof.fencing_token,
    step,
    epoch,
    metrics,
    digest: manifest.file.digest,
    ...(await identityOf(files)),
    resumable: true,
    files: cut.map(({ file }) => file),
  };
  for (let tries = 1; ; tries++) {
    await sendMissingParts(client, cut, retryOptions);
    try {
      return await retry(() => client.commitCheckpoint(jobId, commit), retryOptions);
    } catch (error) {
      const isCleared = error instanceof ProblemError && error.code === 'part_not_found';
      if (!isCleared || tries === MAX_COMMITS) throw error;
    }
  }
}

/** The files of a checkpoint. @throws JobFailure `checkpoint_damaged` where they are not those committed */
export async function fetchCheckpoint(
  client: Pick<TrainingClient, 'missingParts' | 'putPart' | 'getPart'>,
  { files, digest }: CheckpointRecord,
  retryOptions: RetryOptions,
): Promise<CheckpointFiles> {
  const fetched = new Map<string, Uint8Array>();
  for (const file of files) {
    fetched.set(file.filename, await fetchFile(client, file, retryOptions));
  }
  const found = files.find(({ filename }) => filename === MANIFEST)?.digest;
  if (found === digest) return fetched;
  throw new JobFailure(
    'checkpoint_damaged',
    `the manifest has the digest ${found ?? 'of none'}, expected ${digest}`,
    true,
  );
}

/** Digests that identify a model: structure, vocabulary and tokenizer. */
async function identityOf(
  files: CheckpointFiles,
): Promise<Pick<CheckpointCommit, 'structure_digest' | 'vocabulary_digest' | 'tokenizer_digest'>> {
  const spec = parsed<ModelSpec>(files, 'model_spec.json');
  if (!('tokenizer' in spec)) {
    // It reads no text: its structure identifies it.
    const none = await digestOfJson(null);
    const structure = await digestOfJson(spec);
    return { structure_digest: structure, vocabulary_digest: none, tokenizer_digest: none };
  }
  const { tokenizer, vocab_size: _, ...structure } = spec;
  const bytes = files.get('tokenizer.json') ?? new Uint8Array();
  return {
    structure_digest: await digestOfJson(structure),
    vocabulary_digest: await digestOfJson(vocabularyOf(readTokenizer(bytes))),
    tokenizer_digest: `sha256:${tokenizer.files_sha256['tokenizer.json']}`,
  };
}

/** A file that the engine has just written, so that its form is known. */
function parsed<T>(files: CheckpointFiles, name: string): T {
  return JSON.parse(new TextDecoder().decode(files.get(name))) as T;
}

function digestOfJson(value: unknown): Promise<Digest> {
  return digestOfBytes(new TextEncoder().encode(JSON.stringify(value)));
}
