import { useMemo } from 'react';
import type { SpikesSection } from '../../../../engine/index.ts';
import { layerWords } from '../../../widgets/spike-raster/layer-words.ts';
import type { CurveMark } from '../../../widgets/xy-plot/xy-painter.ts';
import { XyPlot } from '../../../widgets/xy-plot/XyPlot.tsx';
import css from '../Evaluate.module.css';
import { type EvaluateText, useEvaluateText } from '../evaluate-text.ts';
import type { ShownReport } from '../reports/shown-report.ts';
import type { ViewProps } from './Pictures.tsx';
import { useCurves } from './use-curves.ts';

const MARKS: readonly CurveMark[] = Array.from({ length: 4 }, () => 'linked-dots');

/** How often the neurons of each layer fire, in the order in which they do. */
export function LayersPlot({ reports }: ViewProps) {
  const text = useEvaluateText();
  const { t, format } = text;
  const curves = useMemo(
    () =>
      reports.map(({ report }) => {
        const layers = report.spikes?.layers ?? [];
        return { x: layers.map((_, index) => index + 1), y: layers.map(({ rate }) => rate) };
      }),
    [reports],
  );
  const buffer = useCurves(curves);
  const series = useMemo(() => reports.map((shown) => shown.series), [reports]);
  const [first] = reports;
  // Layers are named after the first report; of others only those at the same place are alike.
  const layerAt = (place: number) => {
    const layer = first?.report.spikes?.layers[place - 1];
    return layer ? layerWords(text, layer.name) : format.number(place);
  };
  return (
    <div className={css['card']}>
      <XyPlot
        title={t('layers.title')}
        buffer={buffer}
        names={reports.map(({ name }) => name)}
        marks={MARKS}
        series={series}
        x={{ label: t('layers.layer'), write: layerAt }}
        y={{ label: t('layers.rate'), write: format.percent }}
        sentences={reports.flatMap(({ name, report: { spikes } }: ShownReport) =>
          spikes ? saidOf(name, spikes, text) : [],
        )}
      />
    </div>
  );
}

function saidOf(name: string, { rate, layers }: SpikesSection, text: EvaluateText) {
  const { t, format } = text;
  const [highest] = layers.toSorted((a, b) => b.rate - a.rate);
  return t('layers.said', {
    name,
    rate: format.percent(rate),
    high: format.percent(highest?.rate ?? Number.NaN),
    layer: highest ? layerWords(text, highest.name) : '',
  });
}
