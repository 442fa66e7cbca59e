import { extname } from 'node:path';
import { EngineError } from '../../engine/index.ts';
import {
  checkSize,
  type PictureCanvas,
  type SvgOptions,
  svgPicture,
} from '../../engine/pictures.ts';
import { writeWhole } from '../runs/run-files.ts';

/** Size and title of a picture in a file, and how fine a PNG is. */
export interface SavePictureOptions extends SvgOptions {
  /** Pixels of a PNG for each px of its width and height; 2 by default. */
  readonly ratio?: number;
}

const MAX_RATIO = 8;
const MAX_PIXELS = 2 ** 26;

let hasWarned = false;

/**
 * Writes a picture, `width` x `height` px (640 x 400 by default), which appears by one rename: as SVG where the name
 * ends in .svg, as PNG where it ends in .png, with the optional package `@napi-rs/canvas`. `draw` is given a canvas
 * to draw on, such as `(canvas) => drawRaster(canvas, seen)`. Throws EngineError `invalid-setting` for another
 * ending, a size out of bounds, and a PNG without that package; what `draw` and `fs` throw, too.
 */
export async function savePicture(
  path: string,
  draw: (canvas: PictureCanvas) => void,
  options: SavePictureOptions = {},
): Promise<void> {
  const bytes = await pictureBytes(path, draw, options);
  await writeWhole(path, bytes);
}

function pictureBytes(
  path: string,
  draw: (canvas: PictureCanvas) => void,
  options: SavePictureOptions,
): string | Promise<Uint8Array> {
  const ending = extname(String(path)).toLowerCase();
  if (ending === '.svg') return svgPicture(draw, options);
  if (ending === '.png') return pngPicture(path, draw, options);
  throw refused(`${path} ends in "${ending}": expected .svg or .png`);
}

async function pngPicture(
  path: string,
  draw: (canvas: PictureCanvas) => void,
  { width = 640, height = 400, ratio = 2 }: SavePictureOptions,
): Promise<Uint8Array> {
  checkSize('savePicture', { width, height });
  if (!(ratio > 0 && ratio <= MAX_RATIO && width * height * ratio ** 2 <= MAX_PIXELS)) {
    throw refused(
      `the ratio of ${path} is ${ratio}: expected a number above 0 and up to ${MAX_RATIO}, and at most ` +
        `${MAX_PIXELS} pixels in all`,
    );
  }
  const { createCanvas, GlobalFonts } = await loadCanvas(path);
  if (GlobalFonts.families.length === 0 && !hasWarned) {
    hasWarned = true;
    process.emitWarning(`${path} has no letters: this machine has no fonts; a .svg needs none`);
  }
  const canvas = createCanvas(Math.round(width * ratio), Math.round(height * ratio));
  const context = canvas.getContext('2d');
  context.scale(ratio, ratio);
  draw({ width, height, pixelRatio: ratio, getContext: () => context });
  return canvas.encode('png');
}

async function loadCanvas(path: string) {
  try {
    return await import('@napi-rs/canvas');
  } catch (cause) {
    throw new EngineError(
      'invalid-setting',
      `savePicture: ${path} is a PNG and @napi-rs/canvas cannot be loaded: expected npm install @napi-rs/canvas, ` +
        'or a name that ends in .svg, which needs no package',
      { cause },
    );
  }
}

const refused = (why: string) => new EngineError('invalid-setting', `savePicture: ${why}`);
