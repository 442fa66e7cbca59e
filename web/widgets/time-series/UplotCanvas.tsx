import { useCallback } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Format } from '../../i18n/format.ts';
import type { SeriesBuffer } from '../buffers/series-buffer.ts';
import { onThemeChange, readChartTheme } from '../canvas/chart-theme.ts';
import { createRowMaker, type PlotScale } from './plot-rows.ts';
import { type Gaps, type PlotZoom, uplotOptions } from './uplot-options.ts';
import css from './TimeSeries.module.css';

export interface UplotCanvasProps {
  readonly buffer: SeriesBuffer;
  readonly scale: PlotScale;
  readonly smoothing: number;
  readonly gaps: Gaps;
  readonly zoom: PlotZoom | undefined;
  readonly format: Format;
  /** Gets a function that puts the crosshair at an x, or takes it away. */
  readonly onReady: (moveCursor: (x: number | null) => void) => void;
  /** The x under the pointer, or null when it has left. */
  readonly onPoint: (x: number | null) => void;
}

/** The drawing of a TimeSeries, in a chunk of its own with uPlot. Drawn per frame, without React. */
export function UplotCanvas(props: UplotCanvasProps) {
  const { buffer, scale, smoothing, gaps, zoom, format, onReady, onPoint } = props;
  const mount = useCallback(
    (container: HTMLDivElement | null) => {
      if (!container) return undefined;
      return mountPlot(container, {
        buffer,
        scale,
        smoothing,
        gaps,
        zoom,
        format,
        onReady,
        onPoint,
      });
    },
    [buffer, scale, smoothing, gaps, zoom, format, onReady, onPoint],
  );
  return <div ref={mount} className={css['canvas']} />;
}

function mountPlot(container: HTMLElement, props: UplotCanvasProps): () => void {
  const { buffer, scale, smoothing, gaps, zoom, format, onReady, onPoint } = props;
  const makeRows = createRowMaker(buffer);
  const curves = smoothing === 0 ? 'plain' : 'smoothed';
  let frame = 0;
  let plot = build();

  function build(): uPlot {
    const { clientWidth: width, clientHeight: height } = container;
    const theme = readChartTheme(container);
    const { seriesCount } = buffer;
    const look = { seriesCount, scale, curves, gaps, zoom, theme, format } as const;
    const options = uplotOptions(look, width, height);
    const built = new uPlot(options, undefined, container);
    built.over.addEventListener('pointermove', pointed);
    built.over.addEventListener('pointerleave', () => onPoint(null));
    return built;
  }

  function pointed({ offsetX }: PointerEvent) {
    onPoint(plot.posToVal(offsetX, 'x'));
  }

  function draw() {
    frame = 0;
    const maxRows = Math.max(2, 2 * Math.round(plot.bbox.width));
    const { x, y } = makeRows({ scale, smoothing, maxRows });
    plot.setData([[...x], ...y.map((series) => [...series])]);
  }

  const request = () => {
    frame ||= requestAnimationFrame(draw);
  };

  function moveCursor(x: number | null) {
    if (x === null) plot.setCursor({ left: -10, top: -10 });
    else plot.setCursor({ left: plot.valToPos(x, 'x'), top: 0 });
  }

  const resized = new ResizeObserver(() => {
    plot.setSize({ width: container.clientWidth, height: container.clientHeight });
    request();
  });
  resized.observe(container);
  const stops = [
    buffer.subscribe(request),
    onThemeChange(() => {
      plot.destroy();
      plot = build();
      request();
    }),
    () => resized.disconnect(),
    () => cancelAnimationFrame(frame),
    () => plot.destroy(),
  ];
  onReady(moveCursor);
  request();
  return () => stops.forEach((stop) => stop());
}
