import { sha256 } from '@noble/hashes/sha2.js';
import { type Digest, digestOf } from '../contract/digest.ts';
import type { FileRecord } from './contract/model-file.ts';
import { DEFAULT_TEAM } from '../contract/team.ts';
import type { Ownership } from '../http/ownership.ts';
import type { Registration, Tags, VersionRecord, VersionStatus } from './contract/model.ts';

/** The model a version was derived from; its version is null where neither side stated it. */
export interface Parent {
  readonly modelId: string;
  readonly version: string | null;
}

/** A version as stored: the registration, the fields that may change, and its files. */
export interface VersionState {
  /** Never changes: a repeated registration is held against it. */
  readonly registration: Registration & { readonly created_at: string };
  readonly description: string;
  readonly tags: Tags;
  readonly parent: Parent | null;
  readonly aliases: readonly string[];
  readonly files: readonly FileRecord[];
  readonly updatedAt: string;
  readonly whose: VersionOwners;
}

/** The owner of a version, and the principal that registered it. */
export interface VersionOwners extends Ownership {
  readonly createdBy: string;
}

/** The owner of versions from before owners were recorded: only team administrators may change them. */
const NOBODYS: VersionOwners = { owner: 'system', team: DEFAULT_TEAM, createdBy: 'system' };

type RegisterDecision =
  | { readonly kind: 'create'; readonly version: VersionState }
  | { readonly kind: 'same'; readonly version: VersionState }
  | { readonly kind: 'refuse'; readonly differs: readonly string[] };

type PublishDecision =
  | { readonly kind: 'publish'; readonly file: FileRecord }
  | { readonly kind: 'same'; readonly file: FileRecord }
  | { readonly kind: 'immutable'; readonly file: FileRecord }
  | { readonly kind: 'wrong-digest'; readonly expected: Digest };

export type NewFile = Omit<FileRecord, 'created_at'>;

/** The context of a registration. */
interface Registering {
  /** Its owner, where it is new. */
  readonly whose: VersionOwners;
  /** The default version of a model, which is a parent's version where none is named. */
  readonly defaultOf: (modelId: string) => string | undefined;
}

/**
 * Decides about a registration. A version never changes:
 *
 *   (none) --register--> PENDING --its files are complete--> READY
 *     a repeat with the same content changes nothing; other content is refused
 */
export function decideRegister(
  stored: VersionState | undefined,
  requested: Registration,
  now: string,
  { whose = NOBODYS, defaultOf = () => undefined }: Partial<Registering> = {},
): RegisterDecision {
  if (!stored) {
    const version: VersionState = {
      registration: { ...requested, created_at: requested.created_at ?? now },
      description: requested.description ?? '',
      tags: requested.tags ?? {},
      parent: parentOf(requested, defaultOf),
      aliases: [],
      files: [],
      updatedAt: now,
      whose,
    };
    return { kind: 'create', version };
  }
  const differs = differences(stored.registration, requested);
  return differs.length === 0 ? { kind: 'same', version: stored } : { kind: 'refuse', differs };
}

function parentOf(
  requested: Registration,
  defaultOf: (modelId: string) => string | undefined,
): Parent | null {
  const modelId = firstOf(requested.parent_model_id, requested.model_spec?.parent_model_id);
  if (modelId === null) return null;
  return { modelId, version: requested.parent_version ?? defaultOf(modelId) ?? null };
}

/** Decides about a completely uploaded file: it is added once and never replaced. */
export function decidePublish(version: VersionState, file: NewFile, now: string): PublishDecision {
  const stored = version.files.find(({ filename }) => filename === file.filename);
  if (stored) return { kind: stored.digest === file.digest ? 'same' : 'immutable', file: stored };
  const expected = expectedDigest(version.registration, file.filename);
  if (expected && expected !== file.digest) return { kind: 'wrong-digest', expected };
  return { kind: 'publish', file: { ...file, created_at: now } };
}

/** The files a version needs before it can be used: docs/decisions/0004-registry-status.md. */
export function neededFiles({
  framework,
  files,
  model_spec: spec,
}: Registration): readonly string[] {
  if (files) return files;
  const { checkpoint_uri: checkpoint, config_uri: config, tokenizer_uri: tokenizer } = spec ?? {};
  if (framework !== OWN_FRAMEWORK) return [checkpoint, config, tokenizer].filter(isNamed);
  return [checkpoint ?? CHECKPOINT, config ?? CONFIG, tokenizer].filter(isNamed);
}

const isNamed = (name: string | undefined) => name !== undefined;

/** The framework of our own trainers, whose checkpoints have default file names. */
const OWN_FRAMEWORK = 'spikegrid';

const CHECKPOINT = 'model.safetensors';
const CONFIG = 'config.json';

export function recordOf(state: VersionState): VersionRecord {
  const content = contentOf(state);
  const hash = sha256(new TextEncoder().encode(JSON.stringify(content)));
  return { ...content, etag: `"${digestOf(hash).slice(7, 39)}"` };
}

function contentOf(state: VersionState): Omit<VersionRecord, 'etag'> {
  const { registration, files, updatedAt, parent } = state;
  const { status, message } = statusOf(registration, files);
  const { model_spec: spec } = registration;
  return {
    model_id: registration.model_id,
    name: registration.name,
    version: registration.version,
    model_type: registration.model_type,
    framework: registration.framework,
    created_by: state.whose.createdBy,
    owner: state.whose.owner,
    team: state.whose.team,
    created_at: registration.created_at,
    updated_at: updatedAt,
    status,
    status_message: message,
    aliases: [...state.aliases],
    tags: state.tags,
    description: state.description,
    architecture: firstOf(registration.architecture, spec?.architecture),
    model_spec: firstOf(spec),
    model_spec_digest: specDigestOf(registration),
    tokenizer_digest: firstOf(registration.tokenizer_digest),
    dataset_digest: firstOf(registration.dataset_digest),
    job_id: firstOf(registration.job_id, spec?.training_job_id),
    parent_model_id: firstOf(parent?.modelId),
    parent_version: firstOf(parent?.version),
    files: [...files],
    total_size_bytes: files.reduce((sum, file) => sum + file.size_bytes, 0),
    manifest_digest: files.length > 0 ? manifestDigest(files) : null,
  };
}

/** As it was registered, else of the model_spec as JSON with the names of its objects sorted. */
export function specDigestOf({
  model_spec: spec,
  model_spec_digest: claimed,
}: Pick<Registration, 'model_spec' | 'model_spec_digest'>): Digest | null {
  if (claimed !== undefined || spec === undefined) return claimed ?? null;
  return digestOf(sha256(new TextEncoder().encode(canonical(spec))));
}

/** The first value that is given, else null. */
function firstOf<T>(...values: readonly (T | null | undefined)[]): T | null {
  return values.find((value) => value !== undefined && value !== null) ?? null;
}

function statusOf(
  registration: Registration,
  files: readonly FileRecord[],
): { status: VersionStatus; message: string } {
  const present = new Set(files.map(({ filename }) => filename));
  const missing = neededFiles(registration).filter((name) => !present.has(name));
  if (present.size === 0 && missing.length === 0) return { status: 'PENDING', message: ANY_FILE };
  if (missing.length === 0) return { status: 'READY', message: '' };
  return { status: 'PENDING', message: `waiting for ${missing.join(' and ')}` };
}

const ANY_FILE = 'waiting for a file: the registration names none';

/** One digest over all files: of lines `<digest>  <size>  <filename>`, sorted by name. */
function manifestDigest(files: readonly FileRecord[]): Digest {
  const lines = files
    .map(({ digest, size_bytes, filename }) => ({
      filename,
      line: `${digest}  ${size_bytes}  ${filename}\n`,
    }))
    .toSorted((a, b) => (a.filename < b.filename ? -1 : 1))
    .map(({ line }) => line);
  return digestOf(sha256(new TextEncoder().encode(lines.join(''))));
}

function expectedDigest(registration: Registration, filename: string): Digest | undefined {
  const { model_spec: spec } = registration;
  return filename === (spec?.checkpoint_uri ?? CHECKPOINT) ? spec?.artifact_sha256 : undefined;
}

/** The names of the fields in which a repeated registration differs from the stored one. */
function differences(
  stored: VersionState['registration'],
  requested: Registration,
): readonly string[] {
  // A repeat without a time means the registered time.
  const repeated: Registration = {
    ...requested,
    created_at: requested.created_at ?? stored.created_at,
  };
  const fields = new Set([...Object.keys(stored), ...Object.keys(repeated)]);
  const [before, after] = [Object.entries(stored), Object.entries(repeated)].map(
    (entries) => new Map(entries.map(([name, value]) => [name, canonical(value)])),
  );
  return [...fields].filter((field) => before?.get(field) !== after?.get(field)).toSorted();
}

/** JSON with sorted object keys, so that their order does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
