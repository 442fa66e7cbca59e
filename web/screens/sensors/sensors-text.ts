import { createScreenText, type ScreenText } from '../../i18n/screen-text.ts';
import { enSensors } from './words/en-sensors.ts';
import { jaSensors } from './words/ja-sensors.ts';

export type SensorsText = ScreenText<typeof enSensors>;

export const useSensorsText = createScreenText<typeof enSensors>({ en: enSensors, ja: jaSensors });
