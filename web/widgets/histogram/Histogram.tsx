import { useId, useState, type ReactNode } from 'react';
import { ChartFrame } from '../chart/ChartFrame.tsx';
import { PlotCursor } from '../chart/PlotCursor.tsx';
import type { RateBins } from './bin-rates.ts';
import css from './Histogram.module.css';
import { HistogramBars } from './HistogramBars.tsx';
import { barsOf, describeRates, histogramTable } from './histogram-words.ts';
import { useChartText } from '../chart/chart-text.ts';

interface HistogramProps {
  readonly title: string;
  readonly level?: 2 | 3;
  /** Another object is another picture: give one a second, not one a frame. */
  readonly rates: RateBins;
  /** Switches beside the title. */
  readonly controls?: ReactNode;
}

/** How the firing rates of a layer are spread, with the neurons that never or always fire set apart. */
export function Histogram(props: HistogramProps) {
  const { title, level, rates, controls } = props;
  const text = useChartText();
  const patterns = useId();
  const [bar, setBar] = useState<number | null>(null);
  const bars = barsOf(text, rates);
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <ChartFrame
      title={title}
      {...(level ? { level } : {})}
      sentences={rates.neurons === 0 ? [] : [describeRates(text, rates)]}
      controls={controls}
      table={() => histogramTable(text, bars)}
    >
      <div className={css['layout']}>
        <div className={css['counts']} aria-hidden="true">
          <span>{text.format.integer(most)}</span>
          <span>{text.format.integer(0)}</span>
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
          <span>{text.t('histogram.dead')}</span>
          <span>{text.format.percent(rates.saturatedAt / 2)}</span>
          <span>{text.t('histogram.saturated')}</span>
        </div>
      </div>
    </ChartFrame>
  );
}
