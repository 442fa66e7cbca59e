import type { DataFiles } from '../../engine/data/files/data-files.ts';
import { memorySource } from './byte-sources.ts';
import { encodePng } from './png-files.ts';

type Line = Readonly<Record<string, unknown>>;

/** A data set in memory, its files in the order of their paths. */
export function dataFiles(files: Readonly<Record<string, Uint8Array | string>>): DataFiles {
  const sources = Object.entries(files).map(([path, content]) =>
    memorySource(typeof content === 'string' ? Buffer.from(content) : content, path),
  );
  const opened = sources
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((source) => ({ path: source.name, size: source.size, open: async () => source }));
  return { name: 'memory', files: opened, close: async () => undefined };
}

export function jsonLines(lines: readonly Line[]): string {
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

/** A PNG of one colour, darker by a tenth for each `shade`. */
export function colouredPng(colour: readonly [number, number, number], shade = 0): Uint8Array {
  const size = 8;
  const pixel = colour.map((value) => Math.round(value * (1 - shade / 10)));
  const samples = Array.from({ length: size * size }, () => pixel).flat();
  return encodePng({ width: size, height: size, colour: 2, depth: 8, samples });
}

const HEADER_BYTES = 44;

/** A mono WAV file of a sine, 16 bits at 8 kHz. */
export function toneWav(frequencyHz: number, samples: number): Uint8Array {
  const rate = 8_000;
  const file = new Uint8Array(HEADER_BYTES + 2 * samples);
  const view = new DataView(file.buffer);
  file.set(Buffer.from('RIFF'), 0);
  view.setUint32(4, file.length - 8, true);
  file.set(Buffer.from('WAVEfmt '), 8);
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, 2 * rate, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  file.set(Buffer.from('data'), 36);
  view.setUint32(40, 2 * samples, true);
  for (let i = 0; i < samples; i++) {
    const value = 12_000 * Math.sin((2 * Math.PI * frequencyHz * i) / rate);
    view.setInt16(HEADER_BYTES + 2 * i, Math.round(value), true);
  }
  return file;
}
