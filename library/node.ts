/** Parts that only Node has: files, NIR as HDF5 (with the optional package `h5wasm`), a GPU (with `webgpu`). */
export {
  type NodeDeviceOptions,
  openNodeDevice as openDevice,
} from '../compute/gpu/node-device.ts';
export { openFileSource } from '../compute/checkpoints/file-source.ts';
export {
  findCheckpoint,
  readCheckpoint,
  writeFolder as writeCheckpoint,
} from '../compute/checkpoints/checkpoint-folder.ts';
export { openData } from '../compute/data/open-data.ts';
export { readNirFile, writeNirFile } from '../compute/nir/nir-file.ts';
