import { useMemo, useState } from 'react';
import { useText } from '../../i18n/text-context.ts';
import { REDUCED_MOTION, useMedia } from '../../ui/use-media.ts';
import { shownSteps } from '../buffers/shown-steps.ts';
import { spikeCounts, type SpikeBuffer } from '../buffers/spike-buffer.ts';
import { usePaintLoop } from '../canvas/use-paint-loop.ts';
import { useSampled } from '../canvas/use-sampled.ts';
import { ChartFrame } from '../chart/ChartFrame.tsx';
import { PlotCursor } from '../chart/PlotCursor.tsx';
import { createRasterPainter } from './raster-painter.ts';
import { describeNeuron, describeRaster, rasterTable } from './raster-words.ts';
import css from './SpikeRaster.module.css';

/** How often words and labels follow the picture. */
const WORDS_EVERY_MS = 500;

export interface SpikeRasterProps {
  readonly title: string;
  readonly level?: 2 | 3;
  /** Steps are pushed into it by whoever computes them; the raster draws them on the next frame. */
  readonly buffer: SpikeBuffer;
  /** Time steps across the whole width; the buffer should hold twice as many. */
  readonly columns?: number;
  /**
   * Whether steps keep coming. While they do, the raster turns pages instead of scrolling for
   * people who asked for less motion; once they stop, the newest steps are shown to all.
   */
  readonly state: 'running' | 'stopped';
}

/** Which neuron fired when: one row a neuron, one column a time step, newest at the right. */
export function SpikeRaster({ title, level, buffer, columns = 240, state }: SpikeRasterProps) {
  const text = useText();
  const wantsLessMotion = useMedia(REDUCED_MOTION);
  const motion = wantsLessMotion && state === 'running' ? 'page' : 'scroll';
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
