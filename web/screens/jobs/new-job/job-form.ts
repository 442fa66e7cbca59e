import type { JobRecord } from '../../../../edge/training/contract/job.ts';
import { ConvergenceProfile } from '../../../../edge/training/contract/controls.ts';
import {
  baseNamed,
  type CategoryRequestInput,
  takesBase,
  type TrainRequestInput,
} from '../../../../edge/training/contract/train-request.ts';
import {
  type Architecture,
  ARCHITECTURES,
  DEFAULT_MINUTES,
  familyDescriptions,
  type FieldValue,
  STABLE_BASELINE,
} from '../../../../engine/index.ts';
import {
  chosenOf,
  fieldsOf,
  MODEL_FIELDS,
  type ModelValues,
} from '../../../model-form/model-values.ts';
import type { NumberRule } from '../../../ui/number-input.ts';

export const BUDGETS = ['steps', 'epochs', 'minutes'] as const;
type BudgetKind = (typeof BUDGETS)[number];

/** The numeric fields, named as in requests, with their ranges. */
export const RULES = {
  seed: { kind: 'integer', min: 0, max: 999_999_999_999_999 },
  budget: { kind: 'decimal', min: 0.001, max: 1e9 },
  replicas: { kind: 'integer', min: 1, max: 64 },
  local_steps: { kind: 'integer', min: 1, max: 10_000 },
  priority: { kind: 'integer', min: 0, max: 100 },
} as const satisfies Readonly<Record<string, NumberRule>>;
export type NumberName = keyof typeof RULES;

/** The state of the form. */
export type JobForm = Readonly<Record<NumberName, number>> & {
  readonly source: 'platform' | 'upload' | 'path';
  /** Of the platform, as `datasets/<name>`. */
  readonly dataset: string;
  /** Below the data root of a trainer. */
  readonly path: string;
  readonly model: string;
  /** The family that is trained. */
  readonly architecture: Architecture;
  /** Chosen values of its fields; the family's recipe decides the others. */
  readonly values: ModelValues;
  /** Whether the result becomes the default version of an existing model. */
  readonly setDefault: boolean;
  /** `id`, `id@version` or `id@alias`; empty to train from scratch, as some families always do. */
  readonly base: string;
  readonly budget_in: BudgetKind;
  readonly profile: ConvergenceProfile;
  readonly device: '' | 'gpu' | 'cpu';
  /** The optimiser controls of a cloned job, unchanged. */
  readonly controls: NonNullable<TrainRequestInput['controls']>;
};
export type ChangeForm = (change: Partial<JobForm>) => void;

const DATASETS = 'datasets/';

/** Rule 9 of platform.md: the values of "Stable baseline" for the fields that a family has. */
export function baselineValues(architecture: Architecture): ModelValues {
  const fields = fieldsOf(architecture);
  const own = Object.entries(STABLE_BASELINE).filter(([name]) => name in fields);
  return Object.fromEntries(own);
}

const EMPTY: JobForm = {
  architecture: 'dense_chronospike',
  values: {},
  source: 'platform',
  dataset: '',
  path: '',
  model: '',
  base: '',
  budget: DEFAULT_MINUTES,
  budget_in: 'minutes',
  seed: 1,
  replicas: 1,
  local_steps: 50,
  priority: 50,
  setDefault: false,
  profile: 'auto',
  device: '',
  controls: {},
};

/** Parses the fields of a request from JSON; invalid ones are left out. */
export function formOf(written: string): JobForm {
  const given = parse(written);
  const numbers = (Object.keys(RULES) as NumberName[]).flatMap((name) => {
    const value = given[name];
    return typeof value === 'number' && isWithin(value, RULES[name]) ? [[name, value]] : [];
  });
  const budgetIn = BUDGETS.find((kind) => typeof given[kind] === 'number');
  const profile = ConvergenceProfile.safeParse(given['convergence_profile']);
  const dataset = textIn(given, 'dataset_path');
  const { device } = given;
  const architecture = ARCHITECTURES.find((one) => one === given['model_type']);
  const values = Object.keys(MODEL_FIELDS).flatMap((name) => {
    const value = given[name];
    return isFieldValue(value) ? [[name, value] as const] : [];
  });
  return {
    ...EMPTY,
    ...Object.fromEntries(numbers),
    ...(architecture && { architecture }),
    values: Object.fromEntries(values),
    ...(budgetIn && { budget_in: budgetIn, budget: given[budgetIn] as number }),
    ...(profile.success && { profile: profile.data }),
    ...(dataset !== '' && datasetForm(dataset)),
    ...((device === 'gpu' || device === 'cpu') && { device }),
    ...(isRecord(given['controls']) && { controls: given['controls'] }),
    model: textIn(given, 'output_name') || textIn(given, 'model_name'),
    setDefault: given['set_default'] === true,
    base: textIn(given, 'base_model'),
  };
}

const datasetForm = (path: string): Partial<JobForm> =>
  path.startsWith(DATASETS) ? { source: 'platform', dataset: path } : { source: 'path', path };

/** The initial form values for a clone of a job. */
export function formValuesOf(job: JobRecord): object {
  return {
    model_type: job.model_type,
    ...job.config,
    dataset_path: job.dataset_path,
    output_name: job.model_name,
    base_model: job.base_model ? `${job.base_model.model_id}@${job.base_model.version}` : undefined,
    learning_rate: job.learning_rate,
    convergence_profile: job.convergence_profile,
    controls: job.submitted['controls'],
    priority: job.priority,
    replicas: job.replicas,
    local_steps: job.distributed?.local_steps,
    device: job.requirements.device,
  };
}

/** The request for a job that continues training from another's result. */
export function continuationOf(job: JobRecord): JobRequestInput {
  const { model, model_type, dataset_path, config, learning_rate, model_name } = job;
  const base = model && { model_id: model.model_id, version: model.version };
  return {
    model_type,
    ...(dataset_path !== null && { dataset_path }),
    config,
    learning_rate,
    convergence_profile: job.convergence_profile,
    controls: job.submitted['controls'],
    // Adds a version to the same model and makes it the default.
    output_name: model_name,
    set_default: true,
    base_model: base,
    priority: job.priority,
    replicas: job.replicas,
    requirements: job.requirements,
    // The fields come from a valid request.
  } as JobRequestInput;
}

/** The path of the chosen dataset; empty while none is chosen. */
const datasetOf = ({ source, dataset, path }: JobForm): string =>
  source === 'path' ? path.normalize('NFKC').trim() : dataset;

/** The request of the form; undefined while it has neither a dataset nor synthetic data. */
export function requestOf(form: JobForm): JobRequestInput | undefined {
  const dataset = datasetOf(form);
  const { architecture } = form;
  // Values that are not chosen are left to the service, which reports its choice.
  const { learning_rate, ...all } = chosenOf(architecture, form.values);
  if (dataset === '' && all['synthetic'] !== true) return undefined;
  const values = hasBase(form) ? withoutStructure(all) : all;
  const config = {
    ...values,
    seed: form.seed,
    [form.budget_in]: form.budget_in === 'steps' ? Math.round(form.budget) : form.budget,
  };
  const common = {
    ...(dataset !== '' && { dataset_path: dataset }),
    ...(learning_rate !== undefined && { learning_rate }),
    convergence_profile: form.profile,
    controls: form.controls,
    priority: form.priority,
    replicas: form.replicas,
    ...(form.replicas > 1 && { distributed: { local_steps: form.local_steps } }),
    requirements: form.device === '' ? {} : { device: form.device },
    ...resultOf(form),
    ...baseOf(form),
  };
  const { category } = familyDescriptions[architecture];
  // The contract allows all values that a family's table allows: a test compares both.
  return { category, architecture, ...config, ...common } as JobRequestInput;
}

/** The output fields of the request; empty where the service names the model. */
function resultOf({ model, setDefault }: JobForm) {
  const name = model.normalize('NFKC').trim();
  return { ...(name !== '' && { output_name: name }), ...(setDefault && { set_default: true }) };
}

/** Drops the fields that the base model determines; those of the data remain. */
function withoutStructure(values: Readonly<Record<string, FieldValue>>) {
  const dataFields = ['batch_size', 'encoding', 'aozora', 'normalise', 'synthetic'];
  return Object.fromEntries(Object.entries(values).filter(([name]) => dataFields.includes(name)));
}

/** The base model of the request; empty where the family takes none. */
function baseOf({ architecture, base }: JobForm): Pick<TrainRequestInput, 'base_model'> {
  const named = base.normalize('NFKC').trim();
  if (named === '' || !takesBase(architecture)) return {};
  // An invalid name is refused by the service with its reason.
  return { base_model: baseNamed(named) ?? { model_id: named } };
}

/** Whether the form has a base model, which determines the structure. */
export const hasBase = ({ architecture, base }: JobForm): boolean =>
  takesBase(architecture) && base.trim() !== '';

/** A request to the language-model training server or to the training service. */
export type JobRequestInput = CategoryRequestInput | TrainRequestInput;

function parse(written: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(written);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

const isFieldValue = (value: unknown): value is FieldValue =>
  ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textIn = (given: Readonly<Record<string, unknown>>, name: string): string => {
  const value = given[name];
  return typeof value === 'string' ? value.slice(0, 512) : '';
};

const isWithin = (value: number, { kind, min, max }: NumberRule): boolean =>
  value >= min && value <= max && (kind === 'decimal' || Number.isInteger(value));
