import { BinaryReader, type BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { Problem } from '../http/problem.ts';

/** The encoding of a field's value; `hex` is bytes that OTLP writes in hexadecimal in JSON. */
type Scalar =
  | 'string'
  | 'bool'
  | 'double'
  | 'int32'
  | 'sint32'
  | 'uint32'
  | 'int64'
  | 'uint64'
  | 'fixed32'
  | 'fixed64'
  | 'sfixed64'
  | 'hex'
  | 'base64';

type Field = {
  /** Its name in JSON. */
  readonly name: string;
  /** Messages are behind functions, as they may be recursive. */
  readonly type: Scalar | (() => Message);
  readonly isRepeated: boolean;
};

/** The fields of a message by their numbers; others are skipped. */
export type Message = Readonly<Record<number, Field>>;

export const field = (name: string, type: Field['type']): Field => ({
  name,
  type,
  isRepeated: false,
});
export const list = (name: string, type: Field['type']): Field => ({
  name,
  type,
  isRepeated: true,
});

const PROTOBUF_LIMITS = {
  /** Values of one body, messages and scalars alike: an empty message takes only two bytes. */
  values: 1_000_000,
  /** Messages within messages: attributes may nest without end. */
  depth: 32,
} as const;

/**
 * Reads a message into what the JSON form of the same message parses to: 64-bit integers as texts,
 * ids in hexadecimal. A field that has its default is left out.
 *
 * @throws Problem validation_failed where the bytes are no such message, payload_too_large
 */
export function readMessage(message: Message, bytes: Uint8Array): unknown {
  try {
    return new Decoder(bytes).message(message, bytes.byteLength);
  } catch (error) {
    if (error instanceof Problem) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new Problem('validation_failed', `The body cannot be read as protobuf: ${why}.`);
  }
}

class Decoder {
  readonly #reader: BinaryReader;
  #values = 0;
  #depth = 0;

  constructor(bytes: Uint8Array) {
    this.#reader = new BinaryReader(bytes);
  }

  message(fields: Message, end: number): Record<string, unknown> {
    if (++this.#depth > PROTOBUF_LIMITS.depth) {
      throw new RangeError(`more than ${PROTOBUF_LIMITS.depth} messages within each other`);
    }
    const decoded: Record<string, unknown> = {};
    while (this.#reader.pos < end) this.#field(fields, decoded);
    if (this.#reader.pos > end)
      throw new RangeError('a message ends beyond the one that contains it');
    this.#depth -= 1;
    return decoded;
  }

  #field(fields: Message, decoded: Record<string, unknown>): void {
    const [number, wire] = this.#reader.tag();
    const known = fields[number];
    if (!known) {
      this.#reader.skip(wire, number);
      return;
    }
    const { name, isRepeated } = known;
    const values = this.#read(known, wire);
    if (!isRepeated) decoded[name] = values.at(-1);
    else {
      const before = decoded[name];
      if (Array.isArray(before)) for (const value of values) before.push(value);
      else decoded[name] = values;
    }
  }

  /** The single value at this position, or all of a packed list. */
  #read({ name, type }: Field, wire: WireType): unknown[] {
    if (typeof type !== 'string') {
      expectWire(name, wire, WireType.LengthDelimited);
      return [this.#counted(() => this.message(type(), this.#end()))];
    }
    const own = WIRES[type];
    const isPacked = wire === WireType.LengthDelimited && own !== WireType.LengthDelimited;
    if (!isPacked) {
      expectWire(name, wire, own);
      return [this.#counted(() => READERS[type](this.#reader))];
    }
    const values: unknown[] = [];
    for (const end = this.#end(); this.#reader.pos < end;) {
      values.push(this.#counted(() => READERS[type](this.#reader)));
    }
    return values;
  }

  /** The end of a length-delimited value. */
  #end(): number {
    const length = this.#reader.uint32();
    const end = this.#reader.pos + length;
    if (end > this.#reader.len) throw new RangeError('it ends too early');
    return end;
  }

  #counted<T>(read: () => T): T {
    if (++this.#values > PROTOBUF_LIMITS.values) {
      const detail = `The body holds more than ${PROTOBUF_LIMITS.values} values.`;
      throw new Problem('payload_too_large', detail);
    }
    return read();
  }
}

function expectWire(name: string, wire: WireType, expected: WireType): void {
  if (wire === expected) return;
  throw new TypeError(`${name} has the wire type ${wire}, expected ${expected}`);
}

const WIRES: Readonly<Record<Scalar, WireType>> = {
  string: WireType.LengthDelimited,
  hex: WireType.LengthDelimited,
  base64: WireType.LengthDelimited,
  bool: WireType.Varint,
  int32: WireType.Varint,
  sint32: WireType.Varint,
  uint32: WireType.Varint,
  int64: WireType.Varint,
  uint64: WireType.Varint,
  fixed32: WireType.Bit32,
  double: WireType.Bit64,
  fixed64: WireType.Bit64,
  sfixed64: WireType.Bit64,
};

const READERS: Readonly<Record<Scalar, (reader: BinaryReader) => unknown>> = {
  string: (reader) => reader.string(true),
  hex: (reader) => hexOf(reader.bytes()),
  base64: (reader) =>
    btoa(Array.from(reader.bytes(), (byte) => String.fromCharCode(byte)).join('')),
  bool: (reader) => reader.bool(),
  int32: (reader) => reader.int32(),
  sint32: (reader) => reader.sint32(),
  uint32: (reader) => reader.uint32(),
  int64: (reader) => String(reader.int64()),
  uint64: (reader) => String(reader.uint64()),
  fixed32: (reader) => reader.fixed32(),
  // JSON has no number for those that are not finite.
  double: (reader) => {
    const number = reader.double();
    return Number.isFinite(number) ? number : String(number);
  },
  fixed64: (reader) => String(reader.fixed64()),
  sfixed64: (reader) => String(reader.sfixed64()),
};

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Writes a text field, which is left out where it is empty. */
export const writeText = (writer: BinaryWriter, number: number, text: string): BinaryWriter =>
  text === '' ? writer : writer.tag(number, WireType.LengthDelimited).string(text);
