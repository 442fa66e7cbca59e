import { BoundedReader, type RefuseFile, refuseFile } from '../files/bounded-reader.ts';
import { memorySource, zipFiles } from '../files/zip.ts';
import {
  bytesOfKind,
  decodeNumbers,
  isNumberKind,
  type NumberKind,
  type NumericArray,
  type NumericData,
} from './numeric-array.ts';

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
const [VERSION_AT, LENGTH_AT] = [6, 8];
const MAX_HEADER = 2 ** 16;
const MAX_AXES = 32;

/** The dictionary of Python that describes the array, as NumPy writes it; the order of its keys is free. */
const ENTRY =
  /'(descr|fortran_order|shape)'\s*:\s*('[^']*'|True|False|\([\d\s,]*\))\s*(?:,|(?=\}))\s*/g;

const KEYS = ['descr', 'fortran_order', 'shape'];
const BOOLEAN = 'b1';

interface Description {
  readonly kind: NumberKind;
  readonly isLittle: boolean;
  readonly isFortran: boolean;
  readonly shape: readonly number[];
}

/**
 * Reads a .npy file of NumPy, versions 1.0 to 3.0: floats of 16, 32 and 64 bits, whole numbers of 8 to 64 and
 * booleans, in either byte order, in C or Fortran order. Throws EngineError `dataset-invalid`, also for numbers
 * that 32 bits cannot hold and for arrays of objects, which would run code.
 */
export function parseNpy(name: string, file: Uint8Array): NumericArray {
  const refuse = refuseFile(name, 'NumPy array');
  const reader = new BoundedReader(file, refuse);
  if (MAGIC.some((byte, i) => file[i] !== byte)) {
    refuse(0, 'the signature is missing', String.raw`\x93NUMPY`);
  }
  const { text, end } = headerOf(reader);
  const { kind, isLittle, isFortran, shape } = parseDescription(text, refuse);
  const count = shape.reduce((product, axis) => product * axis, 1);
  const bytes = count * bytesOfKind(kind);
  if (reader.size - end !== bytes) {
    const expected = `${bytes} for ${shape.join(' x ') || 'one number'} of ${kind}`;
    refuse(end, `${reader.size - end} bytes of numbers follow`, expected);
  }
  const data = decodeNumbers(reader.span(end, bytes, 'numbers'), { kind, isLittle }, refuse);
  return { shape, data: isFortran ? inCOrder(data, shape) : data };
}

function headerOf(reader: BoundedReader): { readonly text: string; readonly end: number } {
  const version = reader.u8(VERSION_AT);
  if (version < 1 || version > 3) reader.refuse(VERSION_AT, `the version is ${version}`, '1 to 3');
  const [length, start] =
    version === 1 ? [reader.u16(LENGTH_AT), LENGTH_AT + 2] : [reader.u32(LENGTH_AT), LENGTH_AT + 4];
  if (length > MAX_HEADER) {
    reader.refuse(LENGTH_AT, `the header has ${length} bytes`, `at most ${MAX_HEADER}`);
  }
  const text = new TextDecoder().decode(reader.span(start, length, 'the header'));
  return { text: text.trim(), end: start + length };
}

function parseDescription(text: string, refuse: RefuseFile): Description {
  const entries = new Map(Array.from(text.matchAll(ENTRY), ([, key, value]) => [key, value]));
  const [descr = '', order = '', axes = ''] = KEYS.map((key) => entries.get(key));
  const isWhole = /^\{\s*\}$/.test(text.replace(ENTRY, ''));
  if (!isWhole || !descr.startsWith("'") || !/^[TF]/.test(order) || !axes.startsWith('(')) {
    const found = JSON.stringify(text.slice(0, 200));
    refuse('the header', found, `${KEYS.join(', ')} of an array of numbers`);
  }
  const shape = (axes.match(/\d+/g) ?? []).map(Number);
  if (shape.length > MAX_AXES) refuse('the header', `${shape.length} axes`, `at most ${MAX_AXES}`);
  return { ...parseType(descr.slice(1, -1), refuse), isFortran: order === 'True', shape };
}

function parseType(descr: string, refuse: RefuseFile): Pick<Description, 'kind' | 'isLittle'> {
  const [, mark, letters = ''] = /^([<>|=]?)(\w+)$/.exec(descr) ?? [];
  const kind = letters === BOOLEAN ? 'u1' : letters;
  if (isNumberKind(kind)) return { kind, isLittle: mark !== '>' };
  const expected = 'a number: f2, f4, f8, i1, i2, i4, i8, u1, u2, u4, u8 or b1';
  return refuse('the header', `the type is ${JSON.stringify(descr)}`, expected);
}

/** Numbers whose first axis runs fastest, as those whose last one does. */
function inCOrder(data: NumericData, shape: readonly number[]): NumericData {
  const turned = data.slice();
  const place = shape.map(() => 0);
  for (let to = 0; to < data.length; to++) {
    let [from, stride] = [0, 1];
    for (const [axis, index] of place.entries()) {
      from += index * stride;
      stride *= shape[axis] ?? 1;
    }
    turned[to] = data[from] ?? 0;
    advance(place, shape);
  }
  return turned;
}

/** The next place, the last axis first. */
function advance(place: number[], shape: readonly number[]): void {
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const next = (place[axis] ?? 0) + 1;
    place[axis] = next === shape[axis] ? 0 : next;
    if (place[axis] !== 0) return;
  }
}

/** Reads the arrays of a .npz file by their names. Throws as `parseNpy`, and as a damaged archive does. */
export async function parseNpz(
  name: string,
  file: Uint8Array,
): Promise<ReadonlyMap<string, NumericArray>> {
  const { files } = await zipFiles(memorySource(name, file));
  const arrays = new Map<string, NumericArray>();
  for (const { path, size, open } of files) {
    if (!path.endsWith('.npy')) continue;
    const bytes = await (await open()).read(0, size);
    arrays.set(path.slice(0, -'.npy'.length), parseNpy(`${name}/${path}`, bytes));
  }
  return arrays;
}
