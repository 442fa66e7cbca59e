import { useId, useState, type ReactNode } from 'react';
import { edgesOf, type ValueBins } from '../../../engine/pictures.ts';
import { ChartFrame } from '../chart/ChartFrame.tsx';
import { PlotCursor } from '../chart/PlotCursor.tsx';
import { HistogramBars } from '../histogram/HistogramBars.tsx';
import css from '../histogram/Histogram.module.css';
import { useChartText } from '../chart/chart-text.ts';

interface ValueHistogramProps {
  readonly title: string;
  readonly level?: 2 | 3;
  /** Another object is another picture: give one a second, not one a frame. */
  readonly bins: ValueBins;
  /** Name and unit of the counted value. */
  readonly label: string;
  /** A value with its unit. */
  readonly write: (value: number) => string;
  /** The histogram in words; without any there are no data. */
  readonly sentences: readonly string[];
  readonly controls?: ReactNode;
}

/** How often values fall into each of the bins between two ends. */
export function ValueHistogram(props: ValueHistogramProps) {
  const { title, level, bins, label, write, sentences, controls } = props;
  const { t, format } = useChartText();
  const patterns = useId();
  const [bar, setBar] = useState<number | null>(null);
  const bars = Array.from(bins.counts, (count, bin) => {
    const [from, to] = edgesOf(bins, bin);
    const edges = { from: write(from), to: write(to) };
    const range = t('histogram.range', edges);
    return { kind: 'live', count, range, words: t('bins.bar', { ...edges, count }) } as const;
  });
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <ChartFrame
      title={title}
      {...(level ? { level } : {})}
      sentences={sentences}
      controls={controls}
      table={() => ({
        columns: [label, t('bins.count')],
        rows: bars.map(({ range, count }) => [range, String(count)]),
      })}
    >
      <div className={css['layout']}>
        <div className={css['counts']} aria-hidden="true">
          <span>{format.integer(most)}</span>
          <span>{format.integer(0)}</span>
        </div>
        <div className={css['plot']}>
          <PlotCursor
            chart={title}
            axis="horizontal"
            count={bars.length}
            position={bar}
            reading={bar === null ? '' : (bars[bar]?.words ?? '')}
            onMove={setBar}
          >
            <HistogramBars bars={bars} most={most} patterns={patterns} />
          </PlotCursor>
        </div>
        <div className={css['ends']} aria-hidden="true">
          <span>{write(bins.from)}</span>
          <span>{label}</span>
          <span>{write(bins.to)}</span>
        </div>
      </div>
    </ChartFrame>
  );
}
