import { createScreenText, type ScreenText } from '../../i18n/screen-text.ts';
import { enTestRuns } from './words/en-test-runs.ts';
import { jaTestRuns } from './words/ja-test-runs.ts';

export type TestRunsText = ScreenText<typeof enTestRuns>;

/** Everything that is written on the screen of test runs. */
export const useTestRunsText = createScreenText<typeof enTestRuns>({
  en: enTestRuns,
  ja: jaTestRuns,
});
