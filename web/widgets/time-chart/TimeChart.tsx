import { useMemo, useState, type ReactNode } from 'react';
import { ChartFrame } from '../chart/ChartFrame.tsx';
import { SeriesLegend } from '../time-series/SeriesLegend.tsx';
import {
  gridOf,
  onGrid,
  type ScaleRules,
  type TimeRange,
  type TimeSeriesData,
} from './time-scale.ts';
import { TimePlot, type TimeCursor, type TimeSpan } from './TimePlot.tsx';
import { sentencesOf, tableOf, type WriteValue } from './time-words.ts';
import { useChartText } from '../chart/chart-text.ts';

interface TimeChartProps {
  readonly title: string;
  readonly level?: 2 | 3;
  readonly series: readonly TimeSeriesData[];
  readonly range: TimeRange;
  /** Writes a value with its unit. */
  readonly write: WriteValue;
  readonly threshold?: { readonly value: number; readonly label: string };
  /** Stretches of time that mean something, drawn under the curves. */
  readonly spans?: readonly TimeSpan[];
  /** Whether the scale includes zero besides the values; it does by default. */
  readonly base?: ScaleRules['base'];
  /** Curves go on over so many steps without a value; they break at each where nothing is said. */
  readonly silence?: number;
  /** Sentences in addition to the description of the curves. */
  readonly sentences?: readonly string[];
  readonly controls?: ReactNode;
  readonly cursor?: TimeCursor;
}

/** Curves over time as a server has them, with a cursor that several charts can share. */
export function TimeChart(props: TimeChartProps) {
  const { title, level = 3, series, range, write, threshold, spans = [] } = props;
  const { base = 'zero', silence = 0, sentences = [], controls, cursor } = props;
  const text = useChartText();
  const [own, setOwn] = useState<number | null>(null);
  const { from, to, stepMs } = range;
  const grid = useMemo(() => gridOf({ from, to, stepMs }), [from, to, stepMs]);
  const curves = useMemo(
    () => series.map((one) => ({ name: one.name, values: onGrid(grid, one) })),
    [series, grid],
  );
  return (
    <ChartFrame
      title={title}
      level={level}
      sentences={[...sentences, ...sentencesOf(text, curves, write)]}
      legend={<SeriesLegend names={series.map(({ name }) => name)} />}
      controls={controls}
      table={() => tableOf(text, curves, grid)}
    >
      <TimePlot
        title={title}
        curves={curves}
        grid={grid}
        write={write}
        {...(threshold && { threshold })}
        spans={spans}
        base={base}
        silence={silence}
        cursor={cursor ?? { at: own, move: setOwn }}
      />
    </ChartFrame>
  );
}
