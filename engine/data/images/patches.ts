import type { ImageShape } from './resize-image.ts';

interface PatchShape extends ImageShape {
  /** Pixels along the side of a patch. */
  readonly patch: number;
}

/** Augmentation of one image. */
export interface ImageVariation {
  /** Shift in pixels; edges are repeated. */
  readonly down: number;
  readonly right: number;
  /** Gain of each channel around middle grey. */
  readonly gains: readonly number[];
}

const MIDDLE = 127.5;

/**
 * An image `[channels][height][width]` in patches, row by row, -1 to 1: `[tokens][channels * patch * patch]`
 * into `target`.
 */
export function patchesOf(
  image: Uint8Array,
  { width, height, channels, patch }: PatchShape,
  target: Float32Array,
  { down, right, gains }: ImageVariation = { down: 0, right: 0, gains: [] },
): void {
  let to = 0;
  for (let top = 0; top < height; top += patch) {
    for (let left = 0; left < width; left += patch) {
      for (let channel = 0; channel < channels; channel++) {
        const gain = (gains[channel] ?? 1) / MIDDLE;
        for (let i = 0; i < patch * patch; i++) {
          const y = within(top + Math.floor(i / patch) - down, height);
          const x = within(left + (i % patch) - right, width);
          target[to++] = ((image[(channel * height + y) * width + x] ?? 0) - MIDDLE) * gain;
        }
      }
    }
  }
}

function within(at: number, length: number): number {
  return Math.min(Math.max(at, 0), length - 1);
}
