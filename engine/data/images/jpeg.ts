import { EngineError } from '../../errors.ts';
import { BoundedReader, type RefuseFile } from '../files/bounded-reader.ts';
import { reasonOf } from '../files/json.ts';
import { missingPeer } from '../files/optional-peer.ts';
import type { DecodedImage } from './png.ts';

const [START_OF_IMAGE, START_OF_SCAN, END_OF_IMAGE] = [0xd8, 0xda, 0xd9];
/** Baseline, extended and progressive images of Huffman codes. */
const FRAMES = [0xc0, 0xc1, 0xc2];
/** Markers without a length: restarts, and one that is reserved. */
const isBare = (marker: number) => (marker >= 0xd0 && marker <= 0xd7) || marker === 0x01;

const MAX_PIXELS = 2 ** 24;
/** A block of 64 pixels takes at least a bit of each component. */
const MAX_PIXELS_PER_BYTE = 2048;
const FREE_PIXELS = 2 ** 16;
/** Each scan of a progressive image goes over all of it; encoders write about ten. */
const MAX_SCANS = 100;
const MAX_DECODER_MEBIBYTES = 1024;

/**
 * Decodes a JPEG file: by the browser where there is one, otherwise by the package jpeg-js, which a user
 * installs. Decoders differ by a few grey levels. Throws EngineError `images-invalid` for a damaged file and for
 * one of more than `maxPixels`, `invalid-setting` where the package is missing.
 */
export async function decodeJpeg(
  name: string,
  file: Uint8Array,
  maxPixels = MAX_PIXELS,
): Promise<DecodedImage> {
  const refuse: RefuseFile = (at, found, expected) => {
    const place = typeof at === 'number' ? `byte ${at}` : at;
    const message = `${name} is no JPEG image that can be read: at ${place} ${found}, expected ${expected}`;
    throw new EngineError('images-invalid', message);
  };
  const size = readSize(new BoundedReader(file, refuse, 'big'), maxPixels);
  const decode = 'createImageBitmap' in globalThis ? decodeInBrowser : await openDecoder(maxPixels);
  let image: DecodedImage;
  try {
    image = await decode(file);
  } catch (error) {
    return refuse('its pixels', reasonOf(error), 'a whole image');
  }
  if (image.width === size.width && image.height === size.height) return image;
  return refuse('its pixels', `${image.width} x ${image.height}`, `${size.width} x ${size.height}`);
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Walks the segments: memory and time that a decoder takes are bounded before it is called. */
function readSize(reader: BoundedReader, maxPixels: number): Size {
  if (reader.u16(0) !== (0xff00 | START_OF_IMAGE)) {
    reader.refuse(0, 'there is no start of an image', 'ff d8');
  }
  let [size, scans]: [Size | undefined, number] = [undefined, 0];
  for (const { marker, at } of segmentsOf(reader)) {
    if (FRAMES.includes(marker)) {
      if (size) reader.refuse(at, 'there is a second frame', 'one');
      size = frameSize(reader, at, maxPixels);
    }
    if (marker === START_OF_SCAN && ++scans > MAX_SCANS) {
      reader.refuse(at, 'there are more scans', `at most ${MAX_SCANS}`);
    }
  }
  return size ?? reader.refuse(reader.size, 'the file ends without a frame', 'ff c0, c1 or c2');
}

interface Segment {
  readonly marker: number;
  /** Offset of its length. */
  readonly at: number;
}

function* segmentsOf(reader: BoundedReader): Generator<Segment> {
  const { bytes } = reader;
  for (let at = 2; at < reader.size;) {
    // Coded data lie between segments; in them a byte 0 follows ff.
    const mark = bytes.indexOf(0xff, at);
    if (mark < 0 || mark + 1 >= reader.size) return;
    const marker = reader.u8(mark + 1);
    at = mark + 2;
    if (marker === 0xff) at = mark + 1;
    if (marker === 0 || marker === 0xff || isBare(marker)) continue;
    if (marker === END_OF_IMAGE) return;
    reader.need(at, 2, 'a segment');
    yield { marker, at };
    at += Math.max(2, reader.u16(at));
  }
}

function frameSize(reader: BoundedReader, at: number, maxPixels: number): Size {
  const [height, width] = [reader.u16(at + 3), reader.u16(at + 5)];
  const pixels = width * height;
  const most = Math.min(maxPixels, FREE_PIXELS + MAX_PIXELS_PER_BYTE * reader.size);
  if (pixels === 0 || pixels > most) {
    reader.refuse(at + 3, `the image is ${width} x ${height}`, `1 to ${most} pixels`);
  }
  return { width, height };
}

async function loadLibrary() {
  try {
    return await import('jpeg-js');
  } catch (cause) {
    throw missingPeer('jpeg-js', 'reading JPEG', cause);
  }
}

async function openDecoder(maxPixels: number) {
  const { decode } = await loadLibrary();
  return (file: Uint8Array): DecodedImage => {
    const { width, height, data } = decode(file, {
      useTArray: true,
      tolerantDecoding: false,
      maxResolutionInMP: Math.ceil(maxPixels / 1e6),
      maxMemoryUsageInMB: MAX_DECODER_MEBIBYTES,
    });
    return { width, height, rgba: data };
  };
}

async function decodeInBrowser(file: Uint8Array): Promise<DecodedImage> {
  const blob = new Blob([file.slice()], { type: 'image/jpeg' });
  const bitmap = await createImageBitmap(blob, { colorSpaceConversion: 'none' });
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext('2d');
  if (!context) throw new Error('the browser gives no canvas');
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  const { data } = context.getImageData(0, 0, width, height);
  return { width, height, rgba: new Uint8Array(data.buffer) };
}
