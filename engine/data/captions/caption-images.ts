import type { DataFile } from '../files/data-files.ts';
import { parseIdx } from '../images/idx.ts';
import { unpack } from '../images/labelled-images.ts';
import { readPng } from '../images/image-folder.ts';
import { checkPictureShape, type PictureShape, resizePicture } from '../images/resize-image.ts';
import type { Picture } from '../images/png.ts';
import type { CaptionLine } from './caption-lines.ts';
import type { CaptionReader } from './caption-files.ts';
import { refuse } from './refuse.ts';

/** Pictures of one size. */
export interface PictureSet {
  readonly shape: PictureShape;
  /** `[count][channels][height][width]`, 0 to 255. */
  readonly values: Uint8Array;
}

/** Bytes that all pictures may have together, at the size asked for. */
const MOST_BYTES = 2 ** 30;
const IDX_FILE = /idx[34]-ubyte(\.gz)?$/i;

/** The picture of each line; undefined where no line has one. */
export async function openPictures(
  reader: CaptionReader,
  lines: readonly CaptionLine[],
  shape: PictureShape,
): Promise<PictureSet | undefined> {
  checkPictureShape(shape);
  const pixels = shape.channels * shape.width * shape.height;
  if (lines.length * pixels > MOST_BYTES) {
    refuse(`${lines.length} pictures of ${pixels} values, expected at most ${MOST_BYTES} in all`);
  }
  const pictureOf = await pictureSource(reader, lines);
  if (!pictureOf) return undefined;
  const values = new Uint8Array(lines.length * pixels);
  for (const [i, line] of lines.entries()) {
    values.set(resizePicture(await pictureOf(line, i), shape), i * pixels);
  }
  return { shape, values };
}

type PictureSource = (line: CaptionLine, place: number) => Picture | Promise<Picture>;

async function pictureSource(
  reader: CaptionReader,
  lines: readonly CaptionLine[],
): Promise<PictureSource | undefined> {
  if (lines.some(({ image }) => image !== undefined)) {
    return async ({ number, image }) => {
      if (image === undefined) return refuse(`line ${number} names no image, others do`);
      return readPng(await reader.read(reader.named(image, number)));
    };
  }
  const packed = reader.find(IDX_FILE);
  return packed && openIdx(reader, packed, lines.length);
}

/** Pictures `[count][height][width]`, grey, or `[count][height][width][3]`. */
async function openIdx(
  reader: CaptionReader,
  file: DataFile,
  count: number,
): Promise<PictureSource> {
  const bytes = await unpack(await reader.read(file));
  const isColoured = bytes[3] === 4;
  const { shape, bytes: values } = parseIdx(file.path, bytes, isColoured ? 4 : 3);
  const [pictures = 0, height = 0, width = 0, channels = 1] = shape;
  if (pictures !== count) {
    refuse(`${file.path} has ${pictures} pictures, the captions have ${count} lines`);
  }
  if (isColoured && channels !== 3) {
    refuse(`${file.path} has ${channels} channels, expected 3: red, green and blue`);
  }
  const size = height * width;
  return (_line, place) => {
    const rgba = new Uint8Array(4 * size).fill(255);
    const from = place * size * channels;
    for (let i = 0; i < size; i++) {
      for (let c = 0; c < 3; c++) {
        rgba[4 * i + c] = values[from + i * channels + (isColoured ? c : 0)] ?? 0;
      }
    }
    return { width, height, rgba };
  };
}
