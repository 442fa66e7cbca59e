import type { ByteSource } from './byte-source.ts';

/** One file of a data set. */
export interface DataFile {
  /** Below the data set, with forward slashes; the name alone where the set is one file. */
  readonly path: string;
  readonly size: number;
  /** Bytes that can be read until the data set is closed. */
  open(): Promise<ByteSource>;
}

/** A data set in any form: one file, a folder, an archive, files dropped on a page. */
export interface DataFiles {
  /** For messages and for checkpoints. */
  readonly name: string;
  /** By path, ascending. */
  readonly files: readonly DataFile[];
  close(): Promise<void>;
}

/** A data set of one file, which the opener of the file closes. */
export function singleFile(source: ByteSource): DataFiles {
  const { name, size } = source;
  return {
    name,
    files: [{ path: name, size, open: () => Promise.resolve(source) }],
    close: () => Promise.resolve(),
  };
}

/** An empty data set, for a run on synthetic data. */
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
