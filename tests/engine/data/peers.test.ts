import { describe, expect, it } from 'vitest';
import { parseNpy } from '../../../engine/data/arrays/npy.ts';
import { openHdf5 } from '../../../engine/data/hdf5/hdf5-file.ts';
import { spikeRecordings } from '../../../engine/data/hdf5/spike-recordings.ts';
import { missingPeer } from '../../../engine/data/files/optional-peer.ts';
import { decodeJpeg } from '../../../engine/data/images/jpeg.ts';
import { expected, goldenFile } from './golden.ts';

async function collected<T>(all: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of all) found.push(one);
  return found;
}

describe('HDF5', () => {
  it('gives the recordings that h5py wrote in the layout of the Heidelberg digits', async () => {
    const { labels, times, units } = expected.hdf5;
    const found = await collected(spikeRecordings('spikes.h5', goldenFile('spikes.h5')));

    expect(found.map(({ label }) => label)).toEqual(labels);
    expect(found.map(({ className }) => className)).toEqual([
      undefined,
      'zero',
      undefined,
      undefined,
    ]);
    for (const [i, { events }] of found.entries()) {
      expect([...events.t]).toEqual(times[i]!.map((seconds) => Math.round(seconds * 1e6)));
      expect([...events.x]).toEqual(units[i]);
      expect(events).toMatchObject({ width: 700, height: 1 });
    }
  });

  it('gives data sets of numbers, of text, packed ones and halves', async () => {
    const file = await openHdf5('spikes.h5', goldenFile('spikes.h5'));

    expect(file.numbers('extra/image')).toEqual({
      shape: [2, 3],
      data: Float32Array.of(0, 1, 2, 3, 4, 5),
    });
    expect(file.numbers('extra/half').data).toEqual(Float32Array.of(0.5, -1.25, 65504));
    expect(file.numbers('extra/double').data).toEqual(Float32Array.of(0.5, -1.25, 3));
    expect(file.numbers('extra/long').data).toEqual(Int32Array.of(2, -3));
    expect(file.texts('extra/keys')).toEqual(['zero', 'one']);
    expect(() => file.numbers('extra/none')).toThrow(
      'spikes.h5 cannot be read as HDF5: at extra/none there is no data set',
    );
    expect(() => file.numbers('extra/keys')).toThrow('at extra/keys the type is of class 3');
    file.close();
  });

  it('reads a part of the recordings, and refuses units beyond those that there are', async () => {
    const read = (options: object) =>
      collected(spikeRecordings('spikes.h5', goldenFile('spikes.h5'), options));

    expect((await read({ from: 1, to: 3 })).map(({ label }) => label)).toEqual([0, 19]);
    await expect(read({ units: 600 })).rejects.toThrow(
      /at recording \d, spike \d+ its unit is 6\d\d, expected 0 to 599/,
    );
  });

  it('is refused where it is cut off or is none', async () => {
    const file = goldenFile('spikes.h5');

    await expect(openHdf5('a.h5', file.subarray(0, 5000))).rejects.toMatchObject({
      code: 'dataset-invalid',
    });
    await expect(openHdf5('a.h5', new Uint8Array(9))).rejects.toThrow(
      'has no signature, expected that of HDF5',
    );
  });
});

describe('JPEG', () => {
  // Decoders round differently, in each of the three colours.
  it.each([
    ['colour', 2, 6],
    ['subsampled', 2, 8],
    ['progressive', 2, 8],
    ['grey', 0.1, 1],
  ])(
    '%s has the pixels that libjpeg gives, up to rounding',
    async (name, meanLevels, mostLevels) => {
      const golden = parseNpy(name, goldenFile(`${name}.jpg.npy`));

      const image = await decodeJpeg(name, goldenFile(`${name}.jpg`));

      expect([image.height, image.width, 3]).toEqual(golden.shape);
      const differences = Array.from(golden.data, (level, i) =>
        Math.abs(level - image.rgba[4 * Math.floor(i / 3) + (i % 3)]!),
      );
      const mean = differences.reduce((a, b) => a + b, 0) / differences.length;
      expect(mean).toBeLessThan(meanLevels);
      expect(Math.max(...differences)).toBeLessThanOrEqual(mostLevels);
    },
  );

  it('is refused where it is cut off, claims a size that its bytes cannot have, or has too many scans', async () => {
    const file = goldenFile('colour.jpg');
    const frame = Buffer.from(file).indexOf(Uint8Array.of(0xff, 0xc0));
    const scan = Buffer.from(file).indexOf(Uint8Array.of(0xff, 0xda));
    const scans = Array.from({ length: 101 }, () => [...file.subarray(scan, scan + 14)]).flat();
    const damaged = { code: 'images-invalid' };

    await expect(decodeJpeg('a.jpg', file.subarray(0, 100))).rejects.toMatchObject(damaged);
    await expect(
      decodeJpeg('a.jpg', file.with(frame + 5, 255).with(frame + 7, 255)),
    ).rejects.toThrow(`at byte ${frame + 5} the image is 65331 x 65317, expected 1 to`);
    await expect(
      decodeJpeg('a.jpg', Uint8Array.of(...file.subarray(0, scan), ...scans)),
    ).rejects.toThrow('there are more scans, expected at most 100');
    await expect(decodeJpeg('a.jpg', file, 1000)).rejects.toThrow(
      'the image is 51 x 37, expected 1 to 1000 pixels',
    );
  });
});

it('a package that is missing is named with how to install it', async () => {
  const cause: unknown = await import(`no-such-${'package'}`).catch((error: unknown) => error);

  expect(missingPeer('no-such-package', 'reading XYZ', cause)).toMatchObject({
    code: 'invalid-setting',
    message: expect.stringMatching(
      /^reading XYZ needs the package no-such-package, .*"npm install no-such-package"$/s,
    ),
    cause,
  });
});
