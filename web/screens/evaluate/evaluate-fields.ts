import { DEVICES, type EvaluationChoice, SPLITS } from '../../../engine/index.ts';
import type { NumberRule } from '../../ui/number-input.ts';
import { integer, oneOf, text, type Values } from '../../url-state/fields.ts';

export const FORMS = ['stream', 'windows'] as const;

export const RULES = {
  streams: { kind: 'integer', min: 1, max: 64 },
  windows: { kind: 'integer', min: 1, max: 1_000_000 },
} as const satisfies Readonly<Record<string, NumberRule>>;

/** The state in the address. Report ids are valid only in the browser that stores the reports. */
export const FIELDS = {
  /** `id@version` of a registered model. */
  model: text('', 260),
  split: oneOf('validation', SPLITS),
  form: oneOf('stream', FORMS),
  streams: integer(1, RULES.streams),
  // The number that validation takes.
  windows: integer(256, RULES.windows),
  device: oneOf('auto', DEVICES),
  shown: text('', 200),
};
export type EvaluateFields = Values<typeof FIELDS>;
export type ChangeEvaluate = (change: Partial<EvaluateFields>) => void;

export function choiceOf({ split, form, streams, windows }: EvaluateFields): EvaluationChoice {
  return form === 'stream' ? { split, streams } : { split, streams, windows };
}

const MAX_SHOWN = 4;

/** The ids of the compared reports, in order. */
export function shownIds({ shown }: Pick<EvaluateFields, 'shown'>): readonly string[] {
  return shown.split(',').filter((id) => id !== '');
}

/** Appends ids; the first ones make room beyond the maximum. */
export function withShown(ids: readonly string[], more: readonly string[]): string {
  const others = ids.filter((id) => !more.includes(id));
  return [...others, ...new Set(more)].slice(-MAX_SHOWN).join(',');
}

export function withoutShown(ids: readonly string[], id: string): string {
  return ids.filter((other) => other !== id).join(',');
}
