import { Zip, ZipPassThrough } from 'fflate';
import { EngineError } from '../../engine/index.ts';
import { openData } from './open-data.ts';

export const ZIP_TYPE = 'application/zip';

/** The day that every entry bears: the same files make the same archive. */
const ENTRY_DATE = '1980-01-01T00:00:00';
const PIECE_BYTES = 1 << 20;

/**
 * A folder with all below it as one archive, stored as it is: pictures and recordings are compressed
 * already. The same files give the same bytes. Throws EngineError `dataset-invalid` for an empty folder.
 */
export async function zipFolder(path: string): Promise<Blob> {
  const folder = await openData(path);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    // fflate allocates its pieces itself: none is shared.
    pieces.push(piece as Uint8Array<ArrayBuffer>);
  });
  try {
    if (folder.files.length === 0) {
      throw new EngineError('dataset-invalid', `${path} is empty: expected data to learn from`);
    }
    for (const file of folder.files) {
      const entry = new ZipPassThrough(file.path);
      entry.mtime = ENTRY_DATE;
      zip.add(entry);
      const source = await file.open();
      for (let start = 0; start < source.size; start += PIECE_BYTES) {
        entry.push(await source.read(start, Math.min(start + PIECE_BYTES, source.size)));
      }
      entry.push(new Uint8Array(), true);
    }
    zip.end();
  } finally {
    await folder.close();
  }
  return new Blob(pieces, { type: ZIP_TYPE });
}
