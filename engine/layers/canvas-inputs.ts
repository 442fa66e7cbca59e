import { resizeImage } from '../data/images/resize-image.ts';
import { EngineError } from '../errors.ts';
import { type Shape, shapeText } from './layer.ts';

/** Pixels of a picture, red, green, blue and opacity from 0 to 255: an `ImageData`. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

/** A canvas of a page or of a worker. */
interface Canvas {
  readonly width: number;
  readonly height: number;
  getContext(kind: '2d'): {
    getImageData(x: number, y: number, width: number, height: number): Pixels;
  } | null;
}

/** A picture of any size. */
export type Picture = Pixels | Canvas;

/** A larger picture is a mistake in its size. */
const MAX_PIXELS = 2 ** 26;
const MAX_BYTE = 255;

/**
 * A picture as one input of a network: scaled to its size, each pixel the mean of the area it covers, 0 for black or
 * nothing and 1 for white. One channel is brightness, three are red, green and blue; `[features]` is a square. Throws
 * EngineError `shape-mismatch` for a network that takes no pictures, `images-invalid` for a canvas that cannot be read.
 */
export function inputsOfPicture(picture: Picture, input: Shape): Float32Array {
  const shape = pictureShape(input);
  const { width, height, data } = pixelsOf(picture);
  const image = { width, height, rgba: new Uint8Array(data) };
  const bytes = resizeImage(image, { ...shape, background: 0 });
  return Float32Array.from(bytes, (byte) => byte / MAX_BYTE);
}

function pictureShape(input: Shape) {
  const side = Math.sqrt(input[0] ?? 0);
  const axes = input.length === 1 ? [1, side, side] : input;
  const [channels, height = 0, width = 0] = axes;
  const isWhole = axes.length === 3 && Number.isInteger(height) && Number.isInteger(width);
  if (isWhole && (channels === 1 || channels === 3)) return { channels, height, width } as const;
  throw new EngineError(
    'shape-mismatch',
    `x is a picture, and the network takes ${shapeText(input)}: expected [1, height, width], ` +
      '[3, height, width] or the features of a square, such as [784]',
  );
}

function pixelsOf(picture: Picture): Pixels {
  const { width, height } = picture;
  const isSize = [width, height].every((size) => Number.isInteger(size) && size > 0);
  if (!isSize || width * height > MAX_PIXELS) {
    throw unreadable(`it is ${width} x ${height}: expected 1 to ${MAX_PIXELS} pixels`);
  }
  const pixels = 'data' in picture ? picture : contextPixels(picture);
  const count = 4 * width * height;
  if (pixels.data?.length === count) return pixels;
  throw unreadable(`it has ${pixels.data?.length} bytes: expected ${count}`);
}

function contextPixels(canvas: Canvas): Pixels {
  const { width, height } = canvas;
  const context = typeof canvas.getContext === 'function' ? canvas.getContext('2d') : null;
  if (!context) throw unreadable('it has no 2d context: expected a canvas that is drawn on in 2d');
  try {
    return context.getImageData(0, 0, width, height);
  } catch (cause) {
    // A canvas with pictures of other origins gives its pixels to nobody.
    throw unreadable('its pixels cannot be read: expected pictures of the same origin', cause);
  }
}

const unreadable = (what: string, cause?: unknown): EngineError =>
  new EngineError('images-invalid', `x is a picture, and ${what}`, { cause });
