import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  readCsv,
  readEvents,
  readHdf5,
  readIdx,
  readImage,
  readNpy,
  readNpz,
  readSpikeRecordings,
  readWav,
} from '../../../engine/data/load-files.ts';
import { colouredPng } from '../captioned-files.ts';
import { wavFile } from '../data-sets.ts';
import { memorySource } from '../byte-sources.ts';
import { idxFile } from '../image-sets.ts';
import { aedat2File, datFile, evt2File, evt3File, NMNIST } from './event-files.ts';
import { goldenFile } from './golden.ts';

describe('loaders', () => {
  it('take bytes, buffers, blobs and sources', async () => {
    const file = goldenFile('version1.npy');
    const inputs = [file, file.slice().buffer, new Blob([file.slice()]), memorySource(file)];

    for (const input of inputs) expect((await readNpy(input)).shape).toEqual([2, 3, 4]);
  });

  it('name the file and refuse one that is too large before it is read', async () => {
    const source = memorySource(new Uint8Array(100), 'big.npy');

    await expect(readNpy(source, { maxBytes: 99 })).rejects.toThrow(
      'big.npy has 100 bytes: expected at most 99',
    );
    expect(source.reads).toEqual([]);
    await expect(readNpy(source)).rejects.toThrow(/^big\.npy cannot be read as NumPy array/);
    await expect(readNpy(new Uint8Array(9), { name: 'x.npy' })).rejects.toThrow(/^x\.npy /);
  });

  it('read each kind of file', async () => {
    const pixels = Uint8Array.of(1, 2, 3, 4, 5, 6);
    const spikes = readSpikeRecordings(goldenFile('spikes.h5'));

    expect(await readIdx(gzipSync(idxFile([3, 2], pixels)))).toEqual({
      shape: [3, 2],
      data: pixels,
    });
    expect(await readWav(wavFile([0, 0.5]))).toMatchObject({ sampleRateHz: 8000 });
    expect(await readImage(colouredPng([1, 2, 3]))).toMatchObject({ rgba: expect.any(Uint8Array) });
    expect(await readImage(goldenFile('grey.jpg'))).toMatchObject({ width: 51, height: 37 });
    expect((await readCsv(goldenFile('quoted.csv'))).records).toHaveLength(4);
    expect((await readNpz(goldenFile('stored.npz'))).get('x')?.shape).toEqual([3, 4]);
    const file = await readHdf5(goldenFile('spikes.h5'));
    expect(file.numbers('labels').shape).toEqual([4]);
    file.close();
    expect((await spikes.next()).value).toMatchObject({ label: 3 });
    await spikes.return(undefined);
  });

  it.each([
    ['N-MNIST', '4.bin', NMNIST, 8],
    ['AEDAT 2.0', 'a.aedat', aedat2File('DVS128', [0, 0]), 1],
    ['AEDAT 4.0', 'a.aedat4', goldenFile('events-lz4.aedat4'), 868],
    ['DAT', 'a.dat', datFile([1, 1]), 1],
    ['EVT 2.0', 'a.raw', evt2File([0x8000_0000, 0]), 1],
    ['EVT 3.0', 'a.raw', evt3File([0x8000, 0x2000]), 1],
  ])('tell %s by its first bytes or its name', async (_, name, file, count) => {
    expect((await readEvents(file, { name })).t).toHaveLength(count);
  });

  it('say which formats of events there are', async () => {
    await expect(readEvents(NMNIST)).rejects.toThrow(
      'at byte 0 no format is recognised, expected the option `format`: nmnist, aedat2, aedat4, dat, evt',
    );
    expect((await readEvents(NMNIST, { format: 'nmnist' })).t).toHaveLength(8);
  });
});
