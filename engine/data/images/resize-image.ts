import { expectCount, expectWithin } from '../../checks.ts';
import type { DecodedImage } from './png.ts';

/** Axes of an image `[channels][height][width]`. */
export interface ImageSize {
  readonly channels: number;
  readonly height: number;
  readonly width: number;
}

/** Size, channels and background that an image is brought to. */
export interface ImageShape extends ImageSize {
  /** 1 for grey, 3 for red, green and blue. */
  readonly channels: 1 | 3;
  /** Background of transparent pixels, 0 (black) to 255; 255 by default. */
  readonly background?: number;
}

/** Weights of red, green and blue in luma (ITU-R BT.601). */
const BRIGHTNESS = [0.299, 0.587, 0.114] as const;
const OPAQUE = 255;

/** Throws EngineError `invalid-setting` for an impossible shape. */
export function checkImageShape({ width, height, background = OPAQUE }: ImageShape): void {
  expectCount('images', 'width', width);
  expectCount('images', 'height', height);
  expectWithin('images', 'background', background, [0, OPAQUE]);
}

/**
 * An image scaled to another size, `[channels][height][width]`, 0 to 255: each pixel is the mean of the area
 * it covers. The aspect ratio is not preserved.
 */
export function resizeImage(image: DecodedImage, shape: ImageShape): Uint8Array {
  checkImageShape(shape);
  const { width, height, channels } = shape;
  const { planes, size } = planesOf(image, shape);
  const resized = new Uint8Array(channels * width * height);
  const across = coverageOf(image.width, width);
  const down = coverageOf(image.height, height);
  for (let channel = 0; channel < channels; channel++) {
    const plane = planes.subarray(channel * size, (channel + 1) * size);
    const narrow = averageRows(plane, image, across);
    for (let y = 0, to = channel * width * height; y < height; y++) {
      for (let x = 0; x < width; x++) {
        resized[to++] = Math.round(average(narrow, down[y], { first: x, stride: width }));
      }
    }
  }
  return resized;
}

/** Channels one after another, transparent pixels blended with the background. */
function planesOf(
  { width, height, rgba }: DecodedImage,
  { channels, background = OPAQUE }: ImageShape,
) {
  const size = width * height;
  const planes = new Float64Array(channels * size);
  for (let i = 0; i < size; i++) {
    const opacity = (rgba[4 * i + 3] ?? 0) / OPAQUE;
    for (let c = 0; c < 3; c++) {
      const seen = (rgba[4 * i + c] ?? 0) * opacity + background * (1 - opacity);
      if (channels === 3) planes[c * size + i] = seen;
      else planes[i] = (planes[i] ?? 0) + (BRIGHTNESS[c] ?? 0) * seen;
    }
  }
  return { planes, size };
}

/** The source pixels that one target pixel covers, and the weight of each. */
interface Coverage {
  readonly first: number;
  readonly weights: readonly number[];
}

function coverageOf(from: number, to: number): Coverage[] {
  return Array.from({ length: to }, (_, i) => {
    // In integers, so that areas that end exactly between pixels leave no sliver.
    const [start, end] = [i * from, (i + 1) * from];
    const first = Math.floor(start / to);
    const last = Math.ceil(end / to);
    const weights = Array.from({ length: last - first }, (__, k) => {
      const pixel = first + k;
      return (Math.min(end, (pixel + 1) * to) - Math.max(start, pixel * to)) / from;
    });
    return { first, weights };
  });
}

/** `[height][new width]` */
function averageRows(
  plane: Float64Array,
  { width, height }: DecodedImage,
  across: readonly Coverage[],
): Float64Array {
  const narrow = new Float64Array(height * across.length);
  for (let y = 0, to = 0; y < height; y++) {
    for (const coverage of across)
      narrow[to++] = average(plane, coverage, { first: y * width, stride: 1 });
  }
  return narrow;
}

function average(
  values: Float64Array,
  coverage: Coverage | undefined,
  { first, stride }: { first: number; stride: number },
): number {
  if (!coverage) return 0;
  return coverage.weights.reduce(
    (sum, part, k) => sum + part * (values[first + stride * (coverage.first + k)] ?? 0),
    0,
  );
}
