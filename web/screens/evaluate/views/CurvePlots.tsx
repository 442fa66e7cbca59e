import { useEffect, useMemo, useState } from 'react';
import type { EvaluationReport, LanguageSection, SpikesSection } from '../../../../engine/index.ts';
import type { Curve, CurveMark, FixedRange } from '../../../../engine/pictures.ts';
import { Note } from '../../../ui/Layout.tsx';
import { createCurvesBuffer, type CurvesBuffer } from '../../../widgets/buffers/curves-buffer.ts';
import { layerWords } from '../../../widgets/spike-raster/layer-words.ts';
import { XyPlot } from '../../../widgets/xy-plot/XyPlot.tsx';
import css from '../Evaluate.module.css';
import type { ShownReport, ViewProps } from '../reports/shown-report.ts';
import { type EvaluateText, useEvaluateText } from '../words/en-evaluate.ts';

/** Reports keep their colours in every chart; the perfect curve comes last. */
const MARKS: readonly CurveMark[] = Array.from({ length: 4 }, () => 'linked-dots');
const WHOLE: FixedRange = [0, 1];
const PERFECT: Curve = { x: [0, 1], y: [0, 1] };

/** The reliability diagram: accuracy against confidence. */
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
      <Note>{t('reliability.note')}</Note>
    </div>
  );
}

export function calibrationOf({ language, classification }: EvaluationReport) {
  return (language ?? classification)?.calibration;
}

/** A point for each bin with predictions. */
export function reliabilityCurve(report: EvaluationReport): Curve {
  const filled = (calibrationOf(report)?.bins ?? []).filter(({ count }) => count > 0);
  return {
    x: filled.map(({ confidence }) => confidence ?? Number.NaN),
    y: filled.map(({ accuracy }) => accuracy ?? Number.NaN),
  };
}

/** A buffer that holds these curves. @param curves the same array while they do not change */
function useCurves(curves: readonly Curve[]): CurvesBuffer {
  const [buffer] = useState(createCurvesBuffer);
  useEffect(() => buffer.replace(curves), [buffer, curves]);
  return buffer;
}

interface PositionsPlotProps {
  readonly form: LanguageSection['form'];
  /** The reports whose text was read in this mode. */
  readonly reports: readonly ShownReport[];
}

/** The loss by position in a stream, or by the tokens of context in windows. */
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
        sentences={reports.map((shown, index) => lossesSentence(shown, curves[index], text))}
      />
    </div>
  );
}

/** A point at the middle of each bin: in per cent of the text, or in tokens. */
export function positionsCurve({ report: { language } }: ShownReport): Curve {
  const positions = language?.positions ?? [];
  const last = positions.at(-1)?.last ?? 1;
  const scale = language?.form === 'stream' ? 100 / last : 1;
  return {
    x: positions.map((bin) => ((bin.first + bin.last) / 2) * scale),
    y: positions.map((bin) => bin.nats_per_token),
  };
}

function lossesSentence(
  { name }: ShownReport,
  curve: Curve | undefined,
  { t, format }: EvaluateText,
) {
  const losses = Array.from(curve?.y ?? []);
  return t('positions.said', {
    name,
    low: format.number(Math.min(...losses)),
    high: format.number(Math.max(...losses)),
    first: format.number(losses[0] ?? Number.NaN),
    last: format.number(losses.at(-1) ?? Number.NaN),
  });
}

/** The firing rate of each layer, from first to last. */
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
  // Layers are named after the first report; other reports match them by position only.
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
          spikes ? ratesSentence(name, spikes, text) : [],
        )}
      />
    </div>
  );
}

function ratesSentence(name: string, { rate, layers }: SpikesSection, text: EvaluateText) {
  const { t, format } = text;
  const [highest] = layers.toSorted((a, b) => b.rate - a.rate);
  return t('layers.said', {
    name,
    rate: format.percent(rate),
    high: format.percent(highest?.rate ?? Number.NaN),
    layer: highest ? layerWords(text, highest.name) : '',
  });
}
