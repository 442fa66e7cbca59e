import { GAP_FROM, lightRows, paintColumn } from '../../../engine/pictures.ts';
import { shownSteps, type Motion } from '../buffers/shown-steps.ts';
import type { SpikeBuffer } from '../buffers/spike-buffer.ts';
import type { CanvasSurface, Painter } from '../canvas/paint-loop.ts';

interface RasterOptions {
  /** Time steps across the whole width. */
  readonly columns: number;
  readonly motion: Motion;
}

/** Rows of the ring are a pixel each. */
const topOf = (row: number) => row;

/**
 * Draws the newest steps of a layer. Each step is drawn once, into a ring of columns off screen; a
 * frame adds the steps that are new and copies the ring, in two pieces, onto the canvas.
 */
export function createRasterPainter(buffer: SpikeBuffer, options: RasterOptions): Painter {
  const { columns, motion } = options;
  const ring = document.createElement('canvas');
  let drawnUntil = 0;
  let drawnGeneration = 0;
  let drawnColour = '';

  /** Draws the steps that the ring lacks; all of them after a change of size, colour or a `clear`. */
  function catchUp(ringContext: CanvasRenderingContext2D, rows: number, colour: string) {
    const { from, to } = shownSteps(buffer, columns, motion);
    const isOther = ring.height !== rows || colour !== drawnColour;
    const isStale = isOther || to < drawnUntil || buffer.generation !== drawnGeneration;
    if (isStale) Object.assign(ring, { width: columns, height: rows });
    const lit = new Uint8Array(rows);
    ringContext.fillStyle = colour;
    for (let step = isStale ? from : Math.max(from, drawnUntil); step < to; step++) {
      const left = step % columns;
      ringContext.clearRect(left, 0, 1, rows);
      lightRows(buffer.step(step), buffer.neurons, lit.fill(0));
      paintColumn(ringContext, lit, { left, width: 1, top: topOf, gap: 0 });
    }
    drawnUntil = to;
    drawnColour = colour;
    drawnGeneration = buffer.generation;
    return { from, to };
  }

  return (surface) => {
    const ringContext = ring.getContext('2d');
    if (!ringContext) throw new Error('this browser gives no 2D canvas context');
    const rows = Math.min(buffer.neurons, Math.max(1, Math.floor(surface.height * surface.ratio)));
    const shown = catchUp(ringContext, rows, surface.theme.spike);
    copyRing(surface, ring, shown);
    cutGaps(surface, rows);
  };
}
/** The ring's oldest column goes to the left end; a window that is not full yet starts there. */
function copyRing(
  { context, width, height }: CanvasSurface,
  ring: HTMLCanvasElement,
  { from, to }: { from: number; to: number },
) {
  const columns = ring.width;
  const scale = width / columns;
  context.imageSmoothingEnabled = false;
  const start = from % columns;
  const first = Math.min(to - from, columns - start);
  const second = to - from - first;
  const copy = (source: number, count: number, target: number) => {
    if (count > 0) {
      context.drawImage(
        ring,
        source,
        0,
        count,
        ring.height,
        target * scale,
        0,
        count * scale,
        height,
      );
    }
  };
  copy(start, first, 0);
  copy(0, second, first);
}

/** Thin lines between rows that are high enough, so that neighbours stay apart. */
function cutGaps({ context, width, height }: CanvasSurface, rows: number) {
  const rowHeight = height / rows;
  if (rowHeight < GAP_FROM) return;
  for (let row = 1; row < rows; row++) context.clearRect(0, row * rowHeight - 0.5, width, 1);
}
