import type { Surface } from '../../../engine/pictures.ts';
import type { Source } from '../buffers/signal.ts';
import { onThemeChange, readChartTheme } from './chart-theme.ts';

/** The surface of a canvas of the page: in CSS px. */
export type CanvasSurface = Surface<CanvasRenderingContext2D>;

/** Draws on what has been cleared. */
export type Painter = (surface: CanvasSurface) => void;

interface PaintLoop {
  /** Paints again on the next frame, for a reason the loop cannot know. */
  request(): void;
  close(): void;
}

/**
 * Paints `canvas` on the frame after `source` changed, its size changed or the theme changed, and on
 * no other; not at all while it is scrolled out of view. React takes no part in it.
 */
export function startPaintLoop(
  canvas: HTMLCanvasElement,
  source: Source,
  paint: Painter,
): PaintLoop {
  const context = canvas.getContext('2d');
  if (!context) throw new Error('this browser gives no 2D canvas context');
  let theme = readChartTheme(canvas);
  let frame = 0;
  let isVisible = true;

  function request() {
    if (frame === 0 && isVisible) frame = requestAnimationFrame(draw);
  }

  function draw() {
    frame = 0;
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!context || width === 0 || height === 0) return;
    const ratio = fit(canvas, width, height);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    paint({ context, width, height, ratio, theme });
  }

  const resized = new ResizeObserver(request);
  resized.observe(canvas);
  const seen = new IntersectionObserver((entries) => {
    isVisible = entries.at(-1)?.isIntersecting ?? true;
    request();
  });
  seen.observe(canvas);
  const stops = [
    source.subscribe(request),
    onThemeChange(() => {
      theme = readChartTheme(canvas);
      request();
    }),
    () => resized.disconnect(),
    () => seen.disconnect(),
    () => cancelAnimationFrame(frame),
  ];
  request();

  return { request, close: () => stops.forEach((stop) => stop()) };
}

/** Gives the canvas one device pixel per stored pixel; writing the size clears it, so only when it differs. */
function fit(canvas: HTMLCanvasElement, width: number, height: number): number {
  const ratio = window.devicePixelRatio;
  const [deviceWidth, deviceHeight] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== deviceWidth) canvas.width = deviceWidth;
  if (canvas.height !== deviceHeight) canvas.height = deviceHeight;
  return ratio;
}
