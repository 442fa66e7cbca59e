import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { EngineError } from '../../errors.ts';
import { type DataFile, type DataFiles, fileNameOf } from '../files/data-files.ts';
import { isHeldOut } from '../holdout.ts';
import { type LabelledImages, openLabelledImages } from './labelled-images.ts';
import { openImageFolder } from './image-folder.ts';
import type { ImageShape, ImageSize } from './resize-image.ts';
import { decodePng } from './png.ts';

/** Images of one size for training and others for validation. */
export interface ImageSets {
  readonly image: ImageSize;
  readonly learned: LabelledImages;
  readonly validation: LabelledImages;
  readonly classNames: readonly string[];
  /** SHA-256 in hexadecimal of all pixels and labels. */
  readonly digest: string;
}

interface PictureOptions {
  /** The input size of a model: images of a folder are scaled to it, IDX files have to match it. */
  readonly image?: ImageSize;
  readonly signal?: AbortSignal;
}

const MAX_SIDE = 512;
/** How the files of training and test are named in the sets that follow MNIST. */
const IDX_NAME = /^(train\w*|t10k|test)-(images-idx3|labels-idx1)-ubyte(\.gz)?$/;

/**
 * Opens images with their classes: IDX files as of MNIST, `train*` for training and `t10k` for validation,
 * or a folder of PNG files for each class. Throws EngineError `images-invalid`.
 */
export async function openImageSets(
  { name, files }: DataFiles,
  { image, signal }: PictureOptions = {},
): Promise<ImageSets> {
  const idx = files.filter(({ path }) => IDX_NAME.test(fileNameOf(path)));
  const sets = idx.length > 0 ? await openIdx(name, idx) : await openFolder(files, image, signal);
  if (image) checkImage(name, sets.image, image);
  return { ...sets, digest: digestOf([sets.learned, sets.validation]) };
}

type OpenedSets = Omit<ImageSets, 'digest'>;

async function openIdx(name: string, files: readonly DataFile[]): Promise<OpenedSets> {
  const open = async (part: RegExp) => {
    const find = (kind: string) =>
      files.find(({ path }) => part.test(fileNameOf(path)) && fileNameOf(path).includes(kind));
    const [images, labels] = [find('images'), find('labels')];
    if (!images || !labels) return undefined;
    return openLabelledImages(await images.open(), await labels.open());
  };
  const all = await open(/^train/);
  if (!all) return refuse(`${name} has no train-images and train-labels`);
  const given = await open(/^(t10k|test)/);
  const [learned, validation] = given ? [all, given] : holdOut(all);
  const side = Math.sqrt(learned.pixels);
  const { height = side, width = side } = learned;
  if (!Number.isInteger(height * width)) refuse(`${name}: images of ${learned.pixels} pixels`);
  const classNames = Array.from({ length: learned.classes }, (_, label) => String(label));
  return { image: { channels: 1, height, width }, learned, validation, classNames };
}

async function openFolder(
  files: readonly DataFile[],
  wanted: ImageSize | undefined,
  signal: AbortSignal | undefined,
): Promise<OpenedSets> {
  const first = files.find(({ path }) => /\.png$/i.test(path));
  if (!first) {
    return refuse(
      `none of ${files.length} files is a PNG image or an IDX file such as train-images`,
    );
  }
  const image = wanted ? shapeOf(wanted) : await shapeOfFirst(first);
  const sources = await Promise.all(files.map((file) => file.open()));
  const all = await openImageFolder(sources, { ...image, ...(signal && { signal }) });
  const [learned, validation] = holdOut(all);
  return { image, learned, validation, classNames: all.classNames };
}

/** The first image sets the size of all; all are read as colour images. */
async function shapeOfFirst(first: DataFile): Promise<ImageShape> {
  const source = await first.open();
  const { height, width } = decodePng(first.path, await source.read(0, source.size));
  return { channels: 3, height: Math.min(height, MAX_SIDE), width: Math.min(width, MAX_SIDE) };
}

/**
 * The input size of a model as an image shape. Throws EngineError `images-invalid` for other channels than 1
 * or 3.
 */
export function shapeOf({ channels, height, width }: ImageSize): ImageShape {
  if (channels === 1 || channels === 3) return { channels, height, width };
  return refuse(`there are ${channels} channels: expected 1 (grey) or 3 (red, green, blue)`);
}

function checkImage(name: string, image: ImageSize, wanted: ImageSize): void {
  if (inWords(image) === inWords(wanted)) return;
  refuse(`those of ${name} are ${inWords(image)}: the model sees ${inWords(wanted)}`);
}

const inWords = ({ channels, height, width }: ImageSize) => `${channels} x ${height} x ${width}`;

/** Splits a set into training and held-out images. */
function holdOut(set: LabelledImages): readonly [LabelledImages, LabelledImages] {
  const places = Array.from({ length: set.count }, (_, i) => i);
  const held = places.filter(isHeldOut);
  if (held.length === 0 || held.length === set.count) {
    refuse(`${set.count} images are too few to hold some out for validation`);
  }
  const others = places.filter((place) => !isHeldOut(place));
  return [imagesAt(set, others), imagesAt(set, held)];
}

/** The images at some indices. */
function imagesAt(set: LabelledImages, places: readonly number[]): LabelledImages {
  const { pixels, images, labels } = set;
  const chosen = new Uint8Array(places.length * pixels);
  for (const [i, place] of places.entries()) {
    chosen.set(images.subarray(place * pixels, (place + 1) * pixels), i * pixels);
  }
  const theirs = Uint8Array.from(places, (place) => labels[place] ?? 0);
  return { ...set, count: places.length, images: chosen, labels: theirs };
}

function digestOf(sets: readonly LabelledImages[]): string {
  const hash = sha256.create();
  for (const { images, labels } of sets) hash.update(images).update(labels);
  return bytesToHex(hash.digest());
}

function refuse(message: string): never {
  throw new EngineError('images-invalid', `the images are invalid: ${message}`);
}
