import * as z from 'zod/mini';
import { Digest } from '../../contract/digest.ts';
import { ownedMembers } from '../../contract/team.ts';
import { Timestamp } from '../../contract/timestamp.ts';
import { Part } from '../../training/contract/checkpoint.ts';

/** A dataset that the trainers of its team can fetch, named in `dataset_path` as `datasets/<name>`. */
export const DatasetName = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/,
      'expected 1 to 128 of A-Z a-z 0-9 . _ - and a letter or digit first',
    ),
  );
export type DatasetName = z.infer<typeof DatasetName>;

export const DatasetRecord = z.object({
  name: DatasetName,
  digest: Digest,
  size_bytes: z.int(),
  content_type: z.string(),
  created_by: z.string(),
  ...ownedMembers,
  created_at: Timestamp,
});
export type DatasetRecord = z.infer<typeof DatasetRecord>;

export const DatasetList = z.object({ datasets: z.array(DatasetRecord), total: z.int() });
export type DatasetList = z.infer<typeof DatasetList>;

/** The body of `PUT /datasets/{name}`; its parts are already uploaded. A name stands for one content. */
export const DatasetCommit = z.strictObject({
  digest: Digest,
  size_bytes: z.int().check(z.gte(1)),
  content_type: z.prefault(z.string().check(z.maxLength(128)), 'application/octet-stream'),
  parts: z.array(Part).check(z.minLength(1), z.maxLength(4096)),
});
export type DatasetCommit = z.output<typeof DatasetCommit>;

/** `POST /parts/missing`: which of these parts have to be sent. */
export const PartsQuestion = z.strictObject({
  digests: z.array(Digest).check(z.minLength(1), z.maxLength(4096)),
});
export const PartsMissing = z.object({ missing: z.array(Digest) });
export type PartsMissing = z.infer<typeof PartsMissing>;

export const PartAnswer = z.object({ digest: Digest, size_bytes: z.int() });
export type PartAnswer = z.infer<typeof PartAnswer>;

const PREFIX = 'datasets/';

/** The dataset of the platform that a `dataset_path` names; undefined where it names a trainer's file. */
export function datasetNameIn(path: string): DatasetName | undefined {
  if (!path.startsWith(PREFIX)) return undefined;
  const parsed = DatasetName.safeParse(path.slice(PREFIX.length));
  return parsed.success ? parsed.data : undefined;
}
