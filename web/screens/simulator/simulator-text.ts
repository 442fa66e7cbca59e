import { createScreenText, type ScreenText } from '../../i18n/screen-text.ts';
import { enSimulator } from './words/en-simulator.ts';
import { jaSimulator } from './words/ja-simulator.ts';

export type SimulatorText = ScreenText<typeof enSimulator>;

/** Everything that is written on the Simulator screen. */
export const useSimulatorText = createScreenText<typeof enSimulator>({
  en: enSimulator,
  ja: jaSimulator,
});
