import { deflateRawSync, gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { crc32, inflateInto } from '../../engine/data/files/inflate.ts';
import { unpack } from '../../engine/data/images/labelled-images.ts';
import { zipFiles } from '../../engine/data/files/zip.ts';
import { memorySource } from './byte-sources.ts';
import { type StoredEntry, zipOf } from './zip-archives.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const open = (file: Uint8Array) => zipFiles(memorySource(file, 'set.zip'));
const refusal = (message: RegExp) =>
  expect.objectContaining({ code: 'dataset-invalid', message: expect.stringMatching(message) });

/** A file as it is. */
const entry = (path: string, content: Uint8Array, changed: Partial<StoredEntry> = {}) => ({
  path,
  packed: deflateRawSync(content),
  size: content.length,
  crc: crc32(content),
  ...changed,
});

async function contents(file: Uint8Array): Promise<Record<string, string>> {
  const { files } = await open(file);
  const read = files.map(async ({ path, size, open: openFile }) => {
    const text = new TextDecoder().decode(await (await openFile()).read(0, size));
    return [path, text] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

describe('a zip archive', () => {
  it('gives its files back, packed or stored, in folders, by names of any language', async () => {
    const file = zipSync({
      'a/b.txt': bytes('beans '.repeat(5000)),
      'stored.txt': [bytes('as it is'), { level: 0 }],
      '犬.txt': bytes('dog'),
      'empty.txt': bytes(''),
      __proto__: {},
    });

    expect(await contents(file)).toEqual({
      'a/b.txt': 'beans '.repeat(5000),
      'stored.txt': 'as it is',
      '犬.txt': 'dog',
      'empty.txt': '',
    });
  });

  it('is read where its numbers stand in the fields of ZIP64', async () => {
    const file = zipOf([entry('large.txt', bytes('so large')), entry('b', bytes('next'))], {
      isLarge: true,
    });

    expect(await contents(file)).toEqual({ 'large.txt': 'so large', b: 'next' });
  });

  const text = bytes('Call me Ishmael. '.repeat(40));
  it.each<[string, Partial<StoredEntry>, RegExp]>([
    ['fewer bytes than it holds', { size: text.length - 1 }, /has more than the 679 bytes that/],
    ['more bytes than it holds', { size: text.length + 1 }, /has 680 bytes, the archive says 681/],
    ['another sum', { crc: 7 }, /a\.txt has the sum [0-9a-f]{8}, the archive says 00000007/],
    [
      'gigabytes in a few bytes',
      { size: 60_000_000 },
      /says 60000000 bytes, which its \d+ packed ones cannot be/,
    ],
    ['a method of its own', { method: 12 }, /is packed by method 12, expected 0 \(stored\) or 8/],
    ['that it is stored', { method: 0 }, /a\.txt has \d+ bytes, the archive says 680/],
    ['that it is encrypted', { flags: 1 }, /a\.txt is encrypted/],
    ['a stream that is none', { packed: Uint8Array.of(7, 7, 7) }, /a\.txt cannot be unpacked/],
    [
      'a stream that is cut off',
      { packed: deflateRawSync(text).subarray(0, 20) },
      /a\.txt cannot be unpacked: unexpected EOF/,
    ],
  ])('is refused where a file says %s', async (_, changed, message) => {
    await expect(open(zipOf([entry('a.txt', text, changed)]))).rejects.toEqual(refusal(message));
  });

  it('is refused where two files have one name, or share their bytes', async () => {
    const twice = zipOf([entry('a', bytes('1')), entry('a', bytes('2'))]);
    await expect(open(twice)).rejects.toEqual(refusal(/it has two files a/));

    const [first, second] = [entry('a', text), entry('b', text)];
    const shared = zipOf([first, { ...second, startsAt: 0 }]);
    await expect(open(shared)).rejects.toEqual(refusal(/b shares bytes with another file/));
  });

  it('that unpacks to a thousand times its size is refused before it is unpacked', async () => {
    const zeros = new Uint8Array(100_000_000);
    const bomb = zipSync({ zeros: [zeros, { level: 9 }] });
    const before = process.memoryUsage().arrayBuffers;

    expect(bomb.length).toBeLessThan(200_000);
    await expect(open(bomb)).rejects.toEqual(
      refusal(/^set\.zip of \d+ bytes would unpack to 100000000: expected at most \d{8}$/),
    );
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20e6);
  });

  it('is refused wherever it is cut off', async () => {
    const file = zipOf([entry('a.txt', text)]);
    for (let at = 0; at < file.length; at++) {
      await expect(open(file.subarray(0, at))).rejects.toEqual(refusal(/^set\.zip is no zip file/));
    }
  });
});

describe('a packed stream', () => {
  it('is unpacked as far as there is room, and says that there is more', () => {
    const packed = deflateRawSync(new Uint8Array(50_000_000));
    const out = new Uint8Array(10);
    const started = performance.now();

    expect(inflateInto('deflate', packed, out)).toBe(11);
    // All of it is 50 MB: the first 4 kB of it are 4 MB.
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it('ends where it ends, whatever follows it', () => {
    const long = new Uint8Array(3_000_000);
    long.set(deflateRawSync(bytes('whole')));
    const out = new Uint8Array(5);

    expect(inflateInto('deflate', long, out)).toBe(5);
    expect(new TextDecoder().decode(out)).toBe('whole');
  });

  it('of gzip is bounded by its size', async () => {
    const bomb = memorySource(gzipSync(new Uint8Array(100_000_000)), 'train-images.gz');

    await expect(unpack(bomb)).rejects.toThrow(
      /^train-images\.gz of \d+ bytes would unpack to more than \d{8}: expected/,
    );
  });
});
