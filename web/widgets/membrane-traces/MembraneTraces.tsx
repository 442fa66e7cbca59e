import { useMemo, useState, type ReactNode } from 'react';
import { paintTraces, type Thresholds } from '../../../engine/pictures.ts';
import { REDUCED_MOTION, useMedia } from '../../ui/use-media.ts';
import { shownSteps, type Motion } from '../buffers/shown-steps.ts';
import type { TraceBuffer } from '../buffers/trace-buffer.ts';
import type { CanvasSurface } from '../canvas/paint-loop.ts';
import { usePaintLoop } from '../canvas/use-paint-loop.ts';
import { useSampled } from '../canvas/use-sampled.ts';
import { ChartFrame } from '../chart/ChartFrame.tsx';
import { PlotCursor } from '../chart/PlotCursor.tsx';
import { StepAxis } from '../chart/StepAxis.tsx';
import css from './MembraneTraces.module.css';
import { describeStep, describeTraces, tracesTable, type TraceView } from './trace-words.ts';
import { type ChartText, useChartText } from '../chart/chart-text.ts';

/** How often words and labels follow the picture. */
const WORDS_EVERY_MS = 500;

interface MembraneTracesProps {
  readonly title: string;
  readonly level?: 2 | 3;
  /** Steps are pushed into it by whoever computes them. At most eight neurons can be told apart. */
  readonly buffer: TraceBuffer;
  readonly thresholds: Thresholds;
  /** A name for each neuron, where its number in the buffer is not its name. */
  readonly names?: readonly string[];
  /** Content before each lane in place of its name, such as a button. */
  readonly lanes?: readonly ReactNode[];
  /** Time steps across the whole width; the buffer should hold twice as many. */
  readonly columns?: number;
  /** Whether steps keep coming; see SpikeRaster. */
  readonly state: 'running' | 'stopped';
  /** Switches beside the title. */
  readonly controls?: ReactNode;
  /** Under the plot, in place of the numbers of the steps. */
  readonly axis?: ReactNode;
  /** A step in words, where its number says little; it opens what is read at a step. */
  readonly nameStep?: (step: number) => string;
}

/** Membrane potentials over time: one lane a neuron, its threshold dashed, a stroke at each spike. */
export function MembraneTraces(props: MembraneTracesProps) {
  const { title, level, buffer, thresholds, columns = 240, controls, axis, lanes } = props;
  const text = useChartText();
  const motion = useMotion(props.state);
  const [column, setColumn] = useState<number | null>(null);
  const canvas = useTraces(buffer, { thresholds, columns, motion });
  useSampled(buffer, WORDS_EVERY_MS);

  const names = props.names ?? numberedNames(text, buffer.neurons);
  const range = shownSteps(buffer, columns, motion);
  const view: TraceView = { buffer, range, names, thresholds };
  return (
    <ChartFrame
      title={title}
      {...(level ? { level } : {})}
      sentences={describeTraces(text, view)}
      controls={controls}
      table={() => tracesTable(text, view)}
    >
      <div className={css['layout']}>
        {(lanes || names.length > 1) && (
          <div className={css['names']} aria-hidden={lanes === undefined}>
            {names.map((name, lane) => (
              <span key={name}>{lanes?.[lane] ?? name}</span>
            ))}
          </div>
        )}
        <div className={css['plot']}>
          <PlotCursor
            chart={title}
            axis="horizontal"
            count={columns}
            position={column}
            reading={readingAt(text, view, column, props.nameStep)}
            onMove={setColumn}
          >
            <canvas ref={canvas} />
          </PlotCursor>
        </div>
        <div className={css['steps']}>{axis ?? <StepAxis range={range} columns={columns} />}</div>
      </div>
    </ChartFrame>
  );
}

function useMotion(state: MembraneTracesProps['state']): Motion {
  const wantsLessMotion = useMedia(REDUCED_MOTION);
  return wantsLessMotion && state === 'running' ? 'page' : 'scroll';
}

interface Look {
  readonly thresholds: Thresholds;
  readonly columns: number;
  readonly motion: Motion;
}

function useTraces(buffer: TraceBuffer, { thresholds, columns, motion }: Look) {
  const { t } = useChartText();
  const painter = useMemo(() => {
    const thresholdLabel = (value: number) => t('traces.threshold', { value });
    return (surface: CanvasSurface) => {
      const range = shownSteps(buffer, columns, motion);
      const [from, to] = [range.from - buffer.oldest, range.to - buffer.oldest];
      const look = { thresholds, columns, from, to, thresholdLabel };
      paintTraces(surface, { left: 0, top: 0, ...surface }, buffer, look);
    };
  }, [buffer, thresholds, columns, motion, t]);
  return usePaintLoop(buffer, painter);
}

/** Values at a column; empty where there is no step yet. */
function readingAt(
  text: ChartText,
  view: TraceView,
  column: number | null,
  nameStep: MembraneTracesProps['nameStep'],
): string {
  if (column === null || view.range.to === view.range.from) return '';
  const step = Math.min(view.range.from + column, view.range.to - 1);
  return describeStep(text, view, step, nameStep?.(step));
}

function numberedNames({ t }: ChartText, neurons: number): string[] {
  return Array.from({ length: neurons }, (_, neuron) =>
    t('traces.neuron', { neuron: String(neuron) }),
  );
}
