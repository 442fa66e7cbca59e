import { EngineError } from '../../errors.ts';
import { joinBytes } from '../tokenizers/bpe-model.ts';
import type { ByteSource } from '../files/byte-source.ts';
import { parseIdx } from './idx.ts';
import { maxUnpackedBytes } from '../files/inflate.ts';

/** Grey images of one size, each with its class. */
export interface LabelledImages {
  readonly count: number;
  /** Pixels of one image, over all channels. */
  readonly pixels: number;
  /** Of an IDX file. */
  readonly height?: number;
  readonly width?: number;
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
  const classes = 1 + labels.reduce((max, label) => Math.max(max, label), 0);
  return { count, pixels: rows * columns, height: rows, width: columns, images, labels, classes };
}

/** The images from `first` up to, but not including, `end`, as views. */
export function imagesBetween(set: LabelledImages, first: number, end: number): LabelledImages {
  const { pixels, images, labels } = set;
  return {
    ...set,
    count: end - first,
    images: images.subarray(first * pixels, end * pixels),
    labels: labels.subarray(first, end),
  };
}

/**
 * The bytes of a file, gzipped or not. Throws EngineError `images-invalid` for damaged gzip, and for a file
 * that would unpack to more than 64 MiB and a hundred times its size.
 */
export async function unpack(file: ByteSource): Promise<Uint8Array> {
  const bytes = await file.read(0, file.size);
  if (!GZIP.every((byte, i) => bytes[i] === byte)) return bytes;
  // Parts of a Blob need a buffer of their own.
  const packed = new Blob([bytes.slice()]).stream();
  const max = maxUnpackedBytes(file.size);
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    const reader = packed.pipeThrough(new DecompressionStream('gzip')).getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      length += read.value.length;
      if (length > max) {
        void reader.cancel().catch(() => undefined);
        break;
      }
      pieces.push(read.value);
    }
  } catch (cause) {
    throw new EngineError('images-invalid', `${file.name} is a damaged gzip file`, { cause });
  }
  if (length <= max) return joinBytes(pieces);
  throw new EngineError(
    'images-invalid',
    `${file.name} of ${file.size} bytes would unpack to more than ${max}: expected at most so many`,
  );
}
