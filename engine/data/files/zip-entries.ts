import { EngineError } from '../../errors.ts';

/** A file of an archive as its directory tells of it, and where its packed bytes lie. */
export interface ZipEntry {
  readonly path: string;
  readonly method: number;
  readonly crc: number;
  readonly size: number;
  readonly packed: Uint8Array;
}

/** As many as a folder may have. */
const MOST_ENTRIES = 1_000_000;
const [END, END_64, WHERE_END_64, DIRECTORY, LOCAL] = [
  0x06054b50, 0x06064b50, 0x07064b50, 0x02014b50, 0x04034b50,
];
const [END_BYTES, END_64_BYTES, WHERE_BYTES, DIRECTORY_BYTES, LOCAL_BYTES] = [22, 56, 20, 46, 30];
const LONGEST_COMMENT = 0xffff;
/** Stands where a number is too large for its field and is in the fields of ZIP64 instead. */
const ELSEWHERE = 0xffffffff;
const ENCRYPTED = 1;
const IS_UTF8 = 0x800;

/**
 * The files that the directory of a zip archive (PKWARE's APPNOTE) names, in its order. Throws EngineError
 * `dataset-invalid` for one whose directory or whose files are not where they should be, for two files of one
 * name, for files that share bytes, and for encrypted ones.
 */
export function readZipEntries(name: string, file: Uint8Array): readonly ZipEntry[] {
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
    if (count > MOST_ENTRIES)
      this.#refuse(`it has ${count} files, expected at most ${MOST_ENTRIES}`);
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
    for (let at = last; at >= Math.max(0, last - LONGEST_COMMENT); at--) {
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
    // The fields stand in this order, those that were too large alone.
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

  /** Files that lie in each other let a small archive unpack to any size. */
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
