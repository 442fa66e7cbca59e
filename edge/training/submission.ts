import {
  type BaseModel,
  Distributed,
  type LangTextRequest,
  type TrainRequest,
} from '../contract/training/train-request.ts';
import type { Env } from '../env.ts';
import { Problem } from '../http/problem.ts';
import { resolveBase } from './base-model.ts';
import type { NewJob } from './new-job.ts';
import { refuseUnsafePath } from '../contract/training/relative-path.ts';

export type AnyTrainRequest = TrainRequest | LangTextRequest;

/** What both forms of the request say, in one form. */
interface Asked {
  readonly kind: NewJob['kind'];
  readonly modelType: TrainRequest['model_type'];
  readonly category: LangTextRequest['category'] | null;
  readonly config: TrainRequest['config'];
  readonly prefersGpu: boolean;
}

/** What a trainer of language models makes of a category. */
const MODEL_OF_CATEGORY = { LangText: 'dense_chronospike' } as const;

/**
 * Checks all of a request that can be checked before a trainer has it, and makes the job of it.
 *
 * @throws Problem unsafe_path, invalid_structure, model_not_found or base_model_mismatch
 */
export async function jobOf(env: Env, body: AnyTrainRequest, createdBy: string): Promise<NewJob> {
  refuseUnsafePaths(body);
  const asked = askedOf(body);
  refuseBadStructure(asked);
  const base = body.base_model && (await baseOf(env, body.base_model, asked));
  const { learning_rate, convergence_profile, controls } = body;
  const { kind, modelType, category, config } = asked;
  return {
    kind,
    model_type: modelType,
    category,
    model_name: body.model_name ?? (category ?? modelType).toLowerCase(),
    dataset_path: body.dataset_path,
    output_dir: body.output_dir ?? null,
    config,
    learning_rate,
    submitted: { ...config, learning_rate, convergence_profile, controls },
    convergence_profile,
    seed: config.seed,
    priority: body.priority,
    requirements: body.requirements,
    metadata: body.metadata,
    created_by: createdBy,
    request: { ...body, ...(base && { base_model: base }) },
    plan: planOf(body),
    totalSteps: config.steps ?? null,
    need: needOf(asked, body),
  };
}

function refuseUnsafePaths(body: AnyTrainRequest): void {
  for (const field of ['dataset_path', 'output_dir', 'base_model_path'] as const) {
    const path = body[field];
    if (path !== undefined) refuseUnsafePath(field, path);
  }
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
  if (!('category' in body)) {
    const { model_type: modelType, config } = body;
    return { kind: 'train', modelType, category: null, config, prefersGpu: false };
  }
  const { epochs, steps, minutes, d_model, n_heads, num_blocks, time_steps, neuron_type } = body;
  const { seq_len, batch_size, seed, validate_every, checkpoint_every, category, gpu } = body;
  const structure = { d_model, n_heads, num_blocks, time_steps, neuron_type };
  const optional = { epochs, steps, minutes, validate_every, checkpoint_every };
  const given = Object.entries(optional).filter(([, value]) => value !== undefined);
  const config = { ...structure, seq_len, batch_size, seed, ...Object.fromEntries(given) };
  const modelType = MODEL_OF_CATEGORY[category];
  return { kind: 'lm', modelType, category, config, prefersGpu: gpu };
}

/** A GPU that a language-model request asks for is a condition, as the server would not start without. */
const deviceOf = ({ prefersGpu }: Asked, requirements: NewJob['requirements']) =>
  prefersGpu && requirements.device === undefined
    ? { ...requirements, device: 'gpu' as const }
    : requirements;

function refuseBadStructure({ kind, config: { d_model, n_heads } }: Asked): void {
  if (d_model % n_heads === 0) return;
  const pointer = kind === 'train' ? '/config/n_heads' : '/n_heads';
  const detail = `expected a divisor of d_model ${d_model}, got ${n_heads}`;
  throw new Problem('invalid_structure', `${pointer}: ${detail}.`, {
    errors: [{ pointer, code: 'invalid_structure', detail }],
  });
}

function baseOf(env: Env, base: BaseModel, { modelType, config }: Asked): Promise<BaseModel> {
  const { d_model, n_heads, num_blocks, time_steps, neuron_type } = config;
  const structure = { d_model, n_heads, num_blocks, time_steps, neuron_type };
  return resolveBase(env, base, { architecture: modelType, ...structure });
}
