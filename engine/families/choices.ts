import type { ProfileName } from '../train/profiles.ts';
import type { Architecture } from './architectures.ts';
import { heldFields, type SpecRecord } from './base-structure.ts';
import { familyFacts, type Preset } from './facts.ts';
import { type Fields, type FieldValue, initialFields } from './fields.ts';

/** A value that a request left out, and why it is what it is. */
export interface Choice {
  readonly value: FieldValue;
  readonly reason: string;
}
export type Choices = Readonly<Record<string, Choice>>;

/** What a run has beside the fields of its family. */
const SHARED = ['batch_size', 'learning_rate', 'seed'] as const;
const DEFAULT_SEED = 1;

/** Rule 9: what the choice "stable baseline" fills in, in every family that has such a field. */
export const STABLE_BASELINE: Fields = { seq_len: 64, learning_rate: 1e-4 };

/** What is known of a run besides the values it was given. */
export interface ChoiceContext {
  readonly profile: ProfileName;
  /** The model it goes on from: its structure holds. */
  readonly base?: { readonly name: string; readonly spec: SpecRecord };
}

/**
 * The values of all fields that a request left out, each with its reason. What was given is never
 * touched. In this order: the model to go on from, the choice "stable baseline", the preset that is
 * closest to the sizes that were given.
 */
export function chooseLeftOut(
  architecture: Architecture,
  given: Fields,
  { profile, base }: ChoiceContext,
): Choices {
  const { fields: table } = familyFacts[architecture];
  const left = [...Object.keys(table), ...SHARED].filter((name) => given[name] === undefined);
  const held: Fields = base ? heldFields(base.spec) : {};
  const isBaseline = profile === 'stable_baseline';
  const initial: Fields = { ...initialFields(table), seed: DEFAULT_SEED };
  const [name, preset] = closestPreset(architecture, { ...initial, ...held, ...given });
  const reasoned = (field: string): Choice => {
    const [own, baseline] = [held[field], isBaseline ? STABLE_BASELINE[field] : undefined];
    if (own !== undefined) return { value: own, reason: `as in the base model ${base?.name}` };
    if (baseline !== undefined) return { value: baseline, reason: 'of the choice stable_baseline' };
    const measured = { batch_size: preset.batch, learning_rate: preset.learningRate }[field];
    if (measured !== undefined) {
      return { value: measured, reason: `of the preset ${name} of ${architecture}` };
    }
    return { value: initial[field] ?? 0, reason: `the first value of ${architecture}` };
  };
  const choices = Object.fromEntries(left.map((field) => [field, reasoned(field)]));
  const isBpe = (given['tokenizer'] ?? choices['tokenizer']?.value) === 'bpe';
  // Of characters there are as many as the text has.
  if (!isBpe) delete choices['vocab_size'];
  return { ...choices, ...dividingHeads(choices, given) };
}

/** The values alone, beside those that were given. */
export function withChoices(given: Fields, choices: Choices): Fields {
  const chosen = Object.entries(choices).map(([name, { value }]) => [name, value]);
  return { ...given, ...Object.fromEntries(chosen) };
}

/** Heads that were left out divide the width that was given (rule 1). */
function dividingHeads(choices: Choices, { d_model: width }: Fields): Choices {
  const heads = choices['n_heads']?.value;
  if (typeof width !== 'number' || typeof heads !== 'number' || width % heads === 0) return {};
  let value = Math.min(heads, width);
  while (width % value !== 0) value--;
  return { n_heads: { value, reason: `the most up to ${heads} that divide d_model ${width}` } };
}

/** The preset whose sizes come closest to those of a run, in steps of doubling. */
function closestPreset(architecture: Architecture, values: Fields): readonly [string, Preset] {
  const distance = ({ fields }: Preset) =>
    Object.entries(fields).reduce((sum, [name, size]) => sum + apart(size, values[name]), 0);
  const presets = Object.entries<Preset>(familyFacts[architecture].presets);
  const [closest] = presets.toSorted(([, a], [, b]) => distance(a) - distance(b));
  if (!closest) throw new Error(`${architecture} has no preset`);
  return closest;
}

function apart(a: FieldValue, b: FieldValue | undefined): number {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(Math.log2(a / b));
  return a === b ? 0 : 1;
}
