import { deflateRawSync, gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { parseLines } from '../../engine/data/captions/caption-files.ts';
import { crc32 } from '../../engine/data/files/inflate.ts';
import { parseIdx } from '../../engine/data/images/idx.ts';
import { unpack } from '../../engine/data/images/labelled-images.ts';
import { decodePng } from '../../engine/data/images/png.ts';
import { readAudioIndex } from '../../engine/data/audio/audio-files.ts';
import { prepareText } from '../../engine/data/text/prepared-text.ts';
import { decodeWav } from '../../engine/data/audio/wav.ts';
import { memorySource, zipFiles } from '../../engine/data/files/zip.ts';
import { EngineError } from '../../engine/errors.ts';
import { decodeMemory, encodeMemory } from '../../engine/memory/associative-bytes.ts';
import { hashBytes } from '../../engine/memory/hash.ts';
import { colouredPng, dataFiles, toneWav } from '../engine/captioned-files.ts';
import { idxFile } from '../engine/image-sets.ts';
import { encodePng } from '../engine/png-files.ts';
import { zipOf } from '../engine/zip-archives.ts';
import { bytesOf, jsons, type Target, textOf, texts } from './target.ts';

const isRefusal = (error: unknown) => error instanceof EngineError;
const ascending = (count: number) => Uint8Array.from({ length: count }, (_, i) => i);

/** Sums of chunks as far as they can be told apart. */
function mendPng(bytes: Uint8Array): Uint8Array {
  const mended = bytes.slice();
  const view = new DataView(mended.buffer);
  for (let at = 8; at + 12 <= mended.length;) {
    const end = at + 8 + view.getUint32(at);
    if (end + 4 > mended.length) break;
    view.setUint32(end, crc32(mended.subarray(at + 4, end)));
    at = end + 4;
  }
  return mended;
}

function mendMemory(bytes: Uint8Array): Uint8Array {
  if (bytes.length < 4) return bytes;
  const mended = bytes.slice();
  const end = mended.length - 4;
  new DataView(mended.buffer).setUint32(end, hashBytes(mended.subarray(0, end)), true);
  return mended;
}

async function textIn(bytes: Uint8Array): Promise<number> {
  let length = 0;
  for (const name of ['work.txt', 'lines.jsonl']) {
    const text = await prepareText([memorySource(name, bytes)], {
      aozora: true,
      normalise: 'nfkc',
    });
    try {
      for await (const piece of text.read({ tallies: [] })) length += piece.length;
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }
  return length;
}

/** With a chunk that says nothing of the sound. */
function withNote(file: Uint8Array): Uint8Array {
  const note = [...bytesOf('LIST'), 4, 0, 0, 0, 1, 2, 3, 4];
  const noted = Uint8Array.of(...file.subarray(0, 36), ...note, ...file.subarray(36));
  new DataView(noted.buffer).setUint32(4, noted.length - 8, true);
  return noted;
}

const wave = toneWav(440, 64);
const stored = bytesOf('stored as it is');

/** Readers of the files that data sets are made of. */
export const dataTargets: readonly Target[] = [
  {
    name: 'zip',
    seeds: () => [
      zipSync({ 'a/b.txt': bytesOf('beans '.repeat(50)), 'c.txt': [bytesOf('cat'), { level: 0 }] }),
      zipOf(
        [{ path: 'x', packed: deflateRawSync(stored), size: stored.length, crc: crc32(stored) }],
        { isLarge: true },
      ),
    ],
    async read(bytes) {
      const { files } = await zipFiles(memorySource('set.zip', bytes));
      for (const { open, size } of files) await (await open()).read(0, size);
    },
    isRefusal,
  },
  {
    name: 'png',
    seeds: () => [
      colouredPng([10, 200, 30]),
      encodePng({
        ...{ width: 5, height: 3, colour: 3, depth: 4, isInterlaced: true, transparency: [9] },
        palette: [...ascending(48)],
        samples: Array.from({ length: 15 }, (_, i) => i),
      }),
      encodePng({ width: 2, height: 2, colour: 6, depth: 16, samples: Array(16).fill(40_000) }),
    ],
    mend: mendPng,
    read: (bytes) => decodePng('picture.png', bytes),
    isRefusal,
  },
  {
    name: 'wav',
    seeds: () => [wave, withNote(wave)],
    read: (bytes) => decodeWav('sound.wav', bytes),
    isRefusal,
  },
  {
    name: 'idx',
    seeds: () => [idxFile([3, 2, 4], ascending(24)), idxFile([5], ascending(5))],
    read(bytes) {
      const axes = bytes[3] === 1 ? 1 : 3;
      return parseIdx('train-images', bytes, axes);
    },
    isRefusal,
  },
  {
    name: 'gzip',
    seeds: () => [gzipSync(idxFile([3, 2, 4], ascending(24))), gzipSync('beans '.repeat(400))],
    read: (bytes) => unpack(memorySource('train-images.gz', bytes)),
    isRefusal,
  },
  {
    name: 'text',
    seeds: () => [
      ...texts(
        'Call me Ishmael.\r\nSome years ago\n',
        '｜吾輩《わがはい》は※［＃「※」］猫である。\n底本：「x」\n',
      ),
      ...texts('{"text":"one"}\n\n{"prompt":"two","completion":"three"}\n'),
      Uint8Array.of(0x83, 0x41, 0x83, 0x43, 0x82, 0xa0, 0x0a, 0x93, 0xfa, 0x96, 0x7b),
      Uint8Array.of(0xff, 0xfe, 0x41, 0x00, 0x42, 0x30, 0x3d, 0xd8, 0x00, 0xde),
      Uint8Array.of(0xa5, 0xa2, 0xa5, 0xa4, 0xc6, 0xfc, 0xcb, 0xdc),
    ],
    read: textIn,
    isRefusal,
  },
  {
    name: 'captions',
    seeds: () =>
      texts(
        '{"caption":"a cat","image":"cat.png","split":"train","group":"animals"}\n{"caption":"b"}',
      ),
    read: (bytes) => parseLines('captions.jsonl', textOf(bytes), 'caption'),
    isRefusal,
  },
  {
    name: 'sound index',
    seeds: () => texts('file,label,speaker,split\na.wav,zero,ann,train\nb.wav,one,bob,test\n'),
    read: (bytes) =>
      readAudioIndex(dataFiles({ 'index.csv': bytes, 'a.wav': '', 'b.wav': '' }).files),
    isRefusal,
  },
  {
    name: 'associative memory',
    seeds: () => [
      encodeMemory({
        settings: { columns: 16, perColumn: 8 },
        codes: new Map([
          ['a', Uint8Array.from({ length: 16 }, (_, i) => i % 8)],
          ['犬', new Uint8Array(16)],
        ]),
      }),
    ],
    mend: mendMemory,
    read: decodeMemory,
    isRefusal,
  },
];

export { isRefusal as isEngineError, jsons };
