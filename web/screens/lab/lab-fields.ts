import {
  ARCHITECTURES,
  type Budget,
  DEFAULT_MINUTES,
  defaultSampling,
  DEVICES,
  type RunSettings,
} from '../../../engine/index.ts';
import type { NumberRule } from '../../ui/number-input.ts';
import { integer, number, oneOf, text, type Values } from '../../url-state/fields.ts';
import { type ModelValues, settingsOf } from '../../model-form/model-values.ts';

export const TEXTS = ['moby-dick', 'stories', 'paste', 'file'] as const;
export type TextName = (typeof TEXTS)[number];

export const BUDGET_KINDS = ['steps', 'epochs', 'minutes'] as const;

/** Bounds of each number; the engine validates their combination. */
export const RULES = {
  seed: { kind: 'integer', min: 0, max: 999_999_999_999_999 },
  budget: { kind: 'decimal', min: 0.001, max: 10_000_000 },
  steps: { kind: 'integer', min: 1, max: 10_000_000 },
  check_every: { kind: 'integer', min: 1, max: 100_000 },
  tokens: { kind: 'integer', min: 1, max: 100_000 },
  temperature: { kind: 'decimal', min: 0, max: 10 },
  sample_top_k: { kind: 'integer', min: 0, max: 100_000 },
  top_p: { kind: 'decimal', min: 0.01, max: 1 },
  sample_seed: { kind: 'integer', min: 0, max: 999_999_999_999_999 },
} as const satisfies Readonly<Record<string, NumberRule>>;

/** Lab settings in the URL besides the values of the model; named as on the wire. */
export const FIELDS = {
  architecture: oneOf('dense_chronospike', ARCHITECTURES),
  text: oneOf('moby-dick', TEXTS),
  seed: integer(1, RULES.seed),
  budget: number(DEFAULT_MINUTES, RULES.budget),
  budget_in: oneOf('minutes', BUDGET_KINDS),
  check_every: integer(200, RULES.check_every),
  device: oneOf('auto', DEVICES),
  layer: text('', 64),
  /** `id@version` of a registered model; empty for the one in the lab. */
  model: text('', 260),
  prompt: text('', 500),
  tokens: integer(300, RULES.tokens),
  temperature: number(defaultSampling.temperature, RULES.temperature),
  sample_top_k: integer(defaultSampling.topK, RULES.sample_top_k),
  top_p: number(defaultSampling.topP, RULES.top_p),
  sample_seed: integer(defaultSampling.seed, RULES.sample_seed),
};
export type LabFields = Values<typeof FIELDS>;
export type ChangeFields = (change: Partial<LabFields>) => void;

/** The settings of a run as the engine takes them: what nobody chose is as the recipe says. */
export function settingsFrom(fields: LabFields, model: ModelValues): RunSettings {
  return settingsOf(fields.architecture, model, { seed: fields.seed, budget: budgetFrom(fields) });
}

/** Fills the form from the settings of a run, such as those of a loaded checkpoint. */
export function formFrom({
  architecture,
  fields,
  batch,
  learningRate,
  seed,
  budget,
}: RunSettings): {
  readonly fields: Partial<LabFields>;
  readonly model: ModelValues;
} {
  return {
    fields: { architecture, seed, budget_in: budget.kind, budget: amountOf(budget) },
    model: { ...fields, batch_size: batch, learning_rate: learningRate },
  };
}

function budgetFrom({ budget_in: kind, budget }: LabFields): Budget {
  if (kind === 'epochs') return { kind, epochs: budget };
  if (kind === 'minutes') return { kind, minutes: budget };
  return { kind, steps: Math.max(1, Math.round(budget)) };
}

function amountOf(budget: Budget): number {
  if (budget.kind === 'epochs') return budget.epochs;
  return budget.kind === 'minutes' ? budget.minutes : budget.steps;
}
