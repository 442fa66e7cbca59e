import {
  type Budget,
  defaultSampling,
  DEVICES,
  NORMALISATIONS,
  type PresetName,
  presets,
  recordedText,
  textFields,
  type TextFields,
  TOKENIZER_KINDS,
  type TrainingSettings,
} from '../../../engine/index.ts';
import type { NumberRule } from '../../ui/number-input.ts';
import { flag, integer, number, oneOf, text, type Values } from '../../url-state/fields.ts';

export const TEXTS = ['moby-dick', 'stories', 'paste', 'file'] as const;
export type TextName = (typeof TEXTS)[number];

export const BUDGET_KINDS = ['steps', 'epochs', 'minutes'] as const;

const first = presets.tiny;

/** What each number may be; whether they go together is for the engine to say. */
export const RULES = {
  d_model: { kind: 'integer', min: 1, max: 4096 },
  heads: { kind: 'integer', min: 1, max: 256 },
  blocks: { kind: 'integer', min: 1, max: 64 },
  time_steps: { kind: 'integer', min: 1, max: 64 },
  seq_len: { kind: 'integer', min: 2, max: 4096 },
  batch_size: { kind: 'integer', min: 1, max: 1024 },
  learning_rate: { kind: 'decimal', min: 1e-7, max: 10 },
  seed: { kind: 'integer', min: 0, max: 999_999_999_999_999 },
  vocab_size: {
    kind: 'integer',
    min: textFields.vocab_size.least,
    max: textFields.vocab_size.most,
  },
  budget: { kind: 'decimal', min: 0.001, max: 10_000_000 },
  steps: { kind: 'integer', min: 1, max: 10_000_000 },
  check_every: { kind: 'integer', min: 1, max: 100_000 },
  tokens: { kind: 'integer', min: 1, max: 100_000 },
  temperature: { kind: 'decimal', min: 0, max: 10 },
  top_k: { kind: 'integer', min: 0, max: 100_000 },
  top_p: { kind: 'decimal', min: 0.01, max: 1 },
  sample_seed: { kind: 'integer', min: 0, max: 999_999_999_999_999 },
} as const satisfies Readonly<Record<string, NumberRule>>;

/** Everything of the lab that a link carries; named as on the wire. */
export const FIELDS = {
  text: oneOf('moby-dick', TEXTS),
  tokenizer: oneOf('character', TOKENIZER_KINDS),
  vocab_size: integer(textFields.vocab_size.initial, RULES.vocab_size),
  encoding: oneOf('detected', textFields.encoding.choices),
  aozora: flag(textFields.aozora.initial),
  normalise: oneOf('none', NORMALISATIONS),
  d_model: integer(first.width, RULES.d_model),
  heads: integer(first.heads, RULES.heads),
  blocks: integer(first.blocks, RULES.blocks),
  time_steps: integer(first.steps, RULES.time_steps),
  seq_len: integer(first.sequence, RULES.seq_len),
  batch_size: integer(first.batch, RULES.batch_size),
  learning_rate: number(first.learningRate, RULES.learning_rate),
  seed: integer(1, RULES.seed),
  budget: number(500, RULES.budget),
  budget_in: oneOf('steps', BUDGET_KINDS),
  check_every: integer(50, RULES.check_every),
  device: oneOf('auto', DEVICES),
  layer: text('', 64),
  /** `id@version` of a registered model; empty for the one in the lab. */
  model: text('', 260),
  prompt: text('', 500),
  tokens: integer(300, RULES.tokens),
  temperature: number(defaultSampling.temperature, RULES.temperature),
  top_k: integer(defaultSampling.topK, RULES.top_k),
  top_p: number(defaultSampling.topP, RULES.top_p),
  sample_seed: integer(defaultSampling.seed, RULES.sample_seed),
};
export type LabFields = Values<typeof FIELDS>;
export type ChangeFields = (change: Partial<LabFields>) => void;

/** How a text is read, as the engine takes it. */
export function readingFrom(fields: LabFields): Partial<TextFields> {
  const { tokenizer, vocab_size, encoding, aozora, normalise } = fields;
  return recordedText({ tokenizer, vocab_size, encoding, aozora, normalise });
}

/** The settings of a run as the engine takes them. */
export function settingsFrom(fields: LabFields): TrainingSettings {
  return {
    width: fields.d_model,
    heads: fields.heads,
    blocks: fields.blocks,
    steps: fields.time_steps,
    sequence: fields.seq_len,
    batch: fields.batch_size,
    learningRate: fields.learning_rate,
    text: readingFrom(fields),
    seed: fields.seed,
    budget: budgetFrom(fields),
  };
}

/** The fields of a run's settings, to put a loaded checkpoint's into the form. */
export function fieldsFrom(settings: TrainingSettings): Partial<LabFields> {
  const { budget } = settings;
  return {
    ...modelFields(settings),
    ...settings.text,
    seed: settings.seed,
    budget_in: budget.kind,
    budget: amountOf(budget),
  };
}

/** The values that a preset puts into the fields. */
export function presetFields(preset: PresetName): Partial<LabFields> {
  return modelFields(presets[preset]);
}

/** The preset whose values the fields have, if they have those of any. */
export function presetOf(fields: LabFields): PresetName | 'custom' {
  const names = Object.keys(presets) as PresetName[];
  const hasAll = (name: PresetName) =>
    Object.entries(presetFields(name)).every(
      ([field, value]) => fields[field as keyof LabFields] === value,
    );
  return names.find(hasAll) ?? 'custom';
}

function modelFields(settings: Omit<TrainingSettings, 'seed' | 'budget'>): Partial<LabFields> {
  return {
    d_model: settings.width,
    heads: settings.heads,
    blocks: settings.blocks,
    time_steps: settings.steps,
    seq_len: settings.sequence,
    batch_size: settings.batch,
    learning_rate: settings.learningRate,
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
