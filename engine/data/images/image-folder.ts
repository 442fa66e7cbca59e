import { EngineError } from '../../errors.ts';
import type { ByteSource } from '../files/byte-source.ts';
import { compareNames } from '../files/data-files.ts';
import type { LabelledImages } from './labelled-images.ts';
import { checkImageShape, type ImageShape, resizeImage } from './resize-image.ts';
import { decodePng } from './png.ts';

/** Images of one size, `[count][channels][height][width]`, with the names of their classes. */
export interface ImageFolder extends LabelledImages {
  /** The folder of each class, in the order of the labels. */
  readonly classNames: readonly string[];
}

export interface ImageFolderOptions extends ImageShape {
  /** Bytes of the largest file that is read; 64 MiB by default. */
  readonly mostFileBytes?: number;
  /** Called with the number of images read so far. */
  readonly onProgress?: (pictures: number) => void;
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
  const pictures = files
    .filter(({ name }) => /\.png$/i.test(name))
    .map((source) => ({ source, className: folderOf(source.name) }))
    .toSorted((a, b) => compareNames(a.source.name, b.source.name));
  const classNames = [...new Set(pictures.map(({ className }) => className))].toSorted(
    compareNames,
  );
  const pixels = options.channels * options.width * options.height;
  checkCounts({ files: files.length, count: pictures.length, classes: classNames.length, pixels });
  const images = new Uint8Array(pictures.length * pixels);
  const labels = new Uint8Array(pictures.length);
  for (const [i, { source, className }] of pictures.entries()) {
    options.signal?.throwIfAborted();
    images.set(resizeImage(await readPng(source, options), options), i * pixels);
    labels[i] = classNames.indexOf(className);
    options.onProgress?.(i + 1);
  }
  const count = pictures.length;
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
  return refuse(`${path} lies in no folder that would say its class: expected class/picture.png`);
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
    refuse(`${count} pictures of ${pixels} values, expected at most ${MAX_BYTES} values in all`);
  }
}

function refuse(message: string): never {
  throw new EngineError('images-invalid', `the folder of pictures is refused: ${message}`);
}
