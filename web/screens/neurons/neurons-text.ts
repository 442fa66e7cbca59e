import { createScreenText, type ScreenText } from '../../i18n/screen-text.ts';
import type { CodePlace } from '../../ui/CodeField.tsx';
import { enNeurons } from './words/en-neurons.ts';
import { jaNeurons } from './words/ja-neurons.ts';

export type NeuronsText = ScreenText<typeof enNeurons>;
/** Everything that is written in the Neuron lab. */
export const useNeuronsText = createScreenText<typeof enNeurons>({ en: enNeurons, ja: jaNeurons });

/** The place in words of the page's language, and for the eye; the fault itself is the engine's sentence. */
export function faultOf(
  { t, format }: NeuronsText,
  message: string,
): { error: string; place?: CodePlace } {
  const [, line, column, fault] = /^line (\d+), column (\d+): (.*)$/s.exec(message) ?? [];
  if (line === undefined || column === undefined || fault === undefined) return { error: message };
  const place = { line: Number(line), column: Number(column) };
  const [row, at] = [format.number(place.line), format.number(place.column)];
  return { error: t('equations.fault', { line: row, column: at, fault }), place };
}
