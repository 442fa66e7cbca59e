import { useState } from 'react';
import type { Gaps, Level, PlotScale } from '../../../engine/pictures.ts';
import type { SeriesBuffer } from '../buffers/series-buffer.ts';
import { useSampled } from '../canvas/use-sampled.ts';
import { ChartFrame } from '../chart/ChartFrame.tsx';
import { CursorSlider } from '../chart/CursorSlider.tsx';
import { nearestRow } from './reading.ts';
import { SeriesControls } from './SeriesControls.tsx';
import { SeriesLegend } from './SeriesLegend.tsx';
import { describeLevels, describePoint, describeSeries, seriesTable } from './series-words.ts';
import type { PlotZoom } from './plot-zoom.ts';
import { SeriesCanvas } from './SeriesCanvas.tsx';
import css from './TimeSeries.module.css';
import { useChartText } from '../chart/chart-text.ts';

/** How often words follow the picture. */
const WORDS_EVERY_MS = 500;

const NO_LEVELS: readonly Level[] = [];

interface TimeSeriesProps {
  readonly title: string;
  readonly level?: 2 | 3;
  /** Rows are pushed into it by whoever measures; the plot draws them on the next frame. */
  readonly buffer: SeriesBuffer;
  /** One name for each of the buffer's series. */
  readonly series: readonly string[];
  /** The name of the x axis, such as "step". */
  readonly axis: string;
  /** Meaning of a row without a value; see Gaps. */
  readonly gaps?: Gaps;
  /** Values of the y axis to compare the curves with; its array stays the same while nothing of it changes. */
  readonly levels?: readonly Level[];
  /** A cursor shared by several charts; without it, each has its own. */
  readonly cursor?: SharedCursor;
  /** Its object stays the same while nothing of it changes. */
  readonly zoom?: PlotZoom;
}

/** The x that is read, null for none, and how to read another. */
interface SharedCursor {
  readonly x: number | null;
  readonly readAt: (x: number | null) => void;
}

/** Curves over steps or time, with log scale, smoothing, a cursor and the table behind them. */
export function TimeSeries(props: TimeSeriesProps) {
  const { title, level, buffer, series, axis, gaps = 'leave', levels = NO_LEVELS, zoom } = props;
  const text = useChartText();
  const [scale, setScale] = useState<PlotScale>('linear');
  const [smoothing, setSmoothing] = useState(0);
  const [ownX, readOwn] = useState<number | null>(null);
  const { x, readAt } = props.cursor ?? { x: ownX, readAt: readOwn };
  useSampled(buffer, WORDS_EVERY_MS);

  const window = buffer.window();
  const names = { series, axis };
  const row = x === null ? -1 : nearestRow(window.x, x);
  return (
    <ChartFrame
      title={title}
      {...(level ? { level } : {})}
      sentences={[...describeSeries(text, window, names), ...describeLevels(text, levels)]}
      legend={<SeriesLegend names={series} />}
      table={() => seriesTable(text, buffer.window(), names)}
      controls={
        <SeriesControls
          scale={scale}
          smoothing={smoothing}
          onScale={setScale}
          onSmoothing={setSmoothing}
        />
      }
    >
      <div className={css['plot']}>
        <CursorSlider
          chart={title}
          axis="horizontal"
          count={window.x.length}
          position={row < 0 ? null : row}
          reading={x === null ? '' : describePoint(text, window, names, x)}
          onMove={(position) => readAt(position === null ? null : (window.x[position] ?? null))}
        >
          <SeriesCanvas
            buffer={buffer}
            scale={scale}
            smoothing={smoothing}
            gaps={gaps}
            levels={levels}
            zoom={zoom}
            format={text.format}
            cursor={x}
            onPoint={readAt}
          />
        </CursorSlider>
      </div>
    </ChartFrame>
  );
}
