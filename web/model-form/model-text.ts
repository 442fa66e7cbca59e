import type { PlainKeyOf, TextOf } from '../i18n/text.ts';
import { enModel } from './en-model.ts';

/** The words of a model's form, as every screen that has one knows them. */
export type ModelText = Pick<TextOf<typeof enModel>, 't'>;

/** Label of a field; its wire name where it has no translation yet. */
export function fieldLabel({ t }: ModelText, name: string): string {
  return named(t, `modelField.${name}`) ?? name;
}

/** Label of a preset. */
export function presetLabel({ t }: ModelText, name: string): string {
  return named(t, `preset.${name}`) ?? name;
}

/** Label of an option; terms such as `LIF` or `f16` are the same in every language. */
export function choiceLabel({ t }: ModelText, choice: string): string {
  return named(t, `choice.${choice}`) ?? choice;
}

function named(t: ModelText['t'], key: string): string | undefined {
  // Names of fields, presets and choices come from the engine's tables, which a test holds against the words.
  return key in enModel ? t(key as PlainKeyOf<typeof enModel>) : undefined;
}
