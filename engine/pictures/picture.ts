import { EngineError } from '../errors.ts';
import type { Box } from './plane.ts';
import { type Context2d, type PictureTheme, type Surface, THEMES } from './surface.ts';
import { SvgContext } from './svg-context.ts';

/** A canvas of a page, an OffscreenCanvas, one of a canvas package for Node, or the picture that a file is made of. */
export interface PictureCanvas {
  readonly width: number;
  readonly height: number;
  /** Where it is there, width, height and the context are in px, and pixels are so much finer. */
  readonly pixelRatio?: number;
  getContext(kind: '2d'): Context2d | null;
}

/** A canvas, or its 2-D context. */
export type PictureTarget = PictureCanvas | Context2d;

/** Colours and sharpness of every picture. */
export interface PictureOptions {
  /** `light` (default), `dark`, or colours of one's own. */
  readonly theme?: 'light' | 'dark' | PictureTheme;
  /** Pixels of the canvas for each px of lines and letters; 1 by default, `devicePixelRatio` for a sharp picture in a page. */
  readonly ratio?: number;
}

/** Width and height in px. */
interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Size and title of a picture as SVG; 640 x 400 px by default. */
export interface SvgOptions extends Partial<PictureSize> {
  /** Read to people who do not see the picture. */
  readonly title?: string;
}

const MAX_SIDE = 16_384;
const MAX_RATIO = 8;

/** Smallest frame of a plot, px. */
const MIN_FRAME = 16;

/** Room around the frame of a plot, px: the title above, numbers on the left and below. */
const AROUND = { left: 52, right: 10, top: 24, bottom: 20 };

/**
 * Draws a picture as SVG, `width` x `height` px (640 x 400 by default): `draw` is given a canvas to draw on. Names
 * and colours are escaped. Throws EngineError `invalid-setting` for a size that is not from 1 to 16384.
 */
export function svgPicture(
  draw: (canvas: PictureCanvas) => void,
  { width = 640, height = 400, title }: SvgOptions = {},
): string {
  const size = checkSize('svgPicture', { width, height });
  const context = new SvgContext(size);
  draw({ ...size, pixelRatio: 1, getContext: () => context });
  return context.end(title);
}

/** Throws EngineError `invalid-setting` for sides that are no whole numbers from 1 to 16384. */
export function checkSize(what: string, size: PictureSize): PictureSize {
  const { width, height } = size;
  if ([width, height].every(isSide)) return size;
  throw refused(
    what,
    `the picture is ${width} x ${height} px: expected whole numbers from 1 to ${MAX_SIDE}`,
  );
}

const isSide = (side: unknown) =>
  Number.isInteger(side) && Number(side) >= 1 && Number(side) <= MAX_SIDE;

/** Draws on the whole of a target, over its background, and leaves the context as it was. */
export function onSurface(
  what: string,
  target: PictureTarget,
  { theme = 'light', ratio = 1 }: PictureOptions,
  draw: (surface: Surface) => void,
): void {
  if (!(ratio > 0 && ratio <= MAX_RATIO)) {
    throw refused(what, `ratio is ${ratio}: expected a number above 0 and up to ${MAX_RATIO}`);
  }
  const { context, canvas } = contextOf(what, target);
  const { width, height } = checkSize(what, canvas);
  // The context of a file is scaled already.
  const scale = canvas.pixelRatio === undefined ? ratio : 1;
  const size = { width: width / scale, height: height / scale };
  const surface = {
    context,
    ...size,
    ratio: canvas.pixelRatio ?? ratio,
    theme: themeOf(what, theme),
  };
  context.save();
  try {
    if (scale !== 1) context.scale(scale, scale);
    context.globalAlpha = 1;
    context.fillStyle = surface.theme.surface;
    context.fillRect(0, 0, size.width, size.height);
    draw(surface);
  } finally {
    context.restore();
  }
}

function contextOf(what: string, target: PictureTarget) {
  const isCanvas = typeof target === 'object' && target !== null && 'getContext' in target;
  const context = isCanvas ? target.getContext('2d') : target;
  if (typeof context?.fillRect === 'function') {
    const canvas: Omit<PictureCanvas, 'getContext'> = isCanvas ? target : context.canvas;
    return { context, canvas };
  }
  const found = isCanvas ? 'a canvas without a 2-D context' : String(target);
  throw refused(what, `it is to draw on ${found}: expected a canvas or its 2-D context`);
}

function themeOf(what: string, theme: PictureOptions['theme']): PictureTheme {
  if (typeof theme === 'object' && theme !== null) return theme;
  if (theme === 'light' || theme === 'dark') return THEMES[theme];
  throw refused(what, `theme is "${String(theme)}": expected light, dark or an object of colours`);
}

/** One of several plots in a picture, below each other. */
interface Panel {
  readonly title: string;
  readonly draw: (frame: Box) => void;
}

/** Draws panels of equal height. Throws EngineError `invalid-setting` where they do not fit. */
export function drawPanels(what: string, surface: Surface, panels: readonly Panel[]): void {
  const { context, theme, width, height } = surface;
  const each = height / panels.length;
  const frame = {
    left: AROUND.left,
    width: Math.floor(width - AROUND.left - AROUND.right),
    height: Math.floor(each - AROUND.top - AROUND.bottom),
  };
  if (frame.width < MIN_FRAME || frame.height < MIN_FRAME) {
    const least = {
      width: AROUND.left + AROUND.right + MIN_FRAME,
      height: panels.length * (AROUND.top + AROUND.bottom + MIN_FRAME),
    };
    const plots = panels.length === 1 ? 'a plot' : `${panels.length} plots`;
    throw refused(
      what,
      `the picture is ${width} x ${height} px: expected at least ${least.width} x ${least.height} for ${plots}`,
    );
  }
  panels.forEach(({ title, draw }, index) => {
    const top = Math.round(index * each);
    context.font = `bold 12px ${theme.font}`;
    context.fillStyle = theme.ink;
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    context.fillText(title, frame.left, top + AROUND.top / 2);
    draw({ ...frame, top: top + AROUND.top });
  });
}

export const refused = (what: string, why: string): EngineError =>
  new EngineError('invalid-setting', `${what}: ${why}`);

/** A number at an axis. */
export const writeNumber = (value: number): string => String(Number(value.toPrecision(6)));
