import { createScreenText, type ScreenText } from '../../i18n/screen-text.ts';
import { enCharts } from './words/en-charts.ts';
import { jaCharts } from './words/ja-charts.ts';

export type ChartText = ScreenText<typeof enCharts>;

/** The words of the charts: the page begins without any. */
export const useChartText = createScreenText<typeof enCharts>({ en: enCharts, ja: jaCharts });
