import { createScreenText, type ScreenText } from '../../i18n/screen-text.ts';
import { enNeurons } from './words/en-neurons.ts';
import { jaNeurons } from './words/ja-neurons.ts';

export type NeuronsText = ScreenText<typeof enNeurons>;
/** Everything that is written in the Neuron lab. */
export const useNeuronsText = createScreenText<typeof enNeurons>({ en: enNeurons, ja: jaNeurons });
