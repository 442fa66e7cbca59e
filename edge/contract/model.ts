import * as z from 'zod/mini';
import { Digest, DigestClaim } from './digest.ts';
import { FileRecord, Filename } from './model-file.ts';
import { Version } from './semver.ts';
import { Timestamp, TimestampInput } from './timestamp.ts';

export const ModelId = z
  .string()
  .check(
    z.regex(
      /^[a-z0-9][a-z0-9._-]{0,127}$/,
      'expected 1 to 128 of a-z 0-9 . _ - and a letter or digit first',
    ),
  );
export type ModelId = z.infer<typeof ModelId>;

const label = (longest: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(longest));

const TagKey = z
  .string()
  .check(z.regex(/^[A-Za-z0-9._-]{1,64}$/, 'expected a key of 1 to 64 of A-Z a-z 0-9 . _ -'));

/** At most 32 tags; a key holds no colon, so that `tag=key:value` reads in one way. */
export const Tags = z
  .record(TagKey, z.string().check(z.maxLength(256)))
  .check(z.refine((tags) => Object.keys(tags).length <= 32, 'expected at most 32 tags'));
export type Tags = z.infer<typeof Tags>;

/**
 * How a model is built and which of its version's files hold it. Each family adds fields of its
 * own, which are kept as they are. The `_uri` fields are names relative to the version's files.
 */
export const ModelSpec = z.looseObject({
  model_spec_version: z.union([z.string(), z.int()]),
  model_family: label(64),
  architecture: label(64),
  checkpoint_uri: z.optional(Filename),
  config_uri: z.optional(Filename),
  tokenizer_uri: z.optional(Filename),
  artifact_sha256: z.optional(DigestClaim),
  parent_model_id: z.optional(z.nullable(ModelId)),
  training_job_id: z.optional(z.nullable(z.string().check(z.maxLength(64)))),
});
export type ModelSpec = z.infer<typeof ModelSpec>;

/** The body of `POST /models/register`: one version of one model. */
export const Registration = z.strictObject({
  model_id: ModelId,
  name: label(128),
  version: Version,
  model_type: label(64),
  framework: label(64),
  created_at: z.optional(TimestampInput),
  description: z.optional(z.string().check(z.maxLength(4096))),
  architecture: z.optional(label(64)),
  tags: z.optional(Tags),
  model_spec: z.optional(ModelSpec),
  model_spec_digest: z.optional(DigestClaim),
  tokenizer_digest: z.optional(DigestClaim),
  dataset_digest: z.optional(DigestClaim),
  job_id: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
});
/** A registration as a client sends it. */
export type RegistrationInput = z.input<typeof Registration>;
/** A registration after parsing, its digests in one form. */
export type Registration = z.output<typeof Registration>;

export const VersionStatus = z.enum(['PENDING', 'READY', 'FAILED']);
export type VersionStatus = z.infer<typeof VersionStatus>;

/** A version of a model with the files it has so far. */
export const VersionRecord = z.object({
  model_id: ModelId,
  name: z.string(),
  version: Version,
  model_type: z.string(),
  framework: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
  status: VersionStatus,
  status_message: z.string(),
  aliases: z.array(z.string()),
  tags: Tags,
  description: z.string(),
  architecture: z.nullable(z.string()),
  model_spec: z.nullable(ModelSpec),
  model_spec_digest: z.nullable(Digest),
  tokenizer_digest: z.nullable(Digest),
  dataset_digest: z.nullable(Digest),
  job_id: z.nullable(z.string()),
  files: z.array(FileRecord),
  total_size_bytes: z.int(),
  manifest_digest: z.nullable(Digest),
});
export type VersionRecord = z.infer<typeof VersionRecord>;

export const VersionSummary = z.pick(VersionRecord, {
  version: true,
  status: true,
  created_at: true,
  updated_at: true,
  total_size_bytes: true,
});
export type VersionSummary = z.infer<typeof VersionSummary>;

/** What `GET /models/{id}` answers: one version, and which others there are, highest first. */
export const ModelDetails = z.extend(VersionRecord, { versions: z.array(VersionSummary) });
export type ModelDetails = z.infer<typeof ModelDetails>;
