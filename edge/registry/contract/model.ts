import * as z from 'zod/mini';
import { Alias, isOneChoice } from './alias.ts';
import { Digest, DigestClaim } from '../../contract/digest.ts';
import { FileRecord, Filename } from './model-file.ts';
import { Version } from '../../contract/semver.ts';
import { ownedMembers } from '../../contract/team.ts';
import { Timestamp, TimestampInput } from '../../contract/timestamp.ts';
import { has, implies, says } from '../../contract/schema-rules.ts';

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

const TagValue = z.string().check(z.maxLength(256));

/** At most 32 tags; a key contains no colon, so that `tag=key:value` is unambiguous. */
export const Tags = z.record(TagKey, TagValue).check(
  says(
    { maxProperties: 32 },
    z.refine((tags) => Object.keys(tags).length <= 32, 'expected at most 32 tags'),
  ),
);
export type Tags = z.infer<typeof Tags>;

const Description = z.string().check(z.maxLength(4096));

/**
 * The structure of a model, and the files of its version that contain it. Each family adds fields of its
 * own, which are stored unchanged. The `_uri` fields are names relative to the version's files.
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

const SPEC_NAMES_PARENT = {
  required: ['model_spec'],
  properties: {
    model_spec: {
      required: ['parent_model_id'],
      properties: { parent_model_id: { type: 'string' } },
    },
  },
};

/** `/models/register` is where versions are registered, and no model. */
const NewModelId = ModelId.check(
  says(
    { not: { const: 'register' } },
    z.refine((id) => id !== 'register', 'expected another name: it is a path of the registry'),
  ),
);

/** The body of `POST /models/register`: one version of one model. */
export const Registration = z
  .strictObject({
    model_id: NewModelId,
    name: label(128),
    version: Version,
    model_type: label(64),
    framework: label(64),
    created_at: z.optional(TimestampInput),
    description: z.optional(Description),
    architecture: z.optional(label(64)),
    tags: z.optional(Tags),
    model_spec: z.optional(ModelSpec),
    model_spec_digest: z.optional(DigestClaim),
    tokenizer_digest: z.optional(DigestClaim),
    dataset_digest: z.optional(DigestClaim),
    job_id: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
    /**
     * The files that make the version READY, where they are not those of a spikegrid checkpoint. For other
     * frameworks the default is any file.
     */
    files: z.optional(
      z.array(Filename).check(
        z.minLength(1),
        z.maxLength(64),
        z.refine((names) => new Set(names).size === names.length, 'expected each name once'),
      ),
    ),
    /** False: it does not become the default version while the model has another one that may be. */
    set_default: z.optional(z.boolean()),
    /** The model this one was derived from; by default `model_spec.parent_model_id`. */
    parent_model_id: z.optional(ModelId),
    /** Its version; the default one at the time of registering where it is left out. */
    parent_version: z.optional(Version),
  })
  .check(
    says(
      implies(has('parent_version'), {
        anyOf: [has('parent_model_id'), SPEC_NAMES_PARENT],
      }),
      z.refine(
        ({ parent_version: version, parent_model_id: id, model_spec: spec }) =>
          version === undefined || (id ?? spec?.parent_model_id ?? null) !== null,
        { error: 'expected a parent_model_id beside it', path: ['parent_version'] },
      ),
    ),
  );
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
  /** The principal that registered it: the trainer of a job's result, whose owner is the job's. */
  created_by: z.string(),
  ...ownedMembers,
  created_at: Timestamp,
  updated_at: Timestamp,
  status: VersionStatus,
  status_message: z.string(),
  aliases: z.array(Alias),
  tags: Tags,
  description: z.string(),
  architecture: z.nullable(z.string()),
  model_spec: z.nullable(ModelSpec),
  model_spec_digest: z.nullable(Digest),
  tokenizer_digest: z.nullable(Digest),
  dataset_digest: z.nullable(Digest),
  job_id: z.nullable(z.string()),
  parent_model_id: z.nullable(ModelId),
  parent_version: z.nullable(Version),
  files: z.array(FileRecord),
  total_size_bytes: z.int(),
  manifest_digest: z.nullable(Digest),
  /** The `If-Match` value to change or delete exactly this state. */
  etag: z.string(),
});
export type VersionRecord = z.infer<typeof VersionRecord>;

export const VersionSummary = z.pick(VersionRecord, {
  version: true,
  status: true,
  created_at: true,
  updated_at: true,
  total_size_bytes: true,
  aliases: true,
});
export type VersionSummary = z.infer<typeof VersionSummary>;

/** The response of `GET /models/{id}`: one version, and the list of all, highest first. */
export const ModelDetails = z.extend(VersionRecord, { versions: z.array(VersionSummary) });
export type ModelDetails = z.infer<typeof ModelDetails>;

/** Which version of a model is meant: this one, the one of an alias, or the default one. */
export const VersionChoice = z
  .strictObject({ version: z.optional(Version), alias: z.optional(Alias) })
  .check(isOneChoice);
export type VersionChoice = z.output<typeof VersionChoice>;

/**
 * The body of `PATCH /models/{id}/versions/{version}`, a merge patch (RFC 7396): omitted fields are
 * unchanged, and a tag that is null is removed. Nothing else of a version ever changes.
 */
export const VersionPatch = z
  .strictObject({
    description: z.optional(Description),
    tags: z.optional(z.record(TagKey, z.nullable(TagValue))),
  })
  .check(
    says(
      { minProperties: 1 },
      z.refine((patch) => Object.keys(patch).length > 0, 'expected description or tags'),
    ),
  );
export type VersionPatch = z.output<typeof VersionPatch>;

/** Deletes even what an alias points to, and with its last version the model. */
export const DeletionQuery = z.strictObject({
  force: z.prefault(z.enum(['true', 'false']), 'false'),
});

/** The response to a deletion. The numbers of deleted versions are never reused. */
export const DeletionAnswer = z.object({
  status: z.literal('deleted'),
  model_id: ModelId,
  versions: z.array(Version),
  aliases: z.array(Alias),
  deleted_files: z.int(),
  freed_bytes: z.int(),
});
export type DeletionAnswer = z.infer<typeof DeletionAnswer>;
