import type { Controls, ConvergenceProfile } from '../edge/contract/training/controls.ts';
import type { JobRecord } from '../edge/contract/training/job.ts';
import {
  type BaseModel,
  Distributed,
  asTrainRequest,
  CategoryRequest,
  familyFieldsOf,
  tokenizerFileOf,
  type JobConfig,
  TrainRequest,
} from '../edge/contract/training/train-request.ts';
import type { Lease } from '../edge/contract/training/trainer.ts';
import {
  type Budget,
  chooseSettings,
  EngineError,
  executionOf,
  type RunSettings,
  type TrainingControls,
} from '../engine/index.ts';
import { JobFailure } from './job-failure.ts';

/** What a lease asks for, in the engine's words. */
export interface JobPlan {
  readonly jobId: string;
  readonly seat: number;
  readonly modelId: string;
  /** Of the result; the next free one where it is undefined. */
  readonly version: string | undefined;
  readonly datasetPath: string;
  readonly tokenizerFile: string | undefined;
  readonly outputDir: string | undefined;
  readonly settings: RunSettings;
  readonly profile: ConvergenceProfile;
  /** What the request itself says of the optimiser and the schedule. */
  readonly controls: Controls;
  readonly validateEvery: number | undefined;
  readonly checkpointEvery: number | undefined;
  readonly baseModel: BaseModel | undefined;
  readonly baseModelPath: string | undefined;
  /** How several trainers train together; undefined where one trains alone. */
  readonly distributed: Distributed | undefined;
  readonly createdAt: string;
}

/** Reads the request in a lease. @throws JobFailure where this trainer does not understand it */
export function planOf({ job, request, seat }: Pick<Lease, 'job' | 'request' | 'seat'>): JobPlan {
  const common = parseRequest(request);
  const { config } = asTrainRequest(common);
  return {
    jobId: job.job_id,
    seat,
    modelId: job.model_name,
    version: common.model_version,
    datasetPath: common.dataset_path,
    tokenizerFile: tokenizerFileOf(common),
    outputDir: common.output_dir,
    settings: {
      ...settingsOfRequest(common),
      ...(job.chosen.length > 0 && { chosen: job.chosen }),
    },
    profile: common.convergence_profile,
    controls: common.controls,
    validateEvery: config.validate_every,
    checkpointEvery: config.checkpoint_every,
    baseModel: common.base_model,
    baseModelPath: common.base_model_path,
    distributed: job.replicas > 1 ? (common.distributed ?? Distributed.parse({})) : undefined,
    createdAt: job.created_at,
  };
}

/** What a request asks the engine for; what was left out, where no service has filled it in, is chosen. */
export function settingsOfRequest(body: TrainRequest | CategoryRequest): RunSettings {
  const { modelType, config } = asTrainRequest(body);
  return chooseSettings({
    architecture: modelType,
    fields: familyFieldsOf(modelType, config),
    batch: config.batch_size,
    learningRate: body.learning_rate,
    profile: body.convergence_profile,
    seed: config.seed,
    budget: budgetOf(config),
  });
}

/** Either form of a request. */
function parseRequest(request: Lease['request']): TrainRequest | CategoryRequest {
  const form = 'category' in request ? CategoryRequest : TrainRequest;
  const parsed = form.safeParse(request);
  if (parsed.success) return parsed.data;
  throw unknownForm(parsed.error.issues);
}

function unknownForm(issues: readonly { path: PropertyKey[]; message: string }[]): JobFailure {
  const [issue] = issues;
  const where = issue?.path.map(String).join('.') || 'the request';
  return new JobFailure(
    'runtime_error',
    `this trainer does not understand the request: ${where}: ${issue?.message ?? 'invalid'}`,
    true,
  );
}

function budgetOf({ steps, epochs, minutes }: JobConfig): Budget {
  if (steps !== undefined) return { kind: 'steps', steps };
  if (epochs !== undefined) return { kind: 'epochs', epochs };
  if (minutes !== undefined) return { kind: 'minutes', minutes };
  throw new EngineError(
    'invalid-setting',
    'no budget was given: expected epochs, steps or minutes',
  );
}

/** Steps between two reports of a kind: as asked for, else ten a run and one every hundred at least. */
export function intervalOf(asked: number | undefined, total: number | undefined): number {
  return asked ?? Math.min(MOST_STEPS, Math.ceil((total ?? Infinity) / PER_RUN));
}

const PER_RUN = 10;
const MOST_STEPS = 100;

/** What was done, in the words of the request: equal to what was submitted, and the controls used. */
export function effectiveOf(
  { settings, profile }: JobPlan,
  used: TrainingControls,
): Record<string, unknown> {
  const { submitted, controls } = executionOf(settings, used, profile);
  const { budget, ...fields } = submitted;
  return {
    ...fields,
    ...(budget.kind === 'steps' && { steps: budget.steps }),
    ...(budget.kind === 'epochs' && { epochs: budget.epochs }),
    ...(budget.kind === 'minutes' && { minutes: budget.minutes }),
    convergence_profile: profile,
    controls,
  };
}

export type ModelAnswer = NonNullable<JobRecord['model']>;
