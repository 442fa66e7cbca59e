import { EngineError } from '../../errors.ts';
import type { ByteSource } from './byte-source.ts';
import type { DataFiles } from './data-files.ts';
import { canInflateTo, crc32, inflateInto, maxUnpackedBytes } from './inflate.ts';

const [STORED, DEFLATED] = [0, 8];

/** Whether a file name is that of an archive. */
export function isZipName(name: string): boolean {
  return name.toLowerCase().endsWith('.zip');
}

/**
 * The files of a zip archive, unpacked in memory. Throws EngineError `dataset-invalid` for a truncated or
 * damaged archive, for files that do not match their size and checksum, and for one that would unpack to
 * more than 64 MiB and a hundred times its size.
 */
export async function zipFiles(source: ByteSource): Promise<DataFiles> {
  const { name, size } = source;
  const max = maxUnpackedBytes(size);
  if (size > max) throw tooLarge(source, size, max);
  const entries = readZipEntries(name, await source.read(0, size));
  const total = entries.reduce((sum, entry) => sum + entry.size, 0);
  if (total > max) throw tooLarge(source, total, max);
  const files = entries
    .map((entry) => [entry.path, unpackEntry(name, entry)] as const)
    .filter(([path]) => !path.endsWith('/'))
    .map(([path, bytes]) => ({
      path,
      size: bytes.length,
      open: () => Promise.resolve(memorySource(path, bytes)),
    }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return { name, files, close: () => Promise.resolve() };
}

function unpackEntry(name: string, entry: ZipEntry): Uint8Array {
  const refuse = (what: string, cause?: unknown): never => {
    const message = `${name} is no zip file, or damaged: ${entry.path} ${what}`;
    throw new EngineError('dataset-invalid', message, { cause });
  };
  const { method, packed, size } = entry;
  if (method !== STORED && method !== DEFLATED) {
    refuse(`is packed by method ${method}, expected ${STORED} (stored) or ${DEFLATED} (deflate)`);
  }
  const bytes = method === STORED ? packed : inflated(entry, refuse);
  if (bytes.length !== size) refuse(`has ${bytes.length} bytes, the archive says ${size}`);
  const sum = crc32(bytes);
  if (sum !== entry.crc) refuse(`has the sum ${hex(sum)}, the archive says ${hex(entry.crc)}`);
  return bytes;
}

function inflated(
  { packed, size }: ZipEntry,
  refuse: (what: string, cause?: unknown) => never,
): Uint8Array {
  if (!canInflateTo(packed.length, size)) {
    refuse(`says ${size} bytes, which its ${packed.length} packed ones cannot be`);
  }
  const out = new Uint8Array(size);
  let found: number;
  try {
    found = inflateInto('deflate', packed, out);
  } catch (cause) {
    return refuse(`cannot be unpacked: ${cause instanceof Error ? cause.message : cause}`, cause);
  }
  if (found > size) refuse(`has more than the ${size} bytes that the archive says`);
  return out.subarray(0, found);
}

function tooLarge({ name, size }: ByteSource, bytes: number, max: number): EngineError {
  return new EngineError(
    'dataset-invalid',
    `${name} of ${size} bytes would unpack to ${bytes}: expected at most ${max}`,
  );
}

const hex = (sum: number) => sum.toString(16).padStart(8, '0');

/** Bytes in memory, read as a file. */
export function memorySource(name: string, bytes: Uint8Array): ByteSource {
  return {
    name,
    size: bytes.length,
    read: (start, end) => Promise.resolve(bytes.subarray(start, end)),
  };
}

/** An entry of an archive's directory with its packed bytes. */
interface ZipEntry {
  readonly path: string;
  readonly method: number;
  readonly crc: number;
  readonly size: number;
  readonly packed: Uint8Array;
}

/** As many as a folder may have. */
const MAX_ENTRIES = 1_000_000;
const [END, END_64, WHERE_END_64, DIRECTORY, LOCAL] = [
  0x06054b50, 0x06064b50, 0x07064b50, 0x02014b50, 0x04034b50,
];
const [END_BYTES, END_64_BYTES, WHERE_BYTES, DIRECTORY_BYTES, LOCAL_BYTES] = [22, 56, 20, 46, 30];
const MAX_COMMENT_LENGTH = 0xffff;
/** Marks a number that is too large for its field and stored in the ZIP64 field instead. */
const ELSEWHERE = 0xffffffff;
const ENCRYPTED = 1;
const IS_UTF8 = 0x800;

/**
 * The entries of the directory of a zip archive (PKWARE's APPNOTE), in its order. Throws EngineError
 * `dataset-invalid` for a directory or files at wrong offsets, for duplicate names, for files that share
 * bytes, and for encrypted ones.
 */
function readZipEntries(name: string, file: Uint8Array): readonly ZipEntry[] {
  return new Directory(name, file).entries();
}

interface Placed extends ZipEntry {
  readonly start: number;
}

class Directory {
  readonly #name: string;
  readonly #file: Uint8Array;
  readonly #view: DataView;

  constructor(name: string, file: Uint8Array) {
    this.#name = name;
    this.#file = file;
    this.#view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  }

  entries(): readonly ZipEntry[] {
    const { count, start } = this.#end();
    if (count > MAX_ENTRIES) this.#refuse(`it has ${count} files, expected at most ${MAX_ENTRIES}`);
    const entries: Placed[] = [];
    let at = start;
    for (let i = 0; i < count; i++) {
      this.#expect(at, DIRECTORY_BYTES, DIRECTORY, `entry ${i} of its directory`);
      entries.push(this.#entry(at));
      at += DIRECTORY_BYTES + this.#u16(at + 28) + this.#u16(at + 30) + this.#u16(at + 32);
    }
    this.#checkApart(entries);
    return entries;
  }

  /** How many files there are and where the directory begins. */
  #end(): { readonly count: number; readonly start: number } {
    const last = this.#file.length - END_BYTES;
    for (let at = last; at >= Math.max(0, last - MAX_COMMENT_LENGTH); at--) {
      if (this.#view.getUint32(at, true) !== END) continue;
      const [count, start] = [this.#u16(at + 10), this.#u32(at + 16)];
      return count === 0xffff || start === ELSEWHERE
        ? this.#end64(at - WHERE_BYTES)
        : { count, start };
    }
    return this.#refuse('it has no directory at its end');
  }

  #end64(at: number) {
    this.#expect(at, WHERE_BYTES, WHERE_END_64, 'the place of its large directory');
    const end = this.#u64(at + 8);
    this.#expect(end, END_64_BYTES, END_64, 'its large directory');
    return { count: this.#u64(end + 32), start: this.#u64(end + 48) };
  }

  #entry(at: number): Placed {
    const flags = this.#u16(at + 8);
    const nameEnd = at + DIRECTORY_BYTES + this.#u16(at + 28);
    const extraEnd = nameEnd + this.#u16(at + 30);
    if (extraEnd > this.#file.length) this.#refuse('its directory is cut off');
    const path = this.#text(at + DIRECTORY_BYTES, nameEnd, (flags & IS_UTF8) !== 0);
    if (flags & ENCRYPTED) this.#refuse(`${path} is encrypted`);
    const [packedSize, size, place] = [this.#u32(at + 20), this.#u32(at + 24), this.#u32(at + 42)];
    const large = this.#largeFields(nameEnd, extraEnd);
    const wide = (field: number) => (field === ELSEWHERE ? (large.shift() ?? field) : field);
    // ZIP64 stores these fields in this order, and only those that were too large.
    const whole = wide(size);
    const packedBytes = wide(packedSize);
    const local = wide(place);
    this.#expect(local, LOCAL_BYTES, LOCAL, path);
    const start = local + LOCAL_BYTES + this.#u16(local + 26) + this.#u16(local + 28);
    if (start + packedBytes > this.#file.length) this.#refuse(`${path} is cut off`);
    const packed = this.#file.subarray(start, start + packedBytes);
    const [method, crc] = [this.#u16(at + 10), this.#u32(at + 16)];
    return { path, method, crc, size: whole, packed, start };
  }

  /** The numbers of the extra field of ZIP64. */
  #largeFields(start: number, end: number): number[] {
    for (let at = start; at + 4 <= end;) {
      const [kind, bytes] = [this.#u16(at), this.#u16(at + 2)];
      const stop = Math.min(at + 4 + bytes, end);
      if (kind === 1) {
        return Array.from({ length: Math.min(3, (stop - at - 4) >> 3) }, (_, i) =>
          this.#u64(at + 4 + 8 * i),
        );
      }
      at += 4 + bytes;
    }
    return [];
  }

  /** Overlapping files would let a small archive unpack to any size. */
  #checkApart(entries: readonly Placed[]): void {
    const paths = new Set<string>();
    for (const { path } of entries) {
      if (paths.has(path)) this.#refuse(`it has two files ${path}`);
      paths.add(path);
    }
    let end = 0;
    for (const { path, start, packed } of entries.toSorted((a, b) => a.start - b.start)) {
      if (start < end) this.#refuse(`${path} shares bytes with another file`);
      end = start + packed.length;
    }
  }

  #expect(at: number, bytes: number, signature: number, what: string): void {
    const isWithin = at >= 0 && at + bytes <= this.#file.length;
    if (isWithin && this.#u32(at) === signature) return;
    this.#refuse(`${what} is not where it should be, at byte ${at} of ${this.#file.length}`);
  }

  #text(start: number, end: number, isUtf8: boolean): string {
    const bytes = this.#file.subarray(start, end);
    return new TextDecoder(isUtf8 ? 'utf-8' : 'latin1').decode(bytes);
  }

  #u16(at: number): number {
    return this.#view.getUint16(at, true);
  }

  #u32(at: number): number {
    return this.#view.getUint32(at, true);
  }

  #u64(at: number): number {
    return Number(this.#view.getBigUint64(at, true));
  }

  #refuse(what: string): never {
    throw new EngineError('dataset-invalid', `${this.#name} is no zip file, or damaged: ${what}`);
  }
}
