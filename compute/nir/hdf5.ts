import { Dataset, File, Group, ready } from 'h5wasm';
import {
  EngineError,
  isTreeGroup,
  isTextSet,
  type NumberData,
  type NumberSet,
  type TextSet,
  type TreeEntry,
  type TreeGroup,
  withBoundedMemory,
} from '../../engine/index.ts';

/** Messages to and from the thread. */
export interface ToDecode {
  readonly bytes: Uint8Array;
  readonly name: string;
}
export type Decoded = { readonly tree: TreeGroup } | { readonly refusal: string };

/** The library sees this one file and nothing of the disk: a file cannot make it read others. */
const NAME = '/file.h5';
const SIGNATURE = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
/** Bounds of an unfolded file, absolute and per byte: it can claim any size and hold next to nothing. */
const MAX_BYTES = 2 ** 30;
const FREE_BYTES = 2 ** 25;
const MAX_TIMES = 100;
const MAX_ENTRIES = 200_000;
const DEEPEST = 128;
/** Classes of HDF5's data types. */
const [INTEGER, FLOAT, STRING, ENUM] = [0, 1, 3, 8];

/**
 * Reads all groups and data sets of an HDF5 file. Throws EngineError `checkpoint-damaged` that names the
 * file and what is wrong: not HDF5, cut off, links that lead nowhere, types that are neither numbers nor
 * text, more data than 32 MiB and a hundred times its size. Some damaged files keep it busy without end: see decode-isolated.ts.
 */
export async function decodeHdf5(bytes: Uint8Array, name: string): Promise<TreeGroup> {
  if (SIGNATURE.some((byte, i) => bytes[i] !== byte)) {
    throw damaged(name, `${bytes.length} bytes without the signature of HDF5`);
  }
  const { FS } = await openLibrary();
  const most = Math.min(FREE_BYTES + MAX_TIMES * bytes.length, MAX_BYTES);
  FS.writeFile(NAME, bytes);
  const read = () => {
    const file = new File(NAME, 'r');
    try {
      return readGroup(file, {
        name,
        path: '',
        depth: 0,
        most,
        left: { bytes: most, entries: MAX_ENTRIES },
      });
    } finally {
      file.close();
    }
  };
  try {
    return withBoundedMemory(HEAP_BYTES + MAX_COPIES * most, read);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw damaged(name, reasonOf(error), error);
  } finally {
    FS.unlink(NAME);
  }
}

/** Writes groups and data sets as an HDF5 file that every version of the library since 1.8 reads. */
export async function encodeHdf5(root: TreeGroup): Promise<Uint8Array> {
  const { FS } = await openLibrary();
  try {
    const file = new File(NAME, 'w', { libver: ['earliest', 'v108'] });
    try {
      for (const [name, entry] of root) writeEntry(file, name, entry);
    } finally {
      file.close();
    }
    // The library's memory is its own: this is a copy.
    return FS.readFile(NAME).slice();
  } finally {
    FS.unlink(NAME);
  }
}

/** Memory of the library at its start, and how many copies it makes of what it reads. */
const HEAP_BYTES = 2 ** 25;
const MAX_COPIES = 3;

async function openLibrary() {
  const library = await ready;
  // Otherwise it prints what went wrong and goes on.
  library.activate_throwing_error_handler();
  return library;
}

interface Place {
  readonly name: string;
  /** Where in the file, for messages. */
  readonly path: string;
  readonly depth: number;
  /** Bytes of all data sets together, and what is left of that. */
  readonly most: number;
  readonly left: { bytes: number; entries: number };
}

function readGroup(group: Group, place: Place): TreeGroup {
  if (place.depth > DEEPEST)
    throw damaged(place.name, `groups are nested more than ${DEEPEST} deep`);
  const keys = group.keys();
  place.left.entries -= keys.length;
  // Links let few groups be many: each may hold the next one twice.
  if (place.left.entries < 0) throw damaged(place.name, `more than ${MAX_ENTRIES} entries`);
  const entries = keys.map((key): readonly [string, TreeEntry] => {
    const path = `${place.path}/${key}`;
    const found = group.get(key);
    const inner = { ...place, path, depth: place.depth + 1 };
    if (found instanceof Group) return [key, readGroup(found, inner)];
    if (found instanceof Dataset) return [key, readDataset(found, inner)];
    throw damaged(place.name, `${path} is neither a group nor a data set of this file`);
  });
  return new Map(entries);
}

function readDataset(dataset: Dataset, { name, path, most, left }: Place): NumberSet | TextSet {
  const { type, size, shape, total_size: count } = dataset.metadata;
  if (!shape) throw damaged(name, `${path} holds nothing`);
  left.bytes -= count * size;
  if (left.bytes < 0) {
    throw damaged(name, `${path} is [${shape.join(', ')}]: the file holds more than ${most} bytes`);
  }
  if (![INTEGER, FLOAT, STRING, ENUM].includes(type)) {
    throw damaged(name, `${path} is of class ${type}: expected numbers or text`);
  }
  const { value } = dataset;
  if (type === STRING) return { shape, texts: [value ?? []].flat().map(String) };
  return { shape, data: numbersOf(value, type === FLOAT && size === 4) };
}

/** The numbers of a data set; a scalar comes as a number of JavaScript. */
function numbersOf(value: unknown, isSingle: boolean): NumberData {
  if (typeof value === 'bigint') return BigInt64Array.of(BigInt.asIntN(64, value));
  if (typeof value === 'number') return isSingle ? Float32Array.of(value) : Float64Array.of(value);
  if (typeof value === 'boolean') return Uint8Array.of(Number(value));
  const isKnown = KNOWN.some((known) => value instanceof known);
  return isKnown ? (value as NumberData) : Float64Array.from(value as ArrayLike<number>, Number);
}

const KNOWN = [
  Float32Array,
  Float64Array,
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  BigInt64Array,
  BigUint64Array,
];

function writeEntry(group: Group, name: string, entry: TreeEntry): void {
  if (name === '' || name === '.' || name.includes('/')) {
    throw new EngineError(
      'invalid-structure',
      `HDF5 cannot hold the name ${JSON.stringify(name)}: expected one without "/"`,
    );
  }
  if (isTreeGroup(entry)) {
    const inner = group.create_group(name);
    for (const [key, value] of entry) writeEntry(inner, key, value);
    return;
  }
  const shape = [...entry.shape];
  if (isTextSet(entry)) {
    group.create_dataset({ name, data: [...entry.texts], shape, dtype: 'S' });
  } else group.create_dataset({ name, data: entry.data, shape });
}

function damaged(name: string, what: string, cause?: unknown): EngineError {
  return new EngineError('checkpoint-damaged', `${name}: ${what}`, { cause });
}

/** The library's errors are stacks of text; the innermost line that says something is enough. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const lines = message.split('\n').map((line) => line.trim());
  const detail = lines.filter((line) => line.startsWith('#')).at(-1) ?? lines[0] ?? '';
  return `the file is damaged (${detail.replace(/^#\d+: .*?\(\): /, '')})`;
}
