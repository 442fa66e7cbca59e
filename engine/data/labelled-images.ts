import { EngineError } from '../errors.ts';
import type { ByteSource } from './byte-source.ts';
import { parseIdx } from './idx.ts';

/** Grey images of one size, each with its class. */
export interface LabelledImages {
  readonly count: number;
  /** Pixels of one image. */
  readonly pixels: number;
  /** `[count][pixels]`, 0 to 255. */
  readonly images: Uint8Array;
  /** `[count]` */
  readonly labels: Uint8Array;
  /** One more than the largest label. */
  readonly classes: number;
}

/** The first two bytes of a gzip stream. */
const GZIP = [0x1f, 0x8b] as const;

/**
 * Reads images and their labels from two IDX files, gzipped or not. Throws EngineError
 * `images-invalid` where one is damaged or they do not belong together.
 */
export async function openLabelledImages(
  imageFile: ByteSource,
  labelFile: ByteSource,
): Promise<LabelledImages> {
  const [imageBytes, labelBytes] = await Promise.all([unpack(imageFile), unpack(labelFile)]);
  const { shape, bytes: images } = parseIdx(imageFile.name, imageBytes, 3);
  const { bytes: labels } = parseIdx(labelFile.name, labelBytes, 1);
  const [count = 0, rows = 0, columns = 0] = shape;
  if (count !== labels.length) {
    throw new EngineError(
      'images-invalid',
      `${imageFile.name} has ${count} images but ${labelFile.name} has ${labels.length} labels`,
    );
  }
  if (count * rows * columns === 0) {
    throw new EngineError(
      'images-invalid',
      `${imageFile.name} has ${count} images of ${rows} x ${columns} pixels: expected at least one of each`,
    );
  }
  const classes = 1 + labels.reduce((most, label) => Math.max(most, label), 0);
  return { count, pixels: rows * columns, images, labels, classes };
}

/** The images from `first` to before `end`, on the same bytes. */
export function imagesBetween(set: LabelledImages, first: number, end: number): LabelledImages {
  const { pixels, images, labels } = set;
  return {
    ...set,
    count: end - first,
    images: images.subarray(first * pixels, end * pixels),
    labels: labels.subarray(first, end),
  };
}

/** The bytes of a file, gzipped or not. Throws EngineError `images-invalid` for damaged gzip. */
export async function unpack(file: ByteSource): Promise<Uint8Array> {
  const bytes = await file.read(0, file.size);
  if (!GZIP.every((byte, i) => bytes[i] === byte)) return bytes;
  // A copy has a buffer of its own, as a Blob's parts must.
  const packed = new Blob([bytes.slice()]).stream();
  try {
    const unpacked = new Response(packed.pipeThrough(new DecompressionStream('gzip')));
    return new Uint8Array(await unpacked.arrayBuffer());
  } catch (cause) {
    throw new EngineError('images-invalid', `${file.name} is a damaged gzip file`, { cause });
  }
}
