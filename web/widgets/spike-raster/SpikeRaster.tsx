import { useMemo, useState, type ReactNode } from 'react';
import { SERIES_DASHES } from '../../../engine/pictures.ts';
import { REDUCED_MOTION, useMedia } from '../../ui/use-media.ts';
import { shownSteps, type Motion } from '../buffers/shown-steps.ts';
import { spikeCounts, type SpikeBuffer } from '../buffers/spike-buffer.ts';
import { usePaintLoop } from '../canvas/use-paint-loop.ts';
import { useSampled } from '../canvas/use-sampled.ts';
import { ChartFrame } from '../chart/ChartFrame.tsx';
import { PlotCursor } from '../chart/PlotCursor.tsx';
import { StepAxis } from '../chart/StepAxis.tsx';
import { createRasterPainter } from './raster-painter.ts';
import { describeNeuron, describeRaster, rasterTable } from './raster-words.ts';
import css from './SpikeRaster.module.css';
import { useChartText } from '../chart/chart-text.ts';

/** How often words and labels follow the picture. */
const WORDS_EVERY_MS = 500;

interface SpikeRasterProps {
  readonly title: string;
  readonly level?: 2 | 3;
  /** Steps are pushed into it by whoever computes them; the raster draws them on the next frame. */
  readonly buffer: SpikeBuffer;
  /** Time steps across the whole width; the buffer should hold twice as many where they keep coming. */
  readonly columns?: number;
  /**
   * Whether steps keep coming. While they do, the raster turns pages instead of scrolling for
   * people who asked for less motion; once they stop, the newest steps are shown to all.
   */
  readonly state: 'running' | 'stopped';
  /** Switches beside the title. */
  readonly controls?: ReactNode;
  /** Under the plot, in place of the numbers of the steps. */
  readonly axis?: ReactNode;
  /** Neurons marked at their rows, in the order of the series colours. */
  readonly marked?: readonly number[];
  /** Called with the neuron of a row that was clicked, or read with the arrow keys and confirmed. */
  readonly onChoose?: (neuron: number) => void;
}

/** Which neuron fired when: one row a neuron, one column a time step, newest at the right. */
export function SpikeRaster(props: SpikeRasterProps) {
  const { title, level, buffer, columns = 240, controls, axis, marked = [], onChoose } = props;
  const text = useChartText();
  const motion = useMotion(props.state);
  const painter = useMemo(
    () => createRasterPainter(buffer, { columns, motion }),
    [buffer, columns, motion],
  );
  const canvas = usePaintLoop(buffer, painter);
  const [neuron, setNeuron] = useState<number | null>(null);
  useSampled(buffer, WORDS_EVERY_MS);

  const range = shownSteps(buffer, columns, motion);
  const steps = range.to - range.from;
  const counts = spikeCounts(buffer, range);
  const reading = neuron === null ? '' : describeNeuron(text, neuron, counts[neuron] ?? 0, steps);
  return (
    <ChartFrame
      title={title}
      {...(level ? { level } : {})}
      sentences={steps === 0 ? [] : [describeRaster(text, counts, steps)]}
      controls={controls}
      table={() => rasterTable(text, buffer, range)}
    >
      <div className={css['layout']}>
        <div className={css['neurons']} aria-hidden="true">
          <span>{buffer.neurons - 1}</span>
          <span>{text.t('raster.neuronAxis')}</span>
          <span>{0}</span>
        </div>
        <div className={css['plot']}>
          <PlotCursor
            chart={title}
            axis="vertical"
            count={buffer.neurons}
            position={neuron}
            reading={reading}
            onMove={setNeuron}
            onChoose={onChoose}
          >
            <canvas ref={canvas} />
          </PlotCursor>
          {marked.map((row, index) => (
            <span key={row} className={css['mark']} style={markAt(row, buffer.neurons, index)} />
          ))}
        </div>
        <div className={css['steps']}>{axis ?? <StepAxis range={range} columns={columns} />}</div>
      </div>
    </ChartFrame>
  );
}

function useMotion(state: SpikeRasterProps['state']): Motion {
  const wantsLessMotion = useMedia(REDUCED_MOTION);
  return wantsLessMotion && state === 'running' ? 'page' : 'scroll';
}

function markAt(row: number, rows: number, index: number) {
  return {
    bottom: `${((row + 0.5) / rows) * 100}%`,
    background: `var(--series-${(index % SERIES_DASHES.length) + 1})`,
  };
}
