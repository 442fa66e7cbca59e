import { useMemo } from 'react';
import type { EvaluationReport } from '../../../../engine/index.ts';
import type { Curve } from '../../../widgets/buffers/curves-buffer.ts';
import type { CurveMark } from '../../../widgets/xy-plot/xy-painter.ts';
import type { FixedRange } from '../../../widgets/xy-plot/xy-scale.ts';
import { XyPlot } from '../../../widgets/xy-plot/XyPlot.tsx';
import css from '../Evaluate.module.css';
import { useEvaluateText } from '../evaluate-text.ts';
import type { ViewProps } from './Pictures.tsx';
import { useCurves } from './use-curves.ts';

/** Reports have the colours they have everywhere: what is perfect comes last. */
const MARKS: readonly CurveMark[] = Array.from({ length: 4 }, () => 'linked-dots');
const WHOLE: FixedRange = [0, 1];
const PERFECT: Curve = { x: [0, 1], y: [0, 1] };

/** How often a model was right when it was so sure. */
export function ReliabilityPlot({ reports }: ViewProps) {
  const { t, format } = useEvaluateText();
  const curves = useMemo(
    () => [...reports.map(({ report }) => reliabilityCurve(report)), PERFECT],
    [reports],
  );
  const marks = useMemo(() => [...MARKS.slice(0, reports.length), 'line' as const], [reports]);
  const series = useMemo(() => [...reports.map((shown) => shown.series), MARKS.length], [reports]);
  const buffer = useCurves(curves);
  return (
    <div className={css['card']}>
      <XyPlot
        title={t('reliability.title')}
        buffer={buffer}
        names={[...reports.map(({ name }) => name), t('reliability.perfect')]}
        marks={marks}
        series={series}
        x={{ label: t('reliability.confidence'), write: format.percent, range: WHOLE }}
        y={{ label: t('reliability.accuracy'), write: format.percent, range: WHOLE }}
        sentences={reports.map(({ name, report }) =>
          t('reliability.said', {
            name,
            error: format.percent(calibrationOf(report)?.expected_error ?? Number.NaN),
          }),
        )}
      />
      <p className={css['hint']}>{t('reliability.note')}</p>
    </div>
  );
}

export function calibrationOf({ language, classification }: EvaluationReport) {
  return (language ?? classification)?.calibration;
}

/** A point for each bin that has answers. */
export function reliabilityCurve(report: EvaluationReport): Curve {
  const filled = (calibrationOf(report)?.bins ?? []).filter(({ count }) => count > 0);
  return {
    x: filled.map(({ confidence }) => confidence ?? Number.NaN),
    y: filled.map(({ accuracy }) => accuracy ?? Number.NaN),
  };
}
