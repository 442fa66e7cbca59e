import fc from 'fast-check';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { crc32 } from '../../engine/data/files/inflate.ts';
import { decodePng } from '../../engine/data/images/png.ts';
import { extent } from './extent.ts';
import { CHANNELS, chunk, encodePng, headerOf, pngOf, type StoredPicture } from './png-files.ts';

const KINDS = [
  ...[1, 2, 4, 8, 16].map((depth) => [0, depth] as const),
  ...[1, 2, 4, 8].map((depth) => [3, depth] as const),
  ...[2, 4, 6].flatMap((colour) => [8, 16].map((depth) => [colour, depth] as const)),
];

const picture: fc.Arbitrary<StoredPicture> = fc
  .record({
    kind: fc.constantFrom(...KINDS),
    width: fc.integer({ min: 1, max: 19 }),
    height: fc.integer({ min: 1, max: 19 }),
  })
  .chain(({ kind: [colour, depth], width, height }) => {
    const length = width * height * CHANNELS[colour]!;
    return fc.record({
      ...{ width: fc.constant(width), height: fc.constant(height) },
      ...{ colour: fc.constant(colour), depth: fc.constant(depth) },
      samples: fc.array(fc.nat(2 ** depth - 1), { minLength: length, maxLength: length }),
      isInterlaced: fc.boolean(),
      filters: fc.array(fc.nat(4), { minLength: 1, maxLength: 7 }),
      palette: fc.constant(
        colour === 3 ? Array.from({ length: 768 }, (_, i) => (i * 7) % 256) : [],
      ),
    });
  })
  .map(({ palette, ...rest }) => (palette.length > 0 ? { ...rest, palette } : rest));

/** The pixels of an image by the PNG specification. */
function expectedRgba({ colour, depth, samples, palette = [] }: StoredPicture): number[] {
  const channels = CHANNELS[colour]!;
  const scaled = (sample: number) => Math.round((sample * 255) / (2 ** depth - 1));
  return Array.from({ length: samples.length / channels }, (_, i) => {
    const pixel = Array.from({ length: channels }, (__, c) => samples[i * channels + c]!);
    const [a, b, c, d] = pixel.map(scaled);
    if (colour === 3) return [...palette.slice(3 * pixel[0]!, 3 * pixel[0]! + 3), 255];
    if (colour === 0) return [a!, a!, a!, 255];
    if (colour === 4) return [a!, a!, a!, b!];
    return [a!, b!, c!, d ?? 255];
  }).flat();
}

describe('a PNG file', () => {
  it('of any colour type, depth, filter and interlacing gives its pixels back', () => {
    fc.assert(
      fc.property(picture, (stored) => {
        const { width, height, rgba } = decodePng('x', encodePng(stored));

        expect([width, height]).toEqual([stored.width, stored.height]);
        expect([...rgba]).toEqual(expectedRgba(stored));
      }),
      { numRuns: extent(300, 60) },
    );
  });

  it('is read from a Buffer of Node too', () => {
    const file = encodePng({ width: 1, height: 1, colour: 0, depth: 8, samples: [7] });

    expect([...decodePng('x', Buffer.from(file)).rgba]).toEqual([7, 7, 7, 255]);
  });

  it('of another writer is read', () => {
    // One red pixel, as it stands in many a web page; its sums and its block are not our writer's.
    const red = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVQI12P4z8AAAAMBAQAY3Y2wAAAAAElFTkSuQmCC',
      'base64',
    );

    expect([...decodePng('red', Uint8Array.from(red)).rgba]).toEqual([255, 0, 0, 255]);
  });

  const pair = { width: 2, height: 1, depth: 8 };
  it.each<[string, StoredPicture, number[]]>([
    [
      'grey',
      { ...pair, colour: 0, samples: [7, 8], transparency: [0, 8] },
      [7, 7, 7, 255, 8, 8, 8, 0],
    ],
    [
      'RGB',
      { ...pair, colour: 2, samples: [1, 2, 3, 1, 2, 4], transparency: [0, 1, 0, 2, 0, 4] },
      [1, 2, 3, 255, 1, 2, 4, 0],
    ],
    [
      'a palette, whose last entries are opaque',
      { ...pair, colour: 3, samples: [0, 1], transparency: [9], palette: [10, 20, 30, 40, 50, 60] },
      [10, 20, 30, 9, 40, 50, 60, 255],
    ],
  ])('shows what is clear: %s', (_, stored, rgba) => {
    expect([...decodePng('x', encodePng(stored)).rgba]).toEqual(rgba);
  });

  it('is refused by name wherever it is cut off and whichever byte is changed', () => {
    const file = encodePng({
      width: 5,
      height: 3,
      colour: 0,
      depth: 8,
      samples: Array(15).fill(9),
    });
    const refusal = {
      code: 'images-invalid',
      message: expect.stringMatching(/^cat is no PNG file/),
    };
    for (let at = 0; at < file.length; at++) {
      const changed = file.with(at, file[at]! ^ 0x21);

      expect(() => decodePng('cat', file.subarray(0, at))).toThrow(
        expect.objectContaining(refusal),
      );
      expect(() => decodePng('cat', changed)).toThrow(expect.objectContaining(refusal));
    }
  });

  const grey = { width: 2, height: 1, colour: 0, depth: 8 };
  const end = chunk('IEND', []);
  const pixels = (bytes: number[]) => chunk('IDAT', deflateSync(Uint8Array.from(bytes)));
  it.each<[string, readonly Uint8Array[], string]>([
    ['no header', [end], 'its first chunk is IEND, expected IHDR'],
    [
      'a picture too large',
      [headerOf({ ...grey, width: 0xffffffff, height: 0xffffffff }), end],
      'it is 4294967295 x 4294967295 pixels, expected 1 to 16777216 in all',
    ],
    ['no pixels', [headerOf({ ...grey, height: 0 }), end], 'it is 2 x 0 pixels'],
    ['a depth of 3', [headerOf({ ...grey, depth: 3 }), end], 'colour type 0 with 3 bits is none'],
    ['colour 5', [headerOf({ ...grey, colour: 5 }), end], 'colour type 5 with 8 bits is none'],
    ['a short line', [headerOf(grey), pixels([0, 1]), end], 'unpack to 2 bytes, expected 3'],
    [
      'a bomb',
      [headerOf(grey), pixels(Array(100_000).fill(0)), end],
      'unpack to more than the 3 bytes expected',
    ],
    [
      'filter 5',
      [headerOf(grey), pixels([5, 1, 2]), end],
      'a line has the filter 5, expected 0 to 4',
    ],
    ['no palette', [headerOf({ ...grey, colour: 3 }), end], 'its palette has 0 bytes'],
    [
      'a colour outside',
      [headerOf({ ...grey, colour: 3 }), chunk('PLTE', [1, 2, 3]), pixels([0, 0, 4]), end],
      'a pixel has colour 4 of a palette of 1',
    ],
    ['an unknown need', [headerOf(grey), chunk('ABCD', []), end], 'needs the chunk ABCD'],
    [
      'compression 1',
      [chunk('IHDR', [0, 0, 0, 2, 0, 0, 0, 1, 8, 0, 1, 0, 0]), end],
      'compression, filter and interlacing are 1, 0, 0: expected 0, 0 and 0 or 1',
    ],
    ['two headers', [headerOf(grey), headerOf(grey), end], 'it has 2 chunks IHDR'],
    ['no data', [headerOf(grey), end], 'its pixels cannot be unpacked'],
  ])('says what is wrong with it: %s', (_, chunks, message) => {
    expect(() => decodePng('x', pngOf(chunks))).toThrow(message);
  });

  it('has the sums that ISO 3309 publishes', () => {
    expect(crc32(Buffer.from('123456789'))).toBe(0xcbf43926);
    expect(crc32(Buffer.from('IEND'))).toBe(0xae426082);
  });
});
