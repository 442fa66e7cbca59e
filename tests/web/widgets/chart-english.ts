import { en } from '../../../web/i18n/en.ts';
import { ja } from '../../../web/i18n/ja.ts';
import { createTextOf } from '../../../web/i18n/text.ts';
import type { ChartText } from '../../../web/widgets/chart/chart-text.ts';
import { enCharts } from '../../../web/widgets/chart/words/en-charts.ts';
import { jaCharts } from '../../../web/widgets/chart/words/ja-charts.ts';

/** The words of the charts, as their hook gives them to an English page. */
export const text: ChartText = createTextOf(
  { en: { ...en, ...enCharts }, ja: { ...ja, ...jaCharts } },
  'en',
);
