import { SERIES_DASHES } from '../../../engine/pictures.ts';
import { PlotCursor } from '../chart/PlotCursor.tsx';
import css from './TimeChart.module.css';
import {
  curvePath,
  fractionOf,
  stepAt,
  timeOf,
  timeTicks,
  valueScale,
  type ScaleRules,
  type TimeGrid,
  type ValueScale,
} from './time-scale.ts';
import { readingOf, tickFormat, type GridSeries, type WriteValue } from './time-words.ts';
import { useChartText } from '../chart/chart-text.ts';

export interface TimeSpan {
  readonly state: 'pending' | 'firing';
  readonly from: number;
  readonly to: number;
}

/** The moment that is read, shared by the charts whose cursors go together. */
export interface TimeCursor {
  readonly at: number | null;
  readonly move: (at: number | null) => void;
}

interface TimePlotProps {
  readonly title: string;
  readonly curves: readonly GridSeries[];
  readonly grid: TimeGrid;
  readonly write: WriteValue;
  readonly threshold?: { readonly value: number; readonly label: string };
  readonly spans: readonly TimeSpan[];
  readonly base: NonNullable<ScaleRules['base']>;
  readonly silence: number;
  readonly cursor: TimeCursor;
}

const MAX_TICKS = 6;
/** So near to an end of the axis the words of a tick would be cut off. */
const EDGE = 0.05;

/** The plot itself: axes in HTML, so that their words stay as large as any; curves in SVG. */
export function TimePlot(props: TimePlotProps) {
  const { title, curves, grid, write, threshold, spans, base, silence, cursor } = props;
  const text = useChartText();
  const scale = valueScale(
    [...curves.flatMap(({ values }) => [...values]), ...(threshold ? [threshold.value] : [])],
    { base, write },
  );
  const step = cursor.at === null ? null : stepAt(grid, cursor.at);
  const position = step !== null && step >= 0 && step < grid.count ? step : null;
  return (
    <div className={css['plot']}>
      <ValueAxis scale={scale} write={write} />
      <div className={css['area']}>
        <PlotCursor
          chart={title}
          axis="horizontal"
          count={grid.count}
          position={position}
          reading={
            position === null ? '' : readingOf(text, curves, { grid, step: position, write })
          }
          onMove={(to) => cursor.move(to === null ? null : timeOf(grid, to))}
        >
          <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true">
            <Spans spans={spans} grid={grid} />
            {scale.ticks.map((tick) => (
              <path key={tick} className={css['grid']} d={`M0 ${yOf(scale, tick)}H1000`} />
            ))}
            {threshold && (
              <path className={css['threshold']} d={`M0 ${yOf(scale, threshold.value)}H1000`} />
            )}
            {curves.map(({ name, values }, index) => (
              <path
                key={name}
                className={css['curve']}
                d={curvePath(values, scale, silence)}
                stroke={`var(--series-${(index % SERIES_DASHES.length) + 1})`}
                strokeDasharray={SERIES_DASHES[index % SERIES_DASHES.length]?.join(' ')}
              />
            ))}
          </svg>
        </PlotCursor>
        {threshold && (
          <span
            className={css['thresholdLabel']}
            style={{ bottom: `${100 - yOf(scale, threshold.value) / 10}%` }}
          >
            {threshold.label}
          </span>
        )}
      </div>
      <TimeAxis grid={grid} />
    </div>
  );
}

const yOf = ({ min, max }: ValueScale, value: number): number =>
  1000 - ((value - min) / (max - min)) * 1000;

/** Pending is a low band, firing a high one: told apart without colour. */
function Spans({ spans, grid }: Pick<TimePlotProps, 'spans' | 'grid'>) {
  return spans.map(({ state, from, to }) => {
    const x = Math.max(0, fractionOf(grid, from) * 1000);
    const end = Math.min(1000, fractionOf(grid, to) * 1000);
    const y = state === 'firing' ? 0 : 750;
    return (
      <rect
        key={`${state} ${from} ${to}`}
        className={css[state]}
        x={x}
        y={y}
        width={Math.max(2, end - x)}
        height={1000 - y}
      />
    );
  });
}

interface ValueAxisProps {
  readonly scale: ValueScale;
  readonly write: WriteValue;
}

function ValueAxis({ scale, write }: ValueAxisProps) {
  return (
    <div className={css['values']} aria-hidden="true">
      {scale.ticks.map((tick) => (
        <span key={tick} style={{ top: `${yOf(scale, tick) / 10}%` }}>
          {write(tick)}
        </span>
      ))}
    </div>
  );
}

function TimeAxis({ grid }: { readonly grid: TimeGrid }) {
  const { language } = useChartText();
  const span = grid.count * grid.stepMs;
  const write = tickFormat(language, span);
  const range = { from: grid.start, to: grid.start + span, stepMs: grid.stepMs };
  const ticks = timeTicks(range, MAX_TICKS)
    .map((at) => ({ at, fraction: fractionOf(grid, at) }))
    .filter(({ fraction }) => fraction > EDGE && fraction < 1 - EDGE);
  return (
    <div className={css['times']} aria-hidden="true">
      {ticks.map(({ at, fraction }) => (
        <span key={at} style={{ left: `${fraction * 100}%` }}>
          {write(at)}
        </span>
      ))}
    </div>
  );
}
