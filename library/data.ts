/**
 * Data of one's own: files, arrays, spike trains and events as examples, with transforms, splits and batches.
 *
 *     import { arrayExamples, batchesOf, readNpz, splitExamples } from 'spikegrid/data';
 */
export type { AudioClip } from '../engine/data/audio/wav.ts';
export { arrayExamples, type ExampleArrays } from '../engine/data/arrays/array-examples.ts';
export {
  type CsvColumns,
  type CsvNumbers,
  csvNumbers,
  type CsvOptions,
  type CsvTable,
} from '../engine/data/arrays/csv.ts';
export type { NumericArray } from '../engine/data/arrays/numeric-array.ts';
export { packSpikes, unpackSpikes } from '../engine/data/arrays/packed-spikes.ts';
export {
  type Batch,
  type BatchOptions,
  batchesOf,
  streamBatches,
  type StreamedExample,
} from '../engine/data/batches.ts';
export { createDraws, type Draws } from '../engine/data/draws.ts';
export {
  dropEvents,
  type EventTransform,
  flipEvents,
  jitterTimes,
  shiftEvents,
} from '../engine/data/events/augment-events.ts';
export { type BinningRule, binEvents, type SpikeFrames } from '../engine/data/events/bin-events.ts';
export { eventExamples } from '../engine/data/events/event-examples.ts';
export {
  type EventColumns,
  type EventList,
  eventList,
  type SensorSize,
} from '../engine/data/events/event-list.ts';
export type { EventFormat, ReadEventsOptions } from '../engine/data/events/read-events.ts';
export { type Examples, joinExamples } from '../engine/data/examples.ts';
export type { ByteSource } from '../engine/data/files/byte-source.ts';
export type { FileInput, FileOptions } from '../engine/data/files/whole-file.ts';
export type { Hdf5File } from '../engine/data/hdf5/hdf5-file.ts';
export type { RecordingOptions, SpikeRecording } from '../engine/data/hdf5/spike-recordings.ts';
export {
  addNoise,
  cropImage,
  eraseImage,
  flipImage,
  type ImageTransform,
  normaliseImage,
  rotateImage,
  shiftImage,
} from '../engine/data/images/augment-image.ts';
export type { DecodedImage } from '../engine/data/images/png.ts';
export {
  type ImageShape,
  type ImageSize,
  resizeImage,
} from '../engine/data/images/resize-image.ts';
export { transformImages } from '../engine/data/images/transform-images.ts';
export {
  readCsv,
  readEvents,
  readHdf5,
  readIdx,
  readImage,
  readNpy,
  readNpz,
  readSpikeRecordings,
  readWav,
} from '../engine/data/load-files.ts';
export { splitExamples, type SplitOptions, takeExamples } from '../engine/data/split-examples.ts';
