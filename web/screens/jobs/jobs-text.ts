import { createScreenText, type ScreenText } from '../../i18n/screen-text.ts';
import { enJobs } from './words/en-jobs.ts';
import { jaJobs } from './words/ja-jobs.ts';

export type JobsText = ScreenText<typeof enJobs>;

export const useJobsText = createScreenText<typeof enJobs>({ en: enJobs, ja: jaJobs });
