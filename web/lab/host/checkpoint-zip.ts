import { unzipSync, Zip, ZipPassThrough } from 'fflate';
import { type CheckpointFiles, EngineError } from '../../../engine/index.ts';

/** The first bytes of every zip file. */
const SIGNATURE = [0x50, 0x4b];

/** Packs files as they are: what a checkpoint holds does not compress. */
export async function zipCheckpoint(files: CheckpointFiles): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  await new Promise<void>((resolve, reject) => {
    const zip = new Zip((error, piece, isLast) => {
      if (error) return reject(error);
      // fflate allocates its pieces itself, and the files were read off the device: none is shared.
      pieces.push(piece as Uint8Array<ArrayBuffer>);
      if (isLast) resolve();
    });
    for (const [name, bytes] of files) {
      const entry = new ZipPassThrough(name);
      zip.add(entry);
      entry.push(bytes, true);
    }
    zip.end();
  });
  return new Blob(pieces, { type: 'application/zip' });
}

/**
 * The files of a checkpoint as somebody chose them: one zip file, or the files themselves. Throws
 * EngineError `checkpoint-damaged` for a zip file that cannot be read; what is in it is checked later.
 */
export async function readCheckpointFiles(chosen: readonly File[]): Promise<CheckpointFiles> {
  const [first] = chosen;
  if (first && chosen.length === 1 && isZip(first)) return unpack(first.name, await read(first));
  const files = chosen.map(async (file) => [file.name, await read(file)] as const);
  return new Map(await Promise.all(files));
}

async function read(file: File): Promise<Uint8Array> {
  return new Uint8Array(await file.arrayBuffer());
}

function isZip({ name, type }: File): boolean {
  return name.toLowerCase().endsWith('.zip') || type === 'application/zip';
}

function unpack(name: string, bytes: Uint8Array): CheckpointFiles {
  if (SIGNATURE.some((byte, at) => bytes[at] !== byte)) {
    throw new EngineError('checkpoint-damaged', `${name} is not a zip file`);
  }
  const files = Object.entries(unzipAll(name, bytes)).filter(([path]) => !path.endsWith('/'));
  // A folder may have been packed as a whole: the last part of a path is the file's name.
  return new Map(files.map(([path, data]) => [path.slice(path.lastIndexOf('/') + 1), data]));
}

function unzipAll(name: string, bytes: Uint8Array) {
  try {
    return unzipSync(bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError('checkpoint-damaged', `${name} is cut off or damaged: ${reason}`, {
      cause: error,
    });
  }
}
