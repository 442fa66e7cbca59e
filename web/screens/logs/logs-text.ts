import { createScreenText, type ScreenText } from '../../i18n/screen-text.ts';
import { enLogs } from './words/en-logs.ts';
import { jaLogs } from './words/ja-logs.ts';

export type LogsText = ScreenText<typeof enLogs>;

/** Everything that is written on the log screen. */
export const useLogsText = createScreenText<typeof enLogs>({ en: enLogs, ja: jaLogs });
