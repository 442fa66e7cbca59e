import { decodeJpeg } from './jpeg.ts';
import { decodePng, type DecodedImage } from './png.ts';

/** The first byte of a JPEG file; that of a PNG file is 0x89. */
const JPEG = 0xff;

/**
 * Decodes a PNG or JPEG file, told apart by their first bytes. Throws as `decodePng` and `decodeJpeg`.
 */
export async function decodeImage(name: string, file: Uint8Array): Promise<DecodedImage> {
  return file[0] === JPEG ? decodeJpeg(name, file) : decodePng(name, file);
}
