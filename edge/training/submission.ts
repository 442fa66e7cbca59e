import { type Choices, chooseLeftOut, withChoices } from '../../engine/planning.ts';
import { type Category, familyFields, type ModelType } from './contract/family-schemas.ts';
import {
  asTrainRequest,
  baseModelOf,
  type CategoryRequest,
  Distributed,
  familyFieldsOf,
  givenFieldsOf,
  type JobConfig,
  outputNameOf,
  tokenizerFileOf,
  type TrainRequest,
  withFields,
} from './contract/train-request.ts';
import { refuseUnsafePath } from './contract/relative-path.ts';
import type { Env } from '../env.ts';
import type { Caller } from '../http/caller.ts';
import { ownerOf, teamOf, teamSeen } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import {
  storedCheckpoint,
  requireSameTokenizer,
  requireKnownVocabulary,
  type RegisteredBase,
  resolveBase,
} from './base-model.ts';
import type { NewJob } from './state.ts';
import { sha256 } from '@noble/hashes/sha2.js';
import { digestOf } from '../contract/digest.ts';

type AnyTrainRequest = TrainRequest | CategoryRequest;

/** Both forms of the request in one. */
interface RequestedRun {
  readonly kind: NewJob['kind'];
  readonly modelType: ModelType;
  readonly category: Category | null;
  /** The given fields, and no others. */
  readonly config: JobConfig;
  readonly prefersGpu: boolean;
}

/** A request with what was chosen of the fields that it leaves out. */
interface Completed {
  readonly body: AnyTrainRequest;
  readonly choices: Choices;
}

/** Both kinds of base: a registered one is pinned, one in a trainer's files may be unknown here. */
interface Bases {
  readonly pinned: RegisteredBase | undefined;
  readonly local: RegisteredBase | undefined;
}

/**
 * Checks all of a request that can be checked without a trainer, and creates the job.
 *
 * @throws Problem unsafe_path, invalid_structure, model_not_found, alias_not_found or base_model_mismatch
 */
export async function jobOf(env: Env, body: AnyTrainRequest, caller: Caller): Promise<NewJob> {
  refuseUnsafePaths(body);
  const requested = askedOf(body);
  const bases = await basesOf(env, body, { ...requested, caller });
  const { body: complete, choices } = completed(body, requested, bases);
  const { config } = asTrainRequest(complete);
  refuseBadStructure({ ...requested, config });
  const { kind, modelType, category } = requested;
  const base_model = bases.pinned ? refOf(bases.pinned) : null;
  const { model_name: _, ...request } = complete;
  return {
    kind,
    model_type: modelType,
    category,
    model_name: outputNameOf(body) ?? defaultName(category, modelType, config),
    base_model,
    dataset_path: body.dataset_path ?? null,
    output_dir: body.output_dir ?? null,
    config,
    learning_rate: complete.learning_rate ?? 0,
    submitted: submittedOf(body, requested),
    controls: choices,
    convergence_profile: body.convergence_profile,
    seed: config.seed ?? 0,
    priority: body.priority,
    requirements: body.requirements,
    metadata: body.metadata,
    created_by: ownerOf(caller),
    team: teamOf(caller),
    request: { ...request, ...(base_model && { base_model }) },
    plan: planOf(body),
    totalSteps: config.steps ?? null,
    need: needOf(requested, body),
  };
}

/** The values as given. */
const submittedOf = (
  { learning_rate, convergence_profile, controls }: AnyTrainRequest,
  { config }: RequestedRun,
) => ({
  ...config,
  ...(learning_rate !== undefined && { learning_rate }),
  convergence_profile,
  controls,
});

/**
 * Fills in what a request leaves out. Of a checkpoint that only trainers can read the structure is
 * not known here: its fields are left to the trainer.
 */
function completed(body: AnyTrainRequest, { modelType }: RequestedRun, bases: Bases): Completed {
  const base = bases.pinned ?? bases.local;
  const all = chooseLeftOut(modelType, givenFieldsOf(body), {
    profile: body.convergence_profile,
    ...(base && { base: { name: nameOf(base), spec: base.spec } }),
  });
  const isOpen = body.base_model_path !== undefined && !base;
  const structure = familyFields[modelType];
  const known = Object.entries(all).filter(([name]) => !isOpen || !Object.hasOwn(structure, name));
  const choices = Object.fromEntries(known);
  return { body: withFields(body, withChoices({}, choices)), choices };
}

const refOf = ({ record }: RegisteredBase) => ({
  model_id: record.model_id,
  version: record.version,
});

const nameOf = ({ record }: RegisteredBase) => `${record.model_id} ${record.version}`;

function refuseUnsafePaths(body: AnyTrainRequest): void {
  for (const field of ['dataset_path', 'output_dir', 'base_model_path'] as const) {
    const path = body[field];
    if (path !== undefined) refuseUnsafePath(field, path);
  }
  const file = tokenizerFileOf(body);
  if (file !== undefined) refuseUnsafePath('tokenizer_file', file);
}

function planOf({ replicas, max_recoveries, distributed }: AnyTrainRequest): NewJob['plan'] {
  const rounds = replicas > 1 ? (distributed ?? Distributed.parse({})) : null;
  return { replicas, maxRecoveries: max_recoveries, distributed: rounds };
}

/** Its memory is planned once the dataset is found. */
const needOf = (requested: RequestedRun, body: AnyTrainRequest): NewJob['need'] => ({
  category: requested.category,
  modelType: requested.modelType,
  datasetPath: body.dataset_path ?? null,
  requirements: deviceOf(requested, body.requirements),
  plannedBytes: null,
  prefersGpu: requested.prefersGpu,
  preferredRegionId: null,
});

function askedOf(body: AnyTrainRequest): RequestedRun {
  const requested = asTrainRequest(body);
  if (!('category' in body))
    return { ...requested, kind: 'train', category: null, prefersGpu: false };
  return { ...requested, kind: 'lm', category: body.category, prefersGpu: body.gpu };
}

/** A GPU requested for a language model is a requirement, as the server would not start without it. */
const deviceOf = ({ prefersGpu }: RequestedRun, requirements: NewJob['requirements']) =>
  prefersGpu && requirements.device === undefined
    ? { ...requirements, device: 'gpu' as const }
    : requirements;

function refuseBadStructure({ kind, modelType, config }: RequestedRun): void {
  const { d_model, n_heads } = familyFieldsOf(modelType, config);
  if (typeof d_model !== 'number' || typeof n_heads !== 'number' || d_model % n_heads === 0) return;
  const pointer = kind === 'train' ? '/config/n_heads' : '/n_heads';
  const detail = `expected a divisor of d_model ${d_model}, got ${n_heads}`;
  throw new Problem('invalid_structure', `${pointer}: ${detail}.`, {
    errors: [{ pointer, code: 'invalid_structure', detail }],
  });
}

/** The bases of a job. @throws Problem model_not_found, alias_not_found, base_model_mismatch */
async function basesOf(
  env: Env,
  body: AnyTrainRequest,
  { modelType, config, caller }: RequestedRun & { readonly caller: Caller },
) {
  const team = teamSeen(caller);
  const structure = { architecture: modelType, fields: familyFieldsOf(modelType, config), team };
  const { base_model_path: path, dataset_path: dataset } = body;
  const named = baseModelOf(body);
  const pinned = named && (await resolveBase(env, named, structure));
  const local =
    path === undefined
      ? undefined
      : await storedCheckpoint(env, path, { ...structure, team: teamOf(caller) });
  const base = pinned ?? local;
  if (base) {
    await requireSameTokenizer(env, base, { path: tokenizerFileOf(body), team });
    await requireKnownVocabulary(env, base, { path: dataset, fields: structure.fields, team });
  }
  return { pinned, local };
}

/** Digits of the structure's digest in a name. */
const DIGITS = 8;

/**
 * The default name of a result (ruling A16): category, time, and the digest of its structure, so that only
 * models of one structure become versions of one id.
 */
function defaultName(
  category: Category | null,
  modelType: ModelType,
  config: JobConfig,
  now = new Date(),
): string {
  const moment = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  const structure = structureDigest(modelType, config).slice('sha256:'.length).slice(0, DIGITS);
  return `${(category ?? modelType).toLowerCase()}-${moment}-${structure}`;
}

/** The same for all runs of one architecture with the same values in every field of it. */
function structureDigest(modelType: ModelType, config: JobConfig): string {
  const fields = Object.entries(familyFieldsOf(modelType, config)).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return digestOf(sha256(new TextEncoder().encode(JSON.stringify([modelType, fields]))));
}
