import { createScreenText } from '../../i18n/screen-text.ts';
import { enBrainMetrics } from './words/en-brain-metrics.ts';
import { jaBrainMetrics } from './words/ja-brain-metrics.ts';

/** Everything that is written on the screen of the brain's metrics. */
export const useBrainMetricsText = createScreenText<typeof enBrainMetrics>({
  en: enBrainMetrics,
  ja: jaBrainMetrics,
});
