import { type METHODS, METRICS, type Metric } from '../../../edge/training/contract/sweep.ts';
import type { SweepFileInput } from '../../../edge/training/contract/sweep-file.ts';
import type { Architecture } from '../../../engine/index.ts';

export const METRIC_NAMES = Object.keys(METRICS) as readonly Metric[];

/** The fields of the form for a sweep. */
export interface SweepForm {
  readonly name: string;
  readonly family: Architecture;
  readonly dataset: string;
  readonly method: (typeof METHODS)[number];
  readonly metric: Metric;
  readonly runs: number;
  readonly steps: number;
  readonly firstSteps: number;
  readonly parallel: number;
  /** JSON. */
  readonly search: string;
  /** JSON. */
  readonly fixed: string;
}

export const FIRST_FORM: SweepForm = {
  name: 'first-sweep',
  family: 'dense_chronospike',
  dataset: '',
  method: 'asha',
  metric: 'valid_loss',
  runs: 16,
  steps: 900,
  firstSteps: 100,
  parallel: 4,
  search: JSON.stringify(
    { learning_rate: { from: 0.0005, to: 0.02, scale: 'log' }, d_model: [32, 64] },
    undefined,
    2,
  ),
  fixed: '{}',
};

/** The file that the form makes; undefined while its JSON or a needed field is missing. */
export function fileOf(form: SweepForm): SweepFileInput | undefined {
  const [search, fixed] = [objectIn(form.search), objectIn(form.fixed)];
  const isNamed = /^[a-z0-9][a-z0-9._-]{0,63}$/.test(form.name);
  if (!search || Object.keys(search).length === 0 || !fixed || !isNamed) return undefined;
  return {
    name: form.name,
    model_type: form.family,
    ...(form.dataset !== '' && { dataset: form.dataset }),
    method: form.method,
    metric: form.metric,
    ...(form.method !== 'grid' && { runs: form.runs }),
    ...(form.method === 'asha' && { asha: { first_steps: form.firstSteps, eta: 3 } }),
    budget: { steps: form.steps },
    parallel: form.parallel,
    // The command checks both, and says what is wrong with which value.
    fixed: fixed as NonNullable<SweepFileInput['fixed']>,
    search: search as SweepFileInput['search'],
  };
}

/** A JSON object in text; undefined for anything else. */
export function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The command that drives the sweep of a file. */
export const sweepCommand = (name: string, origin: string): string =>
  `npm run spikegrid -- sweep ${name}.json --gateway ${origin}`;
