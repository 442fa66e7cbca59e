import { chooseSettings, type Fields } from '../../engine/planning.ts';
import type { Category, ModelType } from '../contract/training/family-fields.ts';
import {
  asTrainRequest,
  type BaseModel,
  type CategoryRequest,
  Distributed,
  familyFieldsOf,
  tokenizerFileOf,
  type JobConfig,
  type TrainRequest,
} from '../contract/training/train-request.ts';
import type { Env } from '../env.ts';
import { Problem } from '../http/problem.ts';
import { resolveBase } from './base-model.ts';
import type { NewJob } from './new-job.ts';
import { refuseUnsafePath } from '../contract/training/relative-path.ts';

export type AnyTrainRequest = TrainRequest | CategoryRequest;

/** What both forms of the request say, in one form. */
interface Asked {
  readonly kind: NewJob['kind'];
  readonly modelType: ModelType;
  readonly category: Category | null;
  readonly config: JobConfig;
  readonly prefersGpu: boolean;
}

/**
 * Checks all of a request that can be checked before a trainer has it, and makes the job of it. What was left
 * out is filled in.
 *
 * @throws Problem unsafe_path, invalid_structure, model_not_found or base_model_mismatch
 */
export async function jobOf(
  env: Env,
  submitted: AnyTrainRequest,
  createdBy: string,
): Promise<NewJob> {
  refuseUnsafePaths(submitted);
  const base = submitted.base_model && (await baseOf(env, submitted.base_model, submitted));
  const { body, learningRate, chosen } = completed(submitted, base?.structure);
  const asked = askedOf(body);
  refuseBadStructure(asked);
  const { convergence_profile, controls } = body;
  const { kind, modelType, category, config } = asked;
  return {
    kind,
    model_type: modelType,
    category,
    model_name: body.model_name ?? (category ?? modelType).toLowerCase(),
    dataset_path: body.dataset_path,
    output_dir: body.output_dir ?? null,
    config,
    learning_rate: learningRate,
    submitted: { ...config, learning_rate: learningRate, convergence_profile, controls },
    convergence_profile,
    chosen,
    seed: config.seed,
    priority: body.priority,
    requirements: body.requirements,
    metadata: body.metadata,
    created_by: createdBy,
    request: { ...body, ...(base && { base_model: base.model }) },
    plan: planOf(body),
    totalSteps: config.steps ?? null,
    need: needOf(asked, body),
  };
}

interface Completed {
  /** Every value in its place. */
  readonly body: AnyTrainRequest;
  readonly learningRate: number;
  readonly chosen: NewJob['chosen'];
}

/** What was left out, by the base model where there is one and else by the recipe (ruling A17). */
function completed(body: AnyTrainRequest, structure: Fields | undefined): Completed {
  const { modelType, config } = asTrainRequest(body);
  const { fields, batch, learningRate, chosen } = chooseSettings({
    architecture: modelType,
    fields: familyFieldsOf(modelType, config),
    batch: config.batch_size,
    learningRate: body.learning_rate,
    profile: body.convergence_profile,
    base: structure,
    seed: config.seed,
    // Which of them it is does not matter yet: the recipes are for any.
    budget: { kind: 'steps', steps: 1 },
  });
  const values = { ...fields, batch_size: batch };
  const whole =
    'category' in body
      ? { ...body, ...values, learning_rate: learningRate }
      : { ...body, config: { ...body.config, ...values }, learning_rate: learningRate };
  // The recipes hold fields of the family within its ranges: a test holds both together.
  return { body: whole as AnyTrainRequest, learningRate, chosen: [...(chosen ?? [])] };
}

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

/** What it needs of memory is planned once the dataset is found. */
const needOf = (asked: Asked, body: AnyTrainRequest): NewJob['need'] => ({
  category: asked.category,
  modelType: asked.category === null ? asked.modelType : null,
  datasetPath: body.dataset_path,
  requirements: deviceOf(asked, body.requirements),
  plannedBytes: null,
  prefersGpu: asked.prefersGpu,
  preferredRegionId: null,
});

function askedOf(body: AnyTrainRequest): Asked {
  const asked = asTrainRequest(body);
  if (!('category' in body)) return { ...asked, kind: 'train', category: null, prefersGpu: false };
  return { ...asked, kind: 'lm', category: body.category, prefersGpu: body.gpu };
}

/** A GPU that a language-model request asks for is a condition, as the server would not start without. */
const deviceOf = ({ prefersGpu }: Asked, requirements: NewJob['requirements']) =>
  prefersGpu && requirements.device === undefined
    ? { ...requirements, device: 'gpu' as const }
    : requirements;

function refuseBadStructure({ kind, modelType, config }: Asked): void {
  const { d_model, n_heads } = familyFieldsOf(modelType, config);
  if (typeof d_model !== 'number' || typeof n_heads !== 'number' || d_model % n_heads === 0) return;
  const pointer = kind === 'train' ? '/config/n_heads' : '/n_heads';
  const detail = `expected a divisor of d_model ${d_model}, got ${n_heads}`;
  throw new Problem('invalid_structure', `${pointer}: ${detail}.`, {
    errors: [{ pointer, code: 'invalid_structure', detail }],
  });
}

/** The version that is gone on from, and its structure. */
async function baseOf(env: Env, base: BaseModel, body: AnyTrainRequest) {
  const { modelType, config } = asTrainRequest(body);
  return resolveBase(env, base, {
    architecture: modelType,
    fields: familyFieldsOf(modelType, config),
  });
}
