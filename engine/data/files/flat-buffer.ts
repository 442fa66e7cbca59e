import type { BoundedReader } from './bounded-reader.ts';

/** A table of a FlatBuffer: the offset of its first byte. Every offset of a file is checked as it is followed. */
type Table = number;

const OFFSET_BYTES = 4;
const IDENTIFIER_BYTES = 4;

/** The root table of a buffer at `at`. Refuses one of another identifier, such as "EVTS". */
export function rootTable(reader: BoundedReader, at: number, identifier: string): Table {
  const found = reader.span(at + OFFSET_BYTES, IDENTIFIER_BYTES, 'an identifier');
  const name = String.fromCharCode(...found);
  if (name !== identifier) {
    reader.refuse(at, `the buffer is ${JSON.stringify(name)}`, JSON.stringify(identifier));
  }
  return at + reader.u32(at);
}

/** The offset of a field, undefined where the table leaves it out. */
export function fieldOf(reader: BoundedReader, table: Table, slot: number): number | undefined {
  const fields = table - reader.i32(table);
  const place = 4 + 2 * slot;
  if (place + 2 > reader.u16(fields)) return undefined;
  const offset = reader.u16(fields + place);
  return offset === 0 ? undefined : table + offset;
}

/** The elements of a vector field, each of `bytes` bytes: where they begin and how many there are. */
export function vectorOf(
  reader: BoundedReader,
  field: number,
  bytes: number,
): { readonly start: number; readonly count: number } {
  const vector = field + reader.u32(field);
  const [start, count] = [vector + 4, reader.u32(vector)];
  reader.need(start, count * bytes, `a vector of ${count} elements`);
  return { start, count };
}
