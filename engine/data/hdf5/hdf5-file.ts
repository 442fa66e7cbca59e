import type * as h5wasm from 'h5wasm';
import { EngineError } from '../../errors.ts';
import { BoundedReader, type RefuseFile, refuseFile } from '../files/bounded-reader.ts';
import { reasonOf } from '../files/json.ts';
import { missingPeer } from '../files/optional-peer.ts';
import { withBoundedMemory } from './bounded-memory.ts';
import {
  decodeNumbers,
  isNumberKind,
  type NumberKind,
  type NumericArray,
  type NumericData,
} from '../arrays/numeric-array.ts';

/** An HDF5 file in memory, of which data sets are read one by one. */
export interface Hdf5File {
  readonly refuse: RefuseFile;
  has(path: string): boolean;
  /** A data set of numbers, floats of 16 bits as well. */
  numbers(path: string): NumericArray;
  /** How many rows a data set of rows of varying length has. */
  rowCount(path: string): number;
  /** One row of such a data set. */
  row(path: string, index: number): NumericData;
  /** A data set of text. */
  texts(path: string): readonly string[];
  close(): void;
}

type Library = typeof h5wasm;
type Module = Awaited<Library['ready']>;
type Metadata = ReturnType<Module['get_dataset_metadata']>;

const SIGNATURE = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
/** Classes of HDF5's data types. */
const [INTEGER, FLOAT, STRING, ENUM, ROWS] = [0, 1, 3, 8, 9];
/** A row in the library's memory: its length and its address, 32 bits each. */
const ROW_BYTES = 8;
let filesOpened = 0;

/** Bounds of a data set: it can claim any size and hold next to nothing. */
const FREE_BYTES = 2 ** 25;
const MAX_EXPANSION = 100;
const MAX_BYTES = 2 ** 30;
/** Memory of the library at its start, and how many copies it makes of what it reads. */
const HEAP_BYTES = 2 ** 25;
const MAX_COPIES = 3;

async function loadLibrary() {
  try {
    return await import('h5wasm');
  } catch (cause) {
    throw missingPeer('h5wasm', 'reading HDF5', cause);
  }
}

/**
 * Opens an HDF5 file with the package h5wasm, the library of the HDF Group in WebAssembly. It sees this file
 * alone. Throws EngineError `dataset-invalid` for damaged files and for a data set of more than 32 MiB and a hundred
 * times the size of the file, `invalid-setting` where the package is missing. Some damaged files keep the library busy
 * without end: open files of unknown origin in a worker that can be ended.
 */
export async function openHdf5(name: string, bytes: Uint8Array): Promise<Hdf5File> {
  const refuse = refuseFile(name, 'HDF5');
  if (SIGNATURE.some((byte, i) => bytes[i] !== byte)) {
    refuse(0, `the file of ${bytes.length} bytes has no signature`, 'that of HDF5');
  }
  const library = await loadLibrary();
  const module = await library.ready;
  // Otherwise the library prints what went wrong and goes on.
  module.activate_throwing_error_handler();
  const path = `/data-${filesOpened++}.h5`;
  module.FS.writeFile(path, bytes);
  const open = () => new library.File(path, 'r');
  try {
    const maxBytes = Math.min(FREE_BYTES + MAX_EXPANSION * bytes.length, MAX_BYTES);
    const file = guarded({ refuse, maxBytes }, 'its structure', open);
    return new OpenFile({ refuse, module, file, path, maxBytes });
  } catch (error) {
    module.FS.unlink(path);
    throw error;
  }
}

interface Guard {
  readonly refuse: RefuseFile;
  /** Bytes that one data set may have. */
  readonly maxBytes: number;
}

/** Bounds the library's memory and turns its errors into refusals. */
function guarded<T>({ refuse, maxBytes }: Guard, place: string, run: () => T): T {
  try {
    return withBoundedMemory(HEAP_BYTES + MAX_COPIES * maxBytes, run);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const lines = reasonOf(error).split('\n');
    const detail = lines.findLast((line) => line.trim().startsWith('#')) ?? lines[0] ?? '';
    return refuse(place, `the library says: ${detail.trim().slice(0, 200)}`, 'a whole file', error);
  }
}

interface Opened extends Guard {
  readonly module: Module;
  readonly file: InstanceType<Library['File']>;
  /** In the library's own memory. */
  readonly path: string;
}

class OpenFile implements Hdf5File {
  readonly refuse: RefuseFile;
  readonly #opened: Opened;
  readonly #metadata = new Map<string, Metadata>();

  constructor(opened: Opened) {
    this.#opened = opened;
    this.refuse = opened.refuse;
  }

  has(path: string): boolean {
    const { file, module } = this.#opened;
    try {
      return (
        guarded(this.#opened, path, () => module.get_type(file.file_id, path)) ===
        module.H5G_DATASET
      );
    } catch {
      return false;
    }
  }

  numbers(path: string): NumericArray {
    const metadata = this.#describe(path);
    const format = { kind: this.#kindOf(path, metadata), isLittle: metadata.littleEndian };
    const data = this.#read(path, metadata.size * metadata.total_size, null, (bytes) =>
      decodeNumbers(bytes, format, this.refuse),
    );
    return { shape: metadata.shape ?? [], data };
  }

  rowCount(path: string): number {
    const { type, shape } = this.#describe(path);
    if (type === ROWS && shape?.length === 1) return shape[0] ?? 0;
    return this.refuse(path, `the class is ${type}, the shape [${shape}]`, 'one axis of rows');
  }

  row(path: string, index: number): NumericData {
    const count = this.rowCount(path);
    if (index >= count) this.refuse(path, `there are ${count} rows`, `row ${index}`);
    const inner = this.#describe(path).vlen_type;
    if (!inner) return this.refuse(path, 'rows have no type', 'numbers');
    const format = { kind: this.#kindOf(path, inner), isLittle: inner.littleEndian };
    return this.#read(path, ROW_BYTES, index, (pair, heap) => {
      const reader = new BoundedReader(pair, this.refuse);
      const bytes = reader.u32(0) * inner.size;
      if (bytes > this.#opened.maxBytes) {
        this.refuse(path, `row ${index} has ${bytes} bytes`, `at most ${this.#opened.maxBytes}`);
      }
      const numbers = new BoundedReader(heap, this.refuse).span(reader.u32(4), bytes, 'a row');
      // The library's memory moves and is freed: decoding copies.
      return decodeNumbers(numbers, format, this.refuse);
    });
  }

  texts(path: string): readonly string[] {
    const metadata = this.#describe(path);
    if (metadata.type !== STRING) this.refuse(path, `the class is ${metadata.type}`, 'text');
    const { file } = this.#opened;
    const value = guarded(this.#opened, path, () => {
      const found = file.get(path);
      return found && 'value' in found ? found.value : null;
    });
    return [value ?? []].flat().map(String);
  }

  close(): void {
    const { file, module, path } = this.#opened;
    file.close();
    module.FS.unlink(path);
  }

  #describe(path: string): Metadata {
    const known = this.#metadata.get(path);
    if (known) return known;
    if (!this.has(path)) this.refuse(path, 'there is no data set', 'one of that name');
    const { file, module, maxBytes } = this.#opened;
    const metadata = guarded(this.#opened, path, () =>
      module.get_dataset_metadata(file.file_id, path),
    );
    const bytes = metadata.size * metadata.total_size;
    if (!(metadata.shape && bytes <= maxBytes)) {
      this.refuse(
        path,
        `the data set is [${metadata.shape}], ${bytes} bytes`,
        `at most ${maxBytes}`,
      );
    }
    this.#metadata.set(path, metadata);
    return metadata;
  }

  #kindOf(path: string, { type, size, signed }: Metadata): NumberKind {
    const sign = signed ? 'i' : 'u';
    const kind = `${type === FLOAT ? 'f' : sign}${size}`;
    if ([INTEGER, FLOAT, ENUM].includes(type) && isNumberKind(kind)) return kind;
    return this.refuse(path, `the type is of class ${type} and ${size} bytes`, 'numbers');
  }

  /** Lends bytes of a data set, all of them or those of one row, to `use`, with the library's memory. */
  #read<T>(path: string, bytes: number, row: number | null, use: Use<T>): T {
    const { file, module } = this.#opened;
    const { _malloc: allocate, _free: free } = module;
    const [count, offset, strides] =
      row === null ? [null, null, null] : [[1n], [BigInt(row)], [1n]];
    return guarded(this.#opened, path, () => {
      const place = allocate(Math.max(1, bytes));
      if (place === 0) this.refuse(path, `${bytes} bytes cannot be had`, 'memory of the library');
      try {
        module.get_dataset_data(file.file_id, path, count, offset, strides, BigInt(place));
        const used = use(module.HEAPU8.subarray(place, place + bytes), module.HEAPU8);
        if (count) module.reclaim_vlen_memory_count(file.file_id, path, '', BigInt(place), count);
        return used;
      } finally {
        free(place);
      }
    });
  }
}

type Use<T> = (bytes: Uint8Array, heap: Uint8Array) => T;
