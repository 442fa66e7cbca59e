import type { DataFiles } from '../../engine/data/files/data-files.ts';
import { idxFile } from './image-sets.ts';
import { memorySource } from './byte-sources.ts';
import { randomSource } from './random.ts';

/** A data set in memory, its files by path. */
export function dataSet(name: string, files: Readonly<Record<string, Uint8Array>>): DataFiles {
  const entries = Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    name,
    files: entries.map(([path, bytes]) => ({
      path,
      size: bytes.length,
      open: async () => memorySource(bytes, path),
    })),
    close: async () => {},
  };
}

const SIDE = 8;

/** Pictures of 8 x 8 pixels with one of three bright bands: the class. Noisy, as IDX files. */
export function bandedPictures(learned: number, unseen: number): DataFiles {
  const part = (count: number, seed: number) => {
    const from = randomSource(seed);
    const labels = Uint8Array.from(from.integers(count, 3));
    const pixels = Uint8Array.from(from.integers(count * SIDE ** 2, 100), (noise, i) => {
      const row = Math.floor(i / SIDE) % SIDE;
      const isBright = Math.floor((row - 1) / 2) === labels[Math.floor(i / SIDE ** 2)];
      return isBright ? noise + 155 : noise;
    });
    return { images: idxFile([count, SIDE, SIDE], pixels), labels: idxFile([count], labels) };
  };
  const [train, test] = [part(learned, 1), part(unseen, 2)];
  return dataSet('bands', {
    'train-images-idx3-ubyte': train.images,
    'train-labels-idx1-ubyte': train.labels,
    't10k-images-idx3-ubyte': test.images,
    't10k-labels-idx1-ubyte': test.labels,
  });
}

/** A WAV file of 16 bits. */
export function wavFile(samples: readonly number[], sampleRateHz = 8000): Uint8Array {
  const bytes = new Uint8Array(44 + 2 * samples.length);
  const view = new DataView(bytes.buffer);
  const tag = (at: number, text: string) => bytes.set(new TextEncoder().encode(text), at);
  tag(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  tag(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRateHz, true);
  view.setUint32(28, 2 * sampleRateHz, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  tag(36, 'data');
  view.setUint32(40, 2 * samples.length, true);
  for (const [i, sample] of samples.entries()) {
    view.setInt16(44 + 2 * i, Math.round(sample * 32767), true);
  }
  return bytes;
}
