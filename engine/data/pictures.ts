import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { EngineError } from '../errors.ts';
import type { Image } from '../ops/window.ts';
import type { DataFile, DataFiles } from './data-files.ts';
import { isHeldBack } from './held-back.ts';
import { type LabelledImages, openLabelledImages } from './labelled-images.ts';
import { openPictureFolder } from './picture-folder.ts';
import type { PictureShape } from './picture-size.ts';
import { decodePng } from './png.ts';

/** Pictures of one size to learn from and others to validate on. */
export interface PictureSets {
  readonly image: Image;
  readonly learned: LabelledImages;
  readonly validation: LabelledImages;
  readonly classNames: readonly string[];
  /** SHA-256 in hexadecimal of all pixels and labels. */
  readonly digest: string;
}

export interface PictureOptions {
  /** The pictures that a model sees: those of a folder are made so, others have to be. */
  readonly image?: Image;
  readonly signal?: AbortSignal;
}

const MOST_SIDE = 512;
/** How the files of training and test are named in the sets that follow MNIST. */
const IDX_NAME = /^(train\w*|t10k|test)-(images-idx3|labels-idx1)-ubyte(\.gz)?$/;

/**
 * Opens pictures with their classes: IDX files as MNIST has them, `train*` to learn from and `t10k` to
 * validate on, or a folder of PNG files for each class. Throws EngineError `images-invalid`.
 */
export async function openPictures(
  { name, files }: DataFiles,
  { image, signal }: PictureOptions = {},
): Promise<PictureSets> {
  const idx = files.filter(({ path }) => IDX_NAME.test(nameOf(path)));
  const sets = idx.length > 0 ? await openIdx(name, idx) : await openFolder(files, image, signal);
  if (image) checkImage(name, sets.image, image);
  return { ...sets, digest: digestOf([sets.learned, sets.validation]) };
}

type OpenedSets = Omit<PictureSets, 'digest'>;

async function openIdx(name: string, files: readonly DataFile[]): Promise<OpenedSets> {
  const open = async (part: RegExp) => {
    const find = (kind: string) =>
      files.find(({ path }) => part.test(nameOf(path)) && nameOf(path).includes(kind));
    const [images, labels] = [find('images'), find('labels')];
    if (!images || !labels) return undefined;
    return openLabelledImages(await images.open(), await labels.open());
  };
  const all = await open(/^train/);
  if (!all) return refuse(`${name} has no train-images and train-labels`);
  const given = await open(/^(t10k|test)/);
  const [learned, validation] = given ? [all, given] : longPoll(all);
  const side = Math.sqrt(learned.pixels);
  const { height = side, width = side } = learned;
  if (!Number.isInteger(height * width)) refuse(`${name}: pictures of ${learned.pixels} pixels`);
  const classNames = Array.from({ length: learned.classes }, (_, label) => String(label));
  return { image: { channels: 1, height, width }, learned, validation, classNames };
}

async function openFolder(
  files: readonly DataFile[],
  wanted: Image | undefined,
  signal: AbortSignal | undefined,
): Promise<OpenedSets> {
  const first = files.find(({ path }) => /\.png$/i.test(path));
  if (!first) {
    return refuse(
      `none of ${files.length} files is a PNG picture or an IDX file such as train-images`,
    );
  }
  const image = wanted ? shapeOf(wanted) : await shapeOfFirst(first);
  const sources = await Promise.all(files.map((file) => file.open()));
  const all = await openPictureFolder(sources, { ...image, ...(signal && { signal }) });
  const [learned, validation] = longPoll(all);
  return { image, learned, validation, classNames: all.classNames };
}

/** The first picture says the size of all, others are resized; all are taken for coloured. */
async function shapeOfFirst(first: DataFile): Promise<PictureShape> {
  const source = await first.open();
  const { height, width } = decodePng(first.path, await source.read(0, source.size));
  return { channels: 3, height: Math.min(height, MOST_SIDE), width: Math.min(width, MOST_SIDE) };
}

/** Pictures as a model sees them. Throws EngineError `images-invalid` for channels that no picture has. */
export function shapeOf({ channels, height, width }: Image): PictureShape {
  if (channels === 1 || channels === 3) return { channels, height, width };
  return refuse(`there are ${channels} channels: expected 1 (grey) or 3 (red, green, blue)`);
}

function checkImage(name: string, image: Image, wanted: Image): void {
  if (inWords(image) === inWords(wanted)) return;
  refuse(`those of ${name} are ${inWords(image)}: the model sees ${inWords(wanted)}`);
}

const inWords = ({ channels, height, width }: Image) => `${channels} x ${height} x ${width}`;

/** Parts a set in pictures to learn from and some held back. */
function longPoll(set: LabelledImages): readonly [LabelledImages, LabelledImages] {
  const places = Array.from({ length: set.count }, (_, i) => i);
  const held = places.filter(isHeldBack);
  if (held.length === 0 || held.length === set.count) {
    refuse(`${set.count} pictures are too few to hold some back for validation`);
  }
  const others = places.filter((place) => !isHeldBack(place));
  return [imagesAt(set, others), imagesAt(set, held)];
}

/** The pictures at some places. */
export function imagesAt(set: LabelledImages, places: readonly number[]): LabelledImages {
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

function nameOf(path: string): string {
  return path.split('/').at(-1) ?? path;
}

function refuse(message: string): never {
  throw new EngineError('images-invalid', `the pictures are refused: ${message}`);
}
