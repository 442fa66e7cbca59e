import type { JobRecord } from '../../../../edge/contract/training/job.ts';
import { ConvergenceProfile } from '../../../../edge/contract/training/controls.ts';
import type { CategoryRequestInput } from '../../../../edge/contract/training/train-request.ts';
import { type PresetName, presets } from '../../../../engine/index.ts';
import type { NumberRule } from '../../../ui/number-input.ts';

export const BUDGETS = ['steps', 'epochs', 'minutes'] as const;
type BudgetKind = (typeof BUDGETS)[number];

/** The fields that are numbers, named as on the wire, and what each may be. */
export const RULES = {
  d_model: { kind: 'integer', min: 1, max: 8192 },
  n_heads: { kind: 'integer', min: 1, max: 256 },
  num_blocks: { kind: 'integer', min: 1, max: 256 },
  time_steps: { kind: 'integer', min: 1, max: 64 },
  seq_len: { kind: 'integer', min: 2, max: 65_536 },
  batch_size: { kind: 'integer', min: 1, max: 65_536 },
  learning_rate: { kind: 'decimal', min: 1e-7, max: 10 },
  seed: { kind: 'integer', min: 0, max: 999_999_999_999_999 },
  budget: { kind: 'decimal', min: 0.001, max: 1e9 },
  replicas: { kind: 'integer', min: 1, max: 64 },
  local_steps: { kind: 'integer', min: 1, max: 10_000 },
  priority: { kind: 'integer', min: 0, max: 100 },
} as const satisfies Readonly<Record<string, NumberRule>>;
export type NumberName = keyof typeof RULES;

/** What is filled in. */
export type JobForm = Readonly<Record<NumberName, number>> & {
  readonly source: 'platform' | 'upload' | 'path';
  /** Of the platform, as `datasets/<name>`. */
  readonly dataset: string;
  /** Below the data root of a trainer. */
  readonly path: string;
  readonly model: string;
  /** `id` or `id@version`; empty to start anew. */
  readonly base: string;
  readonly budget_in: BudgetKind;
  readonly profile: ConvergenceProfile;
  readonly device: '' | 'gpu' | 'cpu';
  /** What another job gave of its controls; kept as it is. */
  readonly controls: NonNullable<CategoryRequestInput['controls']>;
};
export type ChangeForm = (change: Partial<JobForm>) => void;

const DATASETS = 'datasets/';

/** The values that a preset puts into the fields. */
export function presetForm(name: PresetName): Partial<JobForm> {
  const { width, heads, blocks, steps, sequence, batch, learningRate } = presets[name];
  return {
    d_model: width,
    n_heads: heads,
    num_blocks: blocks,
    time_steps: steps,
    seq_len: sequence,
    batch_size: batch,
    learning_rate: learningRate,
  };
}

/** The preset whose values the fields have, if they have those of any. */
export function presetOf(form: JobForm): PresetName | 'custom' {
  const names = Object.keys(presets) as PresetName[];
  const hasAll = (name: PresetName) =>
    Object.entries(presetForm(name)).every(
      ([field, value]) => form[field as keyof JobForm] === value,
    );
  return names.find(hasAll) ?? 'custom';
}

const EMPTY: JobForm = {
  ...(presetForm('tiny') as Record<NumberName, number>),
  source: 'platform',
  dataset: '',
  path: '',
  model: '',
  base: '',
  budget: 300,
  budget_in: 'steps',
  seed: 1,
  replicas: 1,
  local_steps: 50,
  priority: 50,
  profile: 'stable_baseline',
  device: '',
  controls: {},
};

/** The form for what an address asks for: fields of a request as JSON. What is not valid is left out. */
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
  return {
    ...EMPTY,
    ...Object.fromEntries(numbers),
    ...(budgetIn && { budget_in: budgetIn, budget: given[budgetIn] as number }),
    ...(profile.success && { profile: profile.data }),
    ...(dataset !== '' && datasetForm(dataset)),
    ...((device === 'gpu' || device === 'cpu') && { device }),
    ...(isRecord(given['controls']) && { controls: given['controls'] }),
    model: textIn(given, 'model_name'),
    base: textIn(given, 'base_model'),
  };
}

const datasetForm = (path: string): Partial<JobForm> =>
  path.startsWith(DATASETS) ? { source: 'platform', dataset: path } : { source: 'path', path };

/** What the form for a job like this one is filled with. */
export function valuesOf(job: JobRecord): object {
  return {
    ...job.config,
    dataset_path: job.dataset_path,
    model_name: job.model_name,
    learning_rate: job.learning_rate,
    convergence_profile: job.convergence_profile,
    controls: job.submitted['controls'],
    priority: job.priority,
    replicas: job.replicas,
    local_steps: job.distributed?.local_steps,
    device: job.requirements.device,
  };
}

/** The dataset that the form names; empty while it names none. */
export const datasetOf = ({ source, dataset, path }: JobForm): string =>
  source === 'path' ? path.normalize('NFKC').trim() : dataset;

/** The request that the form makes, or undefined while it names no dataset. */
export function requestOf(form: JobForm): CategoryRequestInput | undefined {
  const dataset = datasetOf(form);
  if (dataset === '') return undefined;
  const model = form.model.normalize('NFKC').trim();
  const [baseId = '', version] = form.base.normalize('NFKC').trim().split('@');
  return {
    category: 'LangText',
    dataset_path: dataset,
    d_model: form.d_model,
    n_heads: form.n_heads,
    num_blocks: form.num_blocks,
    time_steps: form.time_steps,
    seq_len: form.seq_len,
    batch_size: form.batch_size,
    learning_rate: form.learning_rate,
    seed: form.seed,
    [form.budget_in]: form.budget_in === 'steps' ? Math.round(form.budget) : form.budget,
    convergence_profile: form.profile,
    controls: form.controls,
    priority: form.priority,
    replicas: form.replicas,
    ...(form.replicas > 1 && { distributed: { local_steps: form.local_steps } }),
    requirements: form.device === '' ? {} : { device: form.device },
    ...(model !== '' && { model_name: model }),
    ...(baseId !== '' && { base_model: { model_id: baseId, ...(version && { version }) } }),
  };
}

function parse(written: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(written);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textIn = (given: Readonly<Record<string, unknown>>, name: string): string => {
  const value = given[name];
  return typeof value === 'string' ? value.slice(0, 512) : '';
};

const isWithin = (value: number, { kind, min, max }: NumberRule): boolean =>
  value >= min && value <= max && (kind === 'decimal' || Number.isInteger(value));
