import { createScreenText, type ScreenText } from '../../i18n/screen-text.ts';
import { enAlerts } from './words/en-alerts.ts';
import { jaAlerts } from './words/ja-alerts.ts';

export type AlertsText = ScreenText<typeof enAlerts>;

export const useAlertsText = createScreenText<typeof enAlerts>({ en: enAlerts, ja: jaAlerts });
