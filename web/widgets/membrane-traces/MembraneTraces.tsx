import { useMemo, useState, type ReactNode } from 'react';
import type { Text } from '../../i18n/text.ts';
import { useText } from '../../i18n/text-context.ts';
import { REDUCED_MOTION, useMedia } from '../../ui/use-media.ts';
import { shownSteps } from '../buffers/shown-steps.ts';
import type { TraceBuffer } from '../buffers/trace-buffer.ts';
import { usePaintLoop } from '../canvas/use-paint-loop.ts';
import { useSampled } from '../canvas/use-sampled.ts';
import { ChartFrame } from '../chart/ChartFrame.tsx';
import { PlotCursor } from '../chart/PlotCursor.tsx';
import css from './MembraneTraces.module.css';
import { createTracePainter } from './trace-painter.ts';
import type { Thresholds } from './trace-scale.ts';
import { describeStep, describeTraces, tracesTable, type TraceView } from './trace-words.ts';

/** How often words and labels follow the picture. */
const WORDS_EVERY_MS = 500;

export interface MembraneTracesProps {
  readonly title: string;
  readonly level?: 2 | 3;
  /** Steps are pushed into it by whoever computes them. At most eight neurons can be told apart. */
  readonly buffer: TraceBuffer;
  readonly thresholds: Thresholds;
  /** A name for each neuron, where its number in the buffer is not its name. */
  readonly names?: readonly string[];
  /** Time steps across the whole width; the buffer should hold twice as many. */
  readonly columns?: number;
  /** Whether steps keep coming; see SpikeRaster. */
  readonly state: 'running' | 'stopped';
  /** Switches beside the title. */
  readonly controls?: ReactNode;
}

/** Membrane potentials over time: one lane a neuron, its threshold dashed, a stroke at each spike. */
export function MembraneTraces(props: MembraneTracesProps) {
  const { title, level, buffer, thresholds, columns = 240, state, controls } = props;
  const text = useText();
  const wantsLessMotion = useMedia(REDUCED_MOTION);
  const motion = wantsLessMotion && state === 'running' ? 'page' : 'scroll';
  const painter = useMemo(() => {
    const thresholdLabel = (value: number) => text.t('traces.threshold', { value });
    return createTracePainter(buffer, { thresholds, columns, motion, thresholdLabel });
  }, [buffer, thresholds, columns, motion, text]);
  const canvas = usePaintLoop(buffer, painter);
  const [column, setColumn] = useState<number | null>(null);
  useSampled(buffer, WORDS_EVERY_MS);

  const names = props.names ?? numberedNames(text, buffer.neurons);
  const range = shownSteps(buffer, columns, motion);
  const view: TraceView = { buffer, range, names, thresholds };
  const step = column === null ? null : Math.min(range.from + column, range.to - 1);
  return (
    <ChartFrame
      title={title}
      {...(level ? { level } : {})}
      sentences={describeTraces(text, view)}
      controls={controls}
      table={() => tracesTable(text, view)}
    >
      <div className={css['layout']}>
        {names.length > 1 && (
          <div className={css['names']} aria-hidden="true">
            {names.map((name) => (
              <span key={name}>{name}</span>
            ))}
          </div>
        )}
        <div className={css['plot']}>
          <PlotCursor
            chart={title}
            axis="horizontal"
            count={columns}
            position={column}
            reading={step === null || step < 0 ? '' : describeStep(text, view, step)}
            onMove={setColumn}
          >
            <canvas ref={canvas} />
          </PlotCursor>
        </div>
        <div className={css['steps']} aria-hidden="true">
          <span>{text.t('raster.stepAxis', { step: range.from })}</span>
          <span>
            {text.t('raster.stepAxis', { step: Math.max(range.from + columns, range.to) })}
          </span>
        </div>
      </div>
    </ChartFrame>
  );
}

function numberedNames({ t }: Text, neurons: number): string[] {
  return Array.from({ length: neurons }, (_, neuron) =>
    t('traces.neuron', { neuron: String(neuron) }),
  );
}
