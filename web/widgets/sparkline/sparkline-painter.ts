import type { SeriesBuffer } from '../buffers/series-buffer.ts';
import type { Painter } from '../canvas/paint-loop.ts';

/** Room for half of the line's width, px. */
const PADDING = 1.5;

/** Draws the newest `rows` of the first series from 0 to their largest value, the newest at the right. */
export function createSparklinePainter(buffer: SeriesBuffer, rows: number): Painter {
  return ({ context, width, height, theme }) => {
    const values = buffer.window().y[0]?.subarray(-rows) ?? new Float64Array(0);
    const most = values.reduce((highest, value) => Math.max(highest, value), 0);
    if (values.length < 2 || most === 0) return;
    context.strokeStyle = theme.accent;
    context.lineWidth = 1.5;
    context.lineJoin = 'round';
    context.beginPath();
    values.forEach((value, index) => {
      const x = width - ((values.length - 1 - index) / (rows - 1)) * width;
      context.lineTo(x, height - PADDING - (value / most) * (height - 2 * PADDING));
    });
    context.stroke();
  };
}
