import type { Timing } from '../../../../edge/inference/contract/infer.ts';
import { classNames } from '../../../ui/class-names.ts';
import { ChartFrame } from '../../../widgets/chart/ChartFrame.tsx';
import type { TableData } from '../../../widgets/chart/table-data.ts';
import { usePlaygroundText, type PlaygroundText } from '../playground-text.ts';
import { durationWords } from './durations.ts';
import { Figures } from './Figures.tsx';
import { LATENCY_PARTS, latencyOf, type Latency } from './latency.ts';
import css from './LatencyChart.module.css';

interface LatencyChartProps {
  readonly model: string;
  /** Server-side timing. */
  readonly timing: Timing;
  /** From the request to the end of the answer, as this page saw it. */
  readonly totalMs: number;
}

/** How the time of an answer is divided: one bar, each part with its own hatching. */
export function LatencyChart({ model, timing, totalMs }: LatencyChartProps) {
  const text = usePlaygroundText();
  const latency = latencyOf(timing, totalMs);
  return (
    <ChartFrame
      title={text.t('latency.of', { model })}
      level={3}
      sentences={[sentenceOf(text, latency)]}
      table={() => tableOf(text, latency)}
    >
      <div className={css['bar']} aria-hidden="true">
        {LATENCY_PARTS.map((part) => (
          <span
            key={part}
            className={classNames(css['part'], css[part])}
            style={{ flexGrow: latency.parts[part] }}
          />
        ))}
      </div>
      <Figures
        facts={LATENCY_PARTS.map((part) => ({
          label: text.t(`latency.${part}`),
          mark: <span className={classNames(css['swatch'], css[part])} />,
          value: durationWords(text, latency.parts[part]),
        }))}
      />
    </ChartFrame>
  );
}

function sentenceOf(text: PlaygroundText, { parts, total }: Latency): string {
  const words = (ms: number) => durationWords(text, ms);
  return text.t('latency.sentence', {
    total: words(total),
    queue: words(parts.queue),
    compute: words(parts.compute),
    network: words(parts.network),
  });
}

function tableOf(text: PlaygroundText, { parts, total }: Latency): TableData {
  const { t, format } = text;
  const row = (label: string, ms: number) => [
    label,
    durationWords(text, ms),
    format.percent(total === 0 ? Number.NaN : ms / total),
  ];
  return {
    columns: [t('latency.part'), t('latency.time'), t('latency.fraction')],
    rows: [
      ...LATENCY_PARTS.map((part) => row(t(`latency.${part}`), parts[part])),
      row(t('latency.total'), total),
    ],
  };
}
