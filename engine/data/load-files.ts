import { type AudioClip, decodeWav } from './audio/wav.ts';
import { type CsvOptions, type CsvTable, parseCsv } from './arrays/csv.ts';
import { parseNpy, parseNpz } from './arrays/npy.ts';
import type { NumericArray } from './arrays/numeric-array.ts';
import type { EventList } from './events/event-list.ts';
import { parseEvents, type ReadEventsOptions } from './events/read-events.ts';
import { type FileInput, type FileOptions, readWholeFile, sourceOf } from './files/whole-file.ts';
import { type Hdf5File, openHdf5 } from './hdf5/hdf5-file.ts';
import {
  type RecordingOptions,
  type SpikeRecording,
  spikeRecordings,
} from './hdf5/spike-recordings.ts';
import { parseIdx } from './images/idx.ts';
import { unpack } from './images/labelled-images.ts';
import type { DecodedImage } from './images/png.ts';
import { decodeImage } from './images/read-image.ts';

/*
 * Loaders of files in memory, of dropped files and of sources on disk. A file is read whole, at most 2^31 - 1
 * bytes by default; what it decodes to is bounded before memory is taken. docs/design/data-formats.md lists what
 * each reads and how it was checked.
 */

/** Reads an IDX file of bytes, such as MNIST's, gzipped or not. Throws EngineError `images-invalid`. */
export async function readIdx(input: FileInput, options: FileOptions = {}): Promise<NumericArray> {
  const { name, bytes } = await readWholeFile(input, options);
  const file = await unpack(sourceOf(bytes, name));
  const { shape, bytes: data } = parseIdx(name, file, file[3] ?? 0);
  return { shape, data };
}

/** Reads a WAV file, mixed to one channel. Throws EngineError `signal-invalid`. */
export async function readWav(input: FileInput, options: FileOptions = {}): Promise<AudioClip> {
  const { name, bytes } = await readWholeFile(input, options);
  return decodeWav(name, bytes);
}

/**
 * Reads a PNG file, or a JPEG file by the browser or by the package jpeg-js. Throws EngineError
 * `images-invalid`, and `invalid-setting` where the package is missing.
 */
export async function readImage(
  input: FileInput,
  options: FileOptions = {},
): Promise<DecodedImage> {
  const { name, bytes } = await readWholeFile(input, options);
  return decodeImage(name, bytes);
}

/** Reads CSV as text; `csvNumbers` makes numbers of it. Throws EngineError `dataset-invalid`. */
export async function readCsv(
  input: FileInput,
  options: FileOptions & CsvOptions = {},
): Promise<CsvTable> {
  const { name, bytes } = await readWholeFile(input, options);
  return parseCsv(name, bytes, options);
}

/** Reads a .npy file of NumPy. Throws EngineError `dataset-invalid`. */
export async function readNpy(input: FileInput, options: FileOptions = {}): Promise<NumericArray> {
  const { name, bytes } = await readWholeFile(input, options);
  return parseNpy(name, bytes);
}

/** Reads the arrays of a .npz file of NumPy by their names. Throws EngineError `dataset-invalid`. */
export async function readNpz(
  input: FileInput,
  options: FileOptions = {},
): Promise<ReadonlyMap<string, NumericArray>> {
  const { name, bytes } = await readWholeFile(input, options);
  return parseNpz(name, bytes);
}

/**
 * Opens an HDF5 file with the package h5wasm; close it when all is read. Some damaged files keep that library
 * busy without end: read files of unknown origin in a worker. Throws EngineError `dataset-invalid`, and
 * `invalid-setting` where the package is missing.
 */
export async function readHdf5(input: FileInput, options: FileOptions = {}): Promise<Hdf5File> {
  const { name, bytes } = await readWholeFile(input, options);
  return openHdf5(name, bytes);
}

/** Reads the recordings of SHD or SSC one at a time. Throws as `readHdf5`. */
export async function* readSpikeRecordings(
  input: FileInput,
  options: FileOptions & RecordingOptions = {},
): AsyncGenerator<SpikeRecording> {
  const { name, bytes } = await readWholeFile(input, options);
  yield* spikeRecordings(name, bytes, options);
}

/**
 * Reads recorded events: N-MNIST, AEDAT 2.0 and 4.0, Prophesee's DAT and RAW in EVT 2.0 and 3.0. Throws
 * EngineError `dataset-invalid`.
 */
export async function readEvents(
  input: FileInput,
  options: ReadEventsOptions = {},
): Promise<EventList> {
  const { name, bytes } = await readWholeFile(input, options);
  return parseEvents(name, bytes, options);
}
