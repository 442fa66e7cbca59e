import { geometricTau } from './dense-chronospike/structure.ts';
import type { Fields, FieldValue } from '../settings/fields.ts';

/** A model_spec as untrusted JSON. */
export type SpecRecord = Readonly<Record<string, unknown>>;

/** A field in which a base model is not what a run asks for. */
interface StructureDifference {
  readonly aspect: 'structure' | 'vocabulary' | 'tokenizer';
  readonly field: string;
  /** Where the model_spec says it, as a JSON pointer. */
  readonly pointer: string;
  readonly held: unknown;
  readonly asked: FieldValue;
}

/** The fields in a model_spec by name: at its top, in its core, or derived. */
export function heldFields(spec: SpecRecord): Fields {
  const { core, tokenizer, ...own } = spec;
  const inner = recordOf(core);
  const named = {
    ...inner,
    ...own,
    tokenizer: recordOf(tokenizer)['name'],
    ngram_order: recordOf(own['ngrams'])['order'] ?? 0,
    longest_tau: longestTau(own['n_heads'], inner),
    ...(own['architecture'] === 'dense_chronospike' && {
      neuron_equations: recordOf(inner['equations'])['text'] ?? '',
    }),
  };
  const entries = Object.entries(named).filter(([, value]) => isFieldValue(value));
  return Object.fromEntries(entries) as Fields;
}

/** Rule 4: training continues only where all that a spec says of what was asked for is the same. */
export function structureDifferences(
  spec: SpecRecord,
  { architecture, fields }: { readonly architecture: string; readonly fields: Fields },
): readonly StructureDifference[] {
  const held = heldFields(spec);
  return Object.entries({ architecture, ...fields })
    .filter(([field, asked]) => field in held && held[field] !== asked)
    .map(([field, asked]) => ({
      aspect: aspectOf(field),
      field,
      pointer: pointerOf(spec, field),
      held: held[field],
      asked,
    }));
}

/** 0 where the constants are spread up to the length of a sequence, as the field says it. */
function longestTau(heads: unknown, { tau, seq_len: sequence }: SpecRecord): number | undefined {
  if (!Array.isArray(tau) || typeof heads !== 'number' || typeof sequence !== 'number') {
    return undefined;
  }
  const isSpread = JSON.stringify(geometricTau(heads, sequence)) === JSON.stringify(tau);
  return isSpread ? 0 : Number(tau.at(-1));
}

const aspectOf = (field: string): StructureDifference['aspect'] =>
  field === 'tokenizer' ? 'tokenizer' : field === 'vocab_size' ? 'vocabulary' : 'structure';

function pointerOf(spec: SpecRecord, field: string): string {
  if (field === 'tokenizer') return '/model_spec/tokenizer/name';
  if (field === 'ngram_order') return '/model_spec/ngrams/order';
  if (field === 'longest_tau') return '/model_spec/core/tau';
  if (field === 'neuron_equations') return '/model_spec/core/equations/text';
  return field in spec ? `/model_spec/${field}` : `/model_spec/core/${field}`;
}

const isFieldValue = (value: unknown): value is FieldValue =>
  ['string', 'number', 'boolean'].includes(typeof value);

const recordOf = (value: unknown): SpecRecord =>
  typeof value === 'object' && value !== null ? { ...value } : {};
