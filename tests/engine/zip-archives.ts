/** A file of an archive as it is to be written, true or not. */
export interface StoredEntry {
  readonly path: string;
  readonly packed: Uint8Array;
  readonly size: number;
  readonly crc: number;
  /** Deflated where it is left out. */
  readonly method?: number;
  readonly flags?: number;
  /** Where its header lies; behind the one before it where it is left out. */
  readonly startsAt?: number;
}

const LOCAL_BYTES = 30;
const DEFLATED = 8;
const ELSEWHERE = 0xffffffff;

/** Writes an archive with the given file records; a large one in the fields of ZIP64. */
// oxlint-disable-next-line complexity -- the fields of one format, in their order
export function zipOf(entries: readonly StoredEntry[], { isLarge = false } = {}): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const stored of entries) {
    const { path, packed, size, crc, method = DEFLATED, flags = 0, startsAt = at } = stored;
    const name = new TextEncoder().encode(path);
    const common = [...u16(flags), ...u16(method), ...u32(0), ...u32(crc)];
    const sizes = isLarge
      ? [...u32(ELSEWHERE), ...u32(ELSEWHERE)]
      : [...u32(packed.length), ...u32(size)];
    const head = [...u32(0x04034b50), ...u16(20), ...common, ...sizes, ...u16(name.length)];
    const extra = [...u16(1), ...u16(24), ...u64(size), ...u64(packed.length), ...u64(startsAt)];
    const large = isLarge ? extra : [];
    parts.push(Uint8Array.of(...head, ...u16(0), ...name), packed);
    directory.push(
      Uint8Array.of(
        ...[...u32(0x02014b50), ...u16(20), ...u16(20), ...common, ...sizes],
        ...[...u16(name.length), ...u16(large.length), ...u16(0), ...u16(0), ...u16(0), ...u32(0)],
        ...[...u32(isLarge ? ELSEWHERE : startsAt), ...name, ...large],
      ),
    );
    at += LOCAL_BYTES + name.length + packed.length;
  }
  const length = directory.reduce((sum, one) => sum + one.length, 0);
  const count = entries.length;
  const end64 = [
    ...[...u32(0x06064b50), ...u64(44), ...u16(45), ...u16(45), ...u32(0), ...u32(0)],
    ...[...u64(count), ...u64(count), ...u64(length), ...u64(at)],
    ...[...u32(0x07064b50), ...u32(0), ...u64(at + length), ...u32(1)],
  ];
  const end = [
    ...(isLarge ? end64 : []),
    ...[...u32(0x06054b50), ...u16(0), ...u16(0)],
    ...(isLarge ? [...u16(0xffff), ...u16(0xffff)] : [...u16(count), ...u16(count)]),
    ...[...u32(length), ...u32(isLarge ? ELSEWHERE : at), ...u16(0)],
  ];
  return Uint8Array.from(Buffer.concat([...parts, ...directory, Uint8Array.from(end)]));
}

const u16 = (value: number) => [value & 0xff, value >>> 8];
const u32 = (value: number) => [...u16(value & 0xffff), ...u16(value >>> 16)];
const u64 = (value: number) => [...u32(value >>> 0), ...u32(Math.floor(value / 2 ** 32))];
