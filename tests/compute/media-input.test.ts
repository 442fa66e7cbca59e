import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodedMedia } from '../../edge/inference/contract/request-inputs.ts';
import { decodePng } from '../../engine/data/images/png.ts';
import { decodeWav } from '../../engine/data/audio/wav.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

function chunk(kind: string, content: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(kind), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Black pixels of one bit, packed, in base64. */
function blackPng(width: number, height: number): string {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const pixels = deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8))));
  const chunks = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([SIGNATURE, ...chunks]).toString('base64');
}

describe('a picture of a request', () => {
  const read = (image: string) => decodedMedia({ image }, { decodePng, decodeWav }).picture;

  it('may be as large as a screen', () => {
    expect(read(blackPng(1920, 1080))).toMatchObject({ width: 1920, height: 1080 });
  });

  it('is refused where a few kilobytes unfold to more', () => {
    const bomb = blackPng(4096, 4096);

    expect(bomb.length).toBeLessThan(8_000);
    expect(() => read(bomb)).toThrow(
      /\/inputs\/image: .* it is 4096 x 4096 pixels, expected 1 to 2097152 in all/,
    );
  });
});
