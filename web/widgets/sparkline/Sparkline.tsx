import { useMemo } from 'react';
import type { SeriesBuffer } from '../buffers/series-buffer.ts';
import { usePaintLoop } from '../canvas/use-paint-loop.ts';
import { createSparklinePainter } from './sparkline-painter.ts';
import css from './Sparkline.module.css';

interface SparklineProps {
  /** Its first series is drawn. */
  readonly buffer: SeriesBuffer;
  /** The newest rows, this many, fill the width. */
  readonly rows: number;
}

/** The way a number went of late, beside that number and in words there: hidden from screen readers. */
export function Sparkline({ buffer, rows }: SparklineProps) {
  const painter = useMemo(() => createSparklinePainter(buffer, rows), [buffer, rows]);
  const canvas = usePaintLoop(buffer, painter);
  return <canvas ref={canvas} className={css['line']} aria-hidden="true" />;
}
