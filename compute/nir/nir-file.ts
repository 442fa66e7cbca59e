import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { EngineError, type NirFile, readNir, writeNir } from '../../engine/index.ts';
import { decodeIsolated } from './decode-isolated.ts';
import { writeWhole } from '../runs/run-files.ts';

/** A file of this size is in memory three times while it is read. */
const LARGEST = 2 ** 30;

/**
 * Reads a NIR file. Throws what `fs` throws, and EngineError that begins with the file's name: see
 * `decodeIsolated` and `readNir`.
 */
export async function readNirFile(path: string): Promise<NirFile> {
  expectLibrary();
  const name = basename(path);
  const { size } = await stat(path);
  if (size > LARGEST) {
    throw new EngineError('checkpoint-damaged', `${name} has ${size} bytes: at most ${LARGEST}`);
  }
  const tree = await decodeIsolated({ bytes: await readFile(path), name });
  try {
    return readNir(tree);
  } catch (error) {
    throw error instanceof EngineError
      ? new EngineError(error.code, `${name}: ${error.message}`, { cause: error })
      : error;
  }
}

/** Writes a NIR file, which appears by one rename: whole or not at all. */
export async function writeNirFile(path: string, file: NirFile): Promise<void> {
  expectLibrary();
  // Loaded here: the package of the library does without it until a file is written.
  const { encodeHdf5 } = await import('./hdf5.ts');
  const bytes = await encodeHdf5(writeNir(file));
  await writeWhole(path, bytes);
}

/** The library for HDF5 is large, and optional where spikegrid is one. */
function expectLibrary(): void {
  try {
    import.meta.resolve('h5wasm');
  } catch (cause) {
    const message = 'NIR files are HDF5 and h5wasm is not installed: expected npm install h5wasm';
    throw new EngineError('invalid-setting', message, { cause });
  }
}
