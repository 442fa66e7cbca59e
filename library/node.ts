/**
 * Parts that only Node has: files, pictures among them (PNG with the optional package `@napi-rs/canvas`), NIR as HDF5
 * (with `h5wasm`), a GPU (with `webgpu`).
 */
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
export { fitInFolder, type FolderOptions } from '../compute/runs/fit-in-folder.ts';
export { readNirFile, writeNirFile } from '../compute/nir/nir-file.ts';
export { savePicture, type SavePictureOptions } from '../compute/pictures/save-picture.ts';
