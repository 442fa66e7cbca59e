import { EngineError } from '../../errors.ts';
import type { ByteSource } from '../files/byte-source.ts';
import { compareNames } from '../files/data-files.ts';
import type { LabelledImages } from './labelled-images.ts';
import { checkImageShape, type ImageShape, resizeImage } from './resize-image.ts';
import { decodePng } from './png.ts';

/** Images of one size, `[count][channels][height][width]`, with the names of their classes. */
interface ImageFolder extends LabelledImages {
  /** The folder of each class, in the order of the labels. */
  readonly classNames: readonly string[];
}

interface ImageFolderOptions extends ImageShape {
  /** Bytes of the largest file that is read; 64 MiB by default. */
  readonly mostFileBytes?: number;
  /** Called with the number of images read so far. */
  readonly onProgress?: (images: number) => void;
  readonly signal?: AbortSignal;
}

const MAX_FILE_BYTES = 2 ** 26;
/** Upper bound of the bytes of all resized images. */
const MAX_BYTES = 2 ** 30;
/** Labels are bytes. */
const MAX_CLASSES = 256;

/**
 * Reads a folder with a folder of PNG files for each class. The name of a source is its path: its folder is
 * its class, classes and images are ordered by name. Files that do not end in .png are ignored. Throws
 * EngineError `images-invalid`, naming the file.
 */
export async function openImageFolder(
  files: readonly ByteSource[],
  options: ImageFolderOptions,
): Promise<ImageFolder> {
  checkImageShape(options);
  const entries = files
    .filter(({ name }) => /\.png$/i.test(name))
    .map((source) => ({ source, className: folderOf(source.name) }))
    .toSorted((a, b) => compareNames(a.source.name, b.source.name));
  const classNames = [...new Set(entries.map(({ className }) => className))].toSorted(compareNames);
  const pixels = options.channels * options.width * options.height;
  checkCounts({ files: files.length, count: entries.length, classes: classNames.length, pixels });
  const images = new Uint8Array(entries.length * pixels);
  const labels = new Uint8Array(entries.length);
  for (const [i, { source, className }] of entries.entries()) {
    options.signal?.throwIfAborted();
    images.set(resizeImage(await readPng(source, options), options), i * pixels);
    labels[i] = classNames.indexOf(className);
    options.onProgress?.(i + 1);
  }
  const count = entries.length;
  return { count, pixels, images, labels, classes: classNames.length, classNames };
}

/** Decodes a PNG file, unless it is larger than `mostFileBytes`. */
export async function readPng(
  source: ByteSource,
  { mostFileBytes = MAX_FILE_BYTES }: Pick<ImageFolderOptions, 'mostFileBytes'> = {},
) {
  if (source.size > mostFileBytes) {
    refuse(`${source.name} has ${source.size} bytes, expected at most ${mostFileBytes}`);
  }
  return decodePng(source.name, await source.read(0, source.size));
}

function folderOf(path: string): string {
  const folder = path.split(/[/\\]/).at(-2);
  if (folder) return folder;
  return refuse(`${path} is in no folder that names its class: expected class/image.png`);
}

interface Counts {
  readonly files: number;
  readonly count: number;
  readonly classes: number;
  readonly pixels: number;
}

function checkCounts({ files, count, classes, pixels }: Counts): void {
  if (count === 0) refuse(`none of ${files} files ends in .png`);
  if (classes > MAX_CLASSES) refuse(`${classes} classes, expected at most ${MAX_CLASSES}`);
  if (count * pixels > MAX_BYTES) {
    refuse(`${count} images of ${pixels} values, expected at most ${MAX_BYTES} values in all`);
  }
}

function refuse(message: string): never {
  throw new EngineError('images-invalid', `the image folder is invalid: ${message}`);
}
