import { deflateRawSync } from 'node:zlib';
import { csvNumbers, parseCsv } from '../../engine/data/arrays/csv.ts';
import { parseNpy, parseNpz } from '../../engine/data/arrays/npy.ts';
import { parseAedat2 } from '../../engine/data/events/aedat2.ts';
import { parseAedat4 } from '../../engine/data/events/aedat4.ts';
import { parseDat } from '../../engine/data/events/prophesee-dat.ts';
import { parseEvt } from '../../engine/data/events/prophesee-raw.ts';
import { parseNmnist } from '../../engine/data/events/nmnist.ts';
import { refuseFile } from '../../engine/data/files/bounded-reader.ts';
import { crc32 } from '../../engine/data/files/inflate.ts';
import { unpackLz4 } from '../../engine/data/files/lz4.ts';
import { decodeJpeg } from '../../engine/data/images/jpeg.ts';
import { EngineError } from '../../engine/errors.ts';
import { aedat2File, datFile, evt2File, evt3File, NMNIST } from '../engine/data/event-files.ts';
import { goldenFile } from '../engine/data/golden.ts';
import { zipOf } from '../engine/zip-archives.ts';
import { type Target, texts } from './target.ts';

const isRefusal = (error: unknown) => error instanceof EngineError;
/** Files of a case are at most some hundred kilobytes: what they claim to hold is bounded likewise. */
const bounds = { maxEvents: 2 ** 20 };

function npzOf(name: string): Uint8Array {
  const file = goldenFile(name);
  const packed = deflateRawSync(file);
  return zipOf([{ path: 'x.npy', packed, size: file.length, crc: crc32(file) }]);
}

/** Readers of arrays, tables and recordings that a user of the library loads. */
export const recordingTargets: readonly Target[] = [
  {
    name: 'npy',
    seeds: () => [1, 2, 3].map((version) => goldenFile(`version${version}.npy`)),
    read: (bytes) => parseNpy('x.npy', bytes),
    isRefusal,
  },
  {
    name: 'npz',
    seeds: () => [npzOf('version1.npy'), goldenFile('stored.npz')],
    read: (bytes) => parseNpz('x.npz', bytes),
    isRefusal,
  },
  {
    name: 'CSV',
    seeds: () => [...texts('a,b\n1,2\r\n-3.5,4e2\n'), ...texts('"a ""b""",c\n1," 2"\n\n3,4\n')],
    read: (bytes) => csvNumbers(parseCsv('x.csv', bytes)),
    isRefusal,
  },
  {
    name: 'N-MNIST',
    seeds: () => [NMNIST],
    read: (bytes) => parseNmnist('x.bin', bytes, bounds),
    isRefusal,
  },
  {
    name: 'AEDAT 2.0',
    seeds: () => [
      aedat2File('DVS128', [0x1234, 5, 0x8000, 6, 0x7ffe, 7]),
      aedat2File('Davis346', [0x00c3_5800, 5, 0x8000_0000, 6]),
    ],
    read: (bytes) => parseAedat2('x.aedat', bytes, bounds),
    isRefusal,
  },
  {
    name: 'AEDAT 4.0',
    seeds: () => ['none', 'lz4', 'lz4-high'].map((name) => goldenFile(`events-${name}.aedat4`)),
    read: (bytes) => parseAedat4('x.aedat4', bytes, bounds),
    isRefusal,
  },
  {
    name: 'LZ4',
    seeds: () => [goldenFile('small.lz4')],
    read: (bytes) => unpackLz4(bytes, 2 ** 22, refuseFile('x', 'LZ4')),
    isRefusal,
  },
  {
    name: 'DAT',
    seeds: () => [datFile([1, 0x1000_4003, 2, 0x0001_8005])],
    read: (bytes) => parseDat('x.dat', bytes, bounds),
    isRefusal,
  },
  {
    name: 'EVT 2.0',
    seeds: () => [evt2File([0x8000_0002, 0x1040_2803, 0xa000_0000, 0x00c0_1001])],
    read: (bytes) => parseEvt('x.raw', bytes, bounds),
    isRefusal,
  },
  {
    name: 'EVT 3.0',
    seeds: () => [
      evt3File(
        [0x8000, 0x6064, 0x0032, 0x2864, 0x3005, 0x4e38, 0x5081, 0xe001],
        '% geometry 640x480',
      ),
    ],
    read: (bytes) => parseEvt('x.raw', bytes, bounds),
    isRefusal,
  },
  {
    name: 'JPEG',
    seeds: () =>
      ['colour', 'subsampled', 'progressive', 'grey'].map((name) => goldenFile(`${name}.jpg`)),
    read: (bytes) => decodeJpeg('x.jpg', bytes),
    isRefusal,
  },
];
