import { createScreenText } from '../../i18n/screen-text.ts';
import { enMetrics } from './words/en-metrics.ts';
import { jaMetrics } from './words/ja-metrics.ts';

export const useMetricsText = createScreenText<typeof enMetrics>({ en: enMetrics, ja: jaMetrics });
