import type { ByteSource } from './byte-source.ts';

/** One file of a data set. */
export interface DataFile {
  /** Below the data set, with forward slashes; the name alone where the set is one file. */
  readonly path: string;
  readonly size: number;
  /** Bytes that can be read until the data set is closed. */
  open(): Promise<ByteSource>;
}

/** A data set wherever it lies: one file, a folder, an archive, files dropped on a page. */
export interface DataFiles {
  /** For messages and for what a checkpoint says of its data. */
  readonly name: string;
  /** By path, ascending. */
  readonly files: readonly DataFile[];
  close(): Promise<void>;
}

/** A data set of one file that whoever opened it closes. */
export function singleFile(source: ByteSource): DataFiles {
  const { name, size } = source;
  return {
    name,
    files: [{ path: name, size, open: () => Promise.resolve(source) }],
    close: () => Promise.resolve(),
  };
}

/** No data set at all, for a run whose data is made up. */
export const noFiles: DataFiles = {
  name: 'made-up data',
  files: [],
  close: () => Promise.resolve(),
};

/** Compares paths by code units: the same order on every machine. */
export function compareNames(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export function fileNameOf(path: string): string {
  return path.split('/').at(-1) ?? path;
}
