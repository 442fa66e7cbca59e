import type { Controls, ConvergenceProfile } from '../edge/training/contract/controls.ts';
import type { JobRecord } from '../edge/training/contract/job.ts';
import {
  asTrainRequest,
  type BaseModel,
  CategoryRequest,
  Distributed,
  givenFieldsOf,
  type JobConfig,
  tokenizerFileOf,
  TrainRequest,
} from '../edge/training/contract/train-request.ts';
import type { Lease } from '../edge/training/contract/trainer.ts';
import {
  type Budget,
  type ChoiceContext,
  type Choices,
  chooseLeftOut,
  controlsFor,
  controlsNamed,
  EngineError,
  executionOf,
  profileControls,
  type RunSettings,
  type TrainingControls,
  withChoices,
} from '../engine/index.ts';
import { JobFailure } from './job-failure.ts';

/** A leased request in the engine's terms. */
export interface JobPlan {
  readonly jobId: string;
  readonly seat: number;
  readonly modelId: string;
  /** Of the result; the next free one where it is undefined. */
  readonly version: string | undefined;
  /** Whether the result may replace another default version. */
  readonly setDefault: boolean;
  /** Undefined for synthetic data. */
  readonly datasetPath: string | undefined;
  readonly tokenizerFile: string | undefined;
  readonly outputDir: string | undefined;
  readonly settings: RunSettings;
  readonly profile: ConvergenceProfile;
  /** Optimiser and schedule settings of the request. */
  readonly controls: Controls;
  readonly validateEvery: number | undefined;
  readonly checkpointEvery: number | undefined;
  readonly baseModel: BaseModel | undefined;
  readonly baseModelPath: string | undefined;
  /** How several trainers train together; undefined where one trains alone. */
  readonly distributed: Distributed | undefined;
  readonly createdAt: string;
  /** The parsed body of the request, and the platform's choices for fields that it left out. */
  readonly request: TrainRequest | CategoryRequest;
  readonly choices: Choices;
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
    setDefault: common.set_default,
    datasetPath: common.dataset_path,
    tokenizerFile: tokenizerFileOf(common),
    outputDir: common.output_dir,
    settings: settingsOfRequest(common, { choices: job.controls }),
    profile: common.convergence_profile,
    controls: common.controls,
    validateEvery: config.validate_every,
    checkpointEvery: config.checkpoint_every,
    baseModel: common.base_model,
    baseModelPath: common.base_model_path,
    distributed: job.replicas > 1 ? (common.distributed ?? Distributed.parse({})) : undefined,
    createdAt: job.created_at,
    request: common,
    choices: job.controls,
  };
}

/** A plan whose fields default to those of the base model. */
export const planOnBase = (plan: JobPlan, base: ChoiceContext['base']): JobPlan => ({
  ...plan,
  settings: settingsOfRequest(plan.request, { choices: plan.choices, base }),
});

interface Chosen {
  /** Earlier choices. */
  readonly choices?: Choices;
  readonly base?: ChoiceContext['base'];
}

/** The engine's settings for a request, with choices for fields that it leaves out. */
export function settingsOfRequest(
  body: TrainRequest | CategoryRequest,
  { choices = {}, base }: Chosen = {},
): RunSettings {
  const { modelType, config } = asTrainRequest(body);
  const given = givenFieldsOf(body);
  const further = chooseLeftOut(modelType, given, {
    profile: body.convergence_profile,
    ...(base && { base }),
  });
  const { batch_size, learning_rate, seed, ...fields } = withChoices(given, further);
  return {
    architecture: modelType,
    fields,
    batch: Number(batch_size),
    learningRate: Number(learning_rate),
    seed: Number(seed),
    budget: budgetOf(config),
    chosen: { ...choices, ...further },
  };
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

/** Steps between two reports: as requested, else ten per run and at least one every hundred steps. */
export function intervalOf(requested: number | undefined, total: number | undefined): number {
  return requested ?? Math.min(MAX_STEPS, Math.ceil((total ?? Infinity) / PER_RUN));
}

const PER_RUN = 10;
const MAX_STEPS = 100;

/** The effective configuration in the terms of the request, with the controls used. */
export function effectiveOf(
  { settings, profile }: JobPlan,
  used: TrainingControls,
): Record<string, unknown> {
  const { effective, controls } = executionOf(settings, used, profile);
  const { budget, ...fields } = effective;
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

/**
 * The controls of a job: the request overrides the environment variables of this trainer, which override the
 * profile.
 * @throws EngineError `invalid-setting` naming an invalid variable
 */
export function controlsOfPlan(
  { profile, settings, controls }: Pick<JobPlan, 'profile' | 'settings' | 'controls'>,
  variables: Readonly<Record<string, string | undefined>>,
): TrainingControls {
  return controlsFor(profileControls(profile, settings), controlsNamed(controls), variables);
}
