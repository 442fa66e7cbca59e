import { refuseSetting } from '../../checks.ts';
import { type Draws, drawsFrom } from '../draws.ts';
import type { Examples } from '../examples.ts';
import type { ImageTransform } from './augment-image.ts';
import type { ImageSize } from './resize-image.ts';

/**
 * Examples whose images go through some transforms, one after another. In training each draws anew for every
 * example and step; in validation only those do something that have no chance in them. Throws EngineError
 * `invalid-setting` for examples that are no images of this size.
 */
export function transformImages(
  examples: Examples,
  image: ImageSize,
  transforms: readonly ImageTransform[],
): Examples {
  const pixels = pixelsOf(image);
  if (examples.frames !== 1 || examples.width !== pixels) {
    const shape = `${examples.frames} x ${examples.width}`;
    refuseSetting(`transformImages: examples are ${shape}: expected 1 x ${pixels} for the image`);
  }
  const stages = stagesOf(image, transforms);
  const width = pixelsOf(stages.at(-1)?.result ?? image);
  const first = new Float32Array(pixels);
  return {
    ...examples,
    width,
    write(example, to, alteration) {
      examples.write(example, { inputs: first, rows: 1, row: 0 });
      const draws = alteration && drawsFrom(alteration);
      to.inputs.set(run(stages, first, draws), to.row * width);
    },
  };
}

interface Stage {
  readonly transform: ImageTransform;
  readonly size: ImageSize;
  readonly result: ImageSize;
  /** Overwritten by the next example. */
  readonly out: Float32Array;
}

function stagesOf(image: ImageSize, transforms: readonly ImageTransform[]): readonly Stage[] {
  let size = image;
  return transforms.map((transform) => {
    const result = transform.sizeOf(size);
    const stage = { transform, size, result, out: new Float32Array(pixelsOf(result)) };
    size = result;
    return stage;
  });
}

function run(stages: readonly Stage[], image: Float32Array, draws: Draws | undefined) {
  let from = image;
  for (const { transform, size, out } of stages) {
    transform.apply(from, out, size, draws);
    from = out;
  }
  return from;
}

const pixelsOf = ({ channels, height, width }: ImageSize) => channels * height * width;
