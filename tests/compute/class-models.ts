import { crc32, deflateSync } from 'node:zlib';
import {
  blobSource,
  type CheckpointFiles,
  type DataFiles,
  loadFamily,
  openBackend,
  stableBaseline,
} from '../../engine/index.ts';

const SIDE = 6;

/** Grey pictures as IDX files, by name: bright above is class 0, below is class 1. */
export function halvedPictures(learned: number, unseen: number): ReadonlyMap<string, Uint8Array> {
  const part = (count: number) => {
    const labels = Uint8Array.from({ length: count }, (_, i) => i % 2);
    const pixels = Array.from(labels, (label, i) => Array.from(pixelsOf(label, i))).flat();
    return [idxFile([count, SIDE, SIDE], Uint8Array.from(pixels)), idxFile([count], labels)];
  };
  const [images, labels] = part(learned) as [Uint8Array, Uint8Array];
  const [others, theirs] = part(unseen) as [Uint8Array, Uint8Array];
  return new Map([
    ['train-images-idx3-ubyte', images],
    ['train-labels-idx1-ubyte', labels],
    ['t10k-images-idx3-ubyte', others],
    ['t10k-labels-idx1-ubyte', theirs],
  ]);
}

/** The pixels of one picture, none like the next. */
export function pixelsOf(label: number, seed: number): Uint8Array {
  const isBright = (i: number) => Math.floor(i / (SIDE ** 2 / 2)) === label;
  return Uint8Array.from({ length: SIDE ** 2 }, (_, i) => {
    return (isBright(i) ? 180 : 20) + ((i * 7 + seed * 13) % 50);
  });
}

/** An IDX file of unsigned bytes. */
function idxFile(shape: readonly number[], bytes: Uint8Array): Uint8Array {
  const head = Buffer.alloc(4 + 4 * shape.length);
  head.set([0, 0, 8, shape.length]);
  for (const [axis, length] of shape.entries()) head.writeUInt32BE(length, 4 + 4 * axis);
  return Uint8Array.from(Buffer.concat([head, bytes]));
}

/** A grey picture as a PNG file; pixels that are missing are black. */
export function greyPng(width: number, height: number, pixels: Uint8Array): Buffer {
  const chunk = (kind: string, content: Uint8Array) => {
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    const body = Buffer.concat([Buffer.from(kind, 'latin1'), content]);
    length.writeUInt32BE(content.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const lines = Buffer.alloc(height * (width + 1));
  for (let row = 0; row < height; row++) {
    lines.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([signature, ...chunks]);
}

/** A WAV file of 16 bits at 8 kHz. */
export function wavOf(samples: readonly number[]): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + 2 * samples.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  for (const [at, value] of [
    [16, 16],
    [24, 8000],
    [28, 16_000],
  ] as const)
    head.writeUInt32LE(value, at);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    head.writeUInt16LE(value, at);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(2 * samples.length, 40);
  const data = Buffer.alloc(2 * samples.length);
  for (const [i, sample] of samples.entries()) data.writeInt16LE(Math.round(sample * 32767), 2 * i);
  return Buffer.concat([head, data]);
}

/** A small model that tells two classes apart: halves of pictures, or tones that are made up. */
export async function trainedClasses(
  architecture: 'spiking_vision' | 'spiking_audio',
): Promise<CheckpointFiles> {
  const backend = await openBackend('wasm', { gpu: undefined, threads: 1 });
  const isVision = architecture === 'spiking_vision';
  const settings = {
    architecture,
    fields: isVision
      ? { output_dim: 2, time_steps: 3, model_variant: 'mlp' }
      : { output_neurons: 2, mfcc_features: 8, mfcc_seq_len: 6, synthetic: true },
    ...{ batch: 8, learningRate: 0.01, seed: 1 },
    budget: { kind: 'steps', steps: 30 },
  } as const;
  const family = await loadFamily(architecture);
  const data = await family.openData(
    inMemory(isVision ? halvedPictures(32, 8) : new Map()),
    settings,
  );
  const run = await family.createRun({ backend, settings, controls: stableBaseline }, data);
  await run.advance(30);
  const files = await run.checkpoint();
  run.close();
  backend.close();
  return files;
}

function inMemory(files: ReadonlyMap<string, Uint8Array>): DataFiles {
  return {
    name: 'halves',
    files: Array.from(files, ([path, bytes]) => ({
      path,
      size: bytes.length,
      open: async () => blobSource(new Blob([bytes.slice()]), path),
    })),
    close: async () => {},
  };
}
