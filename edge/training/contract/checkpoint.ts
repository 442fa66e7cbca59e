import * as z from 'zod/mini';
import { Digest } from '../../contract/digest.ts';
import { Filename } from '../../registry/contract/model-file.ts';
import { Timestamp } from '../../contract/timestamp.ts';

/** Bytes of a file that are stored under their own digest: what is there already is not sent again. */
export const MAX_PART_BYTES = 32 * 2 ** 20;

export const Part = z.object({
  digest: Digest,
  size_bytes: z.int().check(z.gte(1), z.lte(MAX_PART_BYTES)),
});
export type Part = z.infer<typeof Part>;

/** A file as the parts it is put together from, in order. */
export const PartedFile = z.object({
  filename: Filename,
  digest: Digest,
  size_bytes: z.int().check(z.gte(0)),
  parts: z.array(Part).check(z.maxLength(4096)),
});
export type PartedFile = z.infer<typeof PartedFile>;

export const CheckpointRecord = z.object({
  id: z.string(),
  job_id: z.string(),
  step: z.int(),
  epoch: z.number(),
  metrics: z.record(z.string(), z.number()),
  /** Of the manifest that lists every file's digest. */
  digest: Digest,
  size_bytes: z.int(),
  structure_digest: Digest,
  vocabulary_digest: Digest,
  tokenizer_digest: Digest,
  resumable: z.boolean(),
  attempt: z.int(),
  files: z.array(PartedFile),
  created_at: Timestamp,
});
export type CheckpointRecord = z.infer<typeof CheckpointRecord>;

export const CheckpointList = z.object({
  checkpoints: z.array(CheckpointRecord),
  total: z.int(),
});
export type CheckpointList = z.infer<typeof CheckpointList>;
