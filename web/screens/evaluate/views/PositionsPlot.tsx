import { useMemo } from 'react';
import type { LanguageSection } from '../../../../engine/index.ts';
import type { Curve } from '../../../widgets/buffers/curves-buffer.ts';
import type { CurveMark } from '../../../widgets/xy-plot/xy-painter.ts';
import { XyPlot } from '../../../widgets/xy-plot/XyPlot.tsx';
import css from '../Evaluate.module.css';
import { type EvaluateText, useEvaluateText } from '../evaluate-text.ts';
import type { ShownReport } from '../reports/shown-report.ts';
import { useCurves } from './use-curves.ts';

export interface PositionsPlotProps {
  readonly form: LanguageSection['form'];
  /** Those whose text was read in this form. */
  readonly reports: readonly ShownReport[];
}

const MARKS: readonly CurveMark[] = Array.from({ length: 4 }, () => 'linked-dots');

/** The loss along the text of streams, or over the tokens of context of windows. */
export function PositionsPlot({ form, reports }: PositionsPlotProps) {
  const text = useEvaluateText();
  const { t, format } = text;
  const curves = useMemo(() => reports.map(positionsCurve), [reports]);
  const buffer = useCurves(curves);
  const series = useMemo(() => reports.map((shown) => shown.series), [reports]);
  const isStream = form === 'stream';
  return (
    <div className={css['card']}>
      <XyPlot
        title={t(isStream ? 'positions.text' : 'positions.context')}
        buffer={buffer}
        names={reports.map(({ name }) => name)}
        marks={MARKS}
        series={series}
        x={{
          label: t(isStream ? 'positions.share' : 'positions.tokens'),
          write: (value) =>
            isStream
              ? t('positions.percent', { value: format.number(value) })
              : format.number(value),
        }}
        y={{ label: t('positions.nats'), write: format.number }}
        sentences={reports.map((shown, index) => saidOf(shown, curves[index], text))}
      />
    </div>
  );
}

/** A bin stands at its middle: in per cent of the text, or in tokens. */
export function positionsCurve({ report: { language } }: ShownReport): Curve {
  const positions = language?.positions ?? [];
  const last = positions.at(-1)?.last ?? 1;
  const scale = language?.form === 'stream' ? 100 / last : 1;
  return {
    x: positions.map((bin) => ((bin.first + bin.last) / 2) * scale),
    y: positions.map((bin) => bin.nats_per_token),
  };
}

function saidOf({ name }: ShownReport, curve: Curve | undefined, { t, format }: EvaluateText) {
  const losses = Array.from(curve?.y ?? []);
  return t('positions.said', {
    name,
    low: format.number(Math.min(...losses)),
    high: format.number(Math.max(...losses)),
    first: format.number(losses[0] ?? Number.NaN),
    last: format.number(losses.at(-1) ?? Number.NaN),
  });
}
