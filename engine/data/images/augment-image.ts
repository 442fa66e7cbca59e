import { expectCount, expectNonNegative, expectPositive, expectWithin } from '../../checks.ts';
import type { Draws } from '../draws.ts';
import type { ImageSize } from './resize-image.ts';

/**
 * A step from an image `[channels][height][width]` to another. Without draws, as in validation, it does only
 * what has no chance in it.
 */
export interface ImageTransform {
  /** The size of the result. */
  sizeOf(size: ImageSize): ImageSize;
  /** Writes all of `to`, an array apart from `from`. */
  apply(from: Float32Array, to: Float32Array, size: ImageSize, draws: Draws | undefined): void;
}

const sameSize = (size: ImageSize) => size;

/** Moves an image by up to `pixels` in each direction; `fill` comes in at the edges. */
export function shiftImage(pixels: number, fill = 0): ImageTransform {
  expectCount('shiftImage', 'pixels', pixels, 0);
  return {
    sizeOf: sameSize,
    apply(from, to, size, draws) {
      const by = () => (draws ? draws.below(2 * pixels + 1) - pixels : 0);
      placeImage(from, to, { size, cut: size, across: by(), down: by(), fill });
    },
  };
}

/** Cuts a part of `height` x `width` out of an image with a margin: anywhere, or the middle without draws. */
export function cropImage({
  height,
  width,
  padding = 0,
  fill = 0,
}: {
  readonly height: number;
  readonly width: number;
  /** Pixels around the image, of the value `fill`. */
  readonly padding?: number;
  readonly fill?: number;
}): ImageTransform {
  expectCount('cropImage', 'height', height);
  expectCount('cropImage', 'width', width);
  expectCount('cropImage', 'padding', padding, 0);
  return {
    sizeOf(size) {
      expectWithin('cropImage', 'height', height, [1, size.height + 2 * padding]);
      expectWithin('cropImage', 'width', width, [1, size.width + 2 * padding]);
      return { ...size, height, width };
    },
    apply(from, to, size, draws) {
      const start = (room: number) => (draws ? draws.below(room + 1) : Math.floor(room / 2));
      const across = padding - start(size.width + 2 * padding - width);
      const down = padding - start(size.height + 2 * padding - height);
      placeImage(from, to, { size, cut: { ...size, height, width }, across, down, fill });
    },
  };
}

interface Placing {
  readonly size: ImageSize;
  /** Size of the result. */
  readonly cut: ImageSize;
  /** Where the corner of the image comes to lie in the result. */
  readonly across: number;
  readonly down: number;
  readonly fill: number;
}

function placeImage(
  from: Float32Array,
  to: Float32Array,
  { size, cut, across, down, fill }: Placing,
): void {
  let at = 0;
  for (let channel = 0; channel < cut.channels; channel++) {
    for (let row = 0; row < cut.height; row++) {
      const y = row - down;
      const start = (channel * size.height + y) * size.width - across;
      for (let column = 0; column < cut.width; column++, at++) {
        const x = column - across;
        const isInside = y >= 0 && y < size.height && x >= 0 && x < size.width;
        to[at] = isInside ? (from[start + column] as number) : fill;
      }
    }
  }
}

/** Mirrors an image with these probabilities: left to right (`across`), top to bottom (`down`). */
export function flipImage({ across = 0.5, down = 0 } = {}): ImageTransform {
  expectWithin('flipImage', 'across', across, [0, 1]);
  expectWithin('flipImage', 'down', down, [0, 1]);
  return {
    sizeOf: sameSize,
    apply(from, to, { channels, height, width }, draws) {
      const [isAcross, isDown] = [draws?.chance(across) ?? false, draws?.chance(down) ?? false];
      let at = 0;
      for (let line = 0; line < channels * height; line++) {
        const row = line % height;
        const start = (isDown ? line - row + height - 1 - row : line) * width;
        for (let x = 0; x < width; x++) {
          to[at++] = from[start + (isAcross ? width - 1 - x : x)] as number;
        }
      }
    },
  };
}

/**
 * Covers a rectangle of one random brightness, from 0 to 1, in all channels (random erasing, Zhong et al. 2017): its
 * sides are up to `share` of those of the image, and it lies inside.
 */
export function eraseImage({ chance = 0.5, share = 0.5 } = {}): ImageTransform {
  expectWithin('eraseImage', 'chance', chance, [0, 1]);
  expectWithin('eraseImage', 'share', share, [0, 1]);
  return {
    sizeOf: sameSize,
    apply(from, to, { channels, height, width }, draws) {
      to.set(from);
      if (!draws?.chance(chance)) return;
      const side = (room: number) => 1 + draws.below(Math.max(1, Math.floor(share * room)));
      const [tall, wide] = [side(height), side(width)];
      const top = draws.below(height - tall + 1);
      const left = draws.below(width - wide + 1);
      const brightness = draws.uniform(0, 1);
      for (let line = 0; line < channels * height; line++) {
        const row = line % height;
        if (row < top || row >= top + tall) continue;
        to.fill(brightness, line * width + left, line * width + left + wide);
      }
    },
  };
}

/** Turns an image about its middle by up to `degrees` each way, 45 at most; pixels are blended linearly. */
export function rotateImage(degrees: number, fill = 0): ImageTransform {
  expectWithin('rotateImage', 'degrees', degrees, [0, 45]);
  return {
    sizeOf: sameSize,
    apply(from, to, size, draws) {
      const angle = ((draws?.uniform(-degrees, degrees) ?? 0) * Math.PI) / 180;
      const [sin, cos] = sineAndCosine(angle);
      const { channels, height, width } = size;
      const [middleX, middleY] = [(width - 1) / 2, (height - 1) / 2];
      let at = 0;
      for (let line = 0; line < channels * height; line++) {
        const plane = Math.floor(line / height) * height * width;
        const y = (line % height) - middleY;
        for (let column = 0; column < width; column++) {
          const x = column - middleX;
          const [fromX, fromY] = [cos * x + sin * y + middleX, cos * y - sin * x + middleY];
          to[at++] = blend(from, { ...size, plane, fill }, fromX, fromY);
        }
      }
    },
  };
}

/** By their series, which is exact to the last digits up to 45 degrees: machines differ in Math.sin. */
function sineAndCosine(angle: number): readonly [number, number] {
  let [sin, cos, term] = [0, 0, 1];
  for (let n = 0; n < 20; n += 2) {
    cos += term;
    term *= angle / (n + 1);
    sin += term;
    term *= -angle / (n + 2);
  }
  return [sin, cos];
}

interface Plane extends ImageSize {
  readonly plane: number;
  readonly fill: number;
}

function blend(from: Float32Array, { plane, height, width, fill }: Plane, x: number, y: number) {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const at = (column: number, row: number) =>
    column >= 0 && column < width && row >= 0 && row < height
      ? (from[plane + row * width + column] as number)
      : fill;
  const [partX, partY] = [x - left, y - top];
  const upper = at(left, top) * (1 - partX) + at(left + 1, top) * partX;
  const lower = at(left, top + 1) * (1 - partX) + at(left + 1, top + 1) * partX;
  return upper * (1 - partY) + lower * partY;
}

/** Adds noise of this standard deviation to every pixel. */
export function addNoise(deviation: number): ImageTransform {
  expectNonNegative('addNoise', 'deviation', deviation);
  return {
    sizeOf: sameSize,
    apply(from, to, _, draws) {
      for (let i = 0; i < from.length; i++) {
        to[i] = (from[i] as number) + (draws ? deviation * draws.normal() : 0);
      }
    },
  };
}

/** Subtracts a mean and divides by a deviation: one of each, or one for each channel. Also in validation. */
export function normaliseImage(
  mean: readonly number[],
  deviation: readonly number[],
): ImageTransform {
  for (const value of deviation) expectPositive('normaliseImage', 'deviation', value);
  return {
    sizeOf(size) {
      for (const values of [mean, deviation]) {
        if (values.length === 1) continue;
        expectWithin('normaliseImage', 'values', values.length, [size.channels, size.channels]);
      }
      return size;
    },
    apply(from, to, { height, width }) {
      for (let i = 0; i < from.length; i++) {
        const channel = Math.floor(i / (height * width));
        const [middle = 0, scale = 1] = [mean, deviation].map((v) => v[channel % v.length]);
        to[i] = ((from[i] as number) - middle) / scale;
      }
    },
  };
}
