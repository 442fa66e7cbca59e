import { malformed } from './reason.ts';

// A byte order mark is a character like any other (MQTT-1.5.4-3).
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads MQTT data types (section 1.5) in sequence. @throws MqttFault malformedPacket */
export class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    const value = this.#bytes[this.#at];
    if (value === undefined) throw malformed(`a byte was expected at ${this.#at}, the end`);
    this.#at += 1;
    return value;
  }

  uint16(): number {
    return this.byte() * 0x100 + this.byte();
  }

  uint32(): number {
    return this.uint16() * 0x1_0000 + this.uint16();
  }

  /**
   * A variable byte integer: seven bits per byte, the lowest first, in as few bytes as possible
   * (MQTT-1.5.5-1).
   */
  varint(): number {
    let value = 0;
    for (let shift = 1; shift <= 0x20_0000; shift *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * shift;
      if (byte >= 0x80) continue;
      if (byte === 0 && shift > 1)
        throw malformed('a variable byte integer is longer than it need be');
      return value;
    }
    throw malformed('a variable byte integer has more than four bytes');
  }

  /** @throws MqttFault where it is not UTF-8 or holds U+0000 (MQTT-1.5.4-1, MQTT-1.5.4-2) */
  text(): string {
    const bytes = this.binary();
    let text: string;
    try {
      text = decoder.decode(bytes);
    } catch {
      throw malformed(`a text of ${bytes.length} bytes is not UTF-8`);
    }
    if (text.includes('\0')) throw malformed('a text holds U+0000');
    return text;
  }

  /** Bytes prefixed with a two-byte length. */
  binary(): Uint8Array {
    return this.take(this.uint16());
  }

  take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) {
      throw malformed(`${length} bytes were expected, ${this.#bytes.length - this.#at} are there`);
    }
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  /** A reader of the next bytes only. */
  section(length: number): Reader {
    return new Reader(this.take(length));
  }

  rest(): Uint8Array {
    return this.take(this.#bytes.length - this.#at);
  }
}

const encoder = new TextEncoder();

/** Room for the first byte and the length, which are known last. */
const HEAD_BYTES = 5;

/** Writes one packet: MQTT data types (section 1.5) after a fixed header. */
export class Writer {
  #bytes = new Uint8Array(128);
  #at = HEAD_BYTES;

  byte(value: number): this {
    this.#room(1);
    this.#bytes[this.#at++] = value;
    return this;
  }

  uint16(value: number): this {
    return this.byte(value >>> 8).byte(value & 0xff);
  }

  uint32(value: number): this {
    return this.uint16(Math.floor(value / 0x1_0000)).uint16(value % 0x1_0000);
  }

  varint(value: number): this {
    let left = value;
    while (left >= 0x80) {
      this.byte((left % 0x80) | 0x80);
      left = Math.floor(left / 0x80);
    }
    return this.byte(left);
  }

  text(value: string): this {
    return this.binary(encoder.encode(value));
  }

  binary(bytes: Uint8Array): this {
    return this.uint16(bytes.length).raw(bytes);
  }

  raw(bytes: Uint8Array): this {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
    return this;
  }

  /** The bytes written so far, without a header. */
  body(): Uint8Array {
    return this.#bytes.subarray(HEAD_BYTES, this.#at);
  }

  /** The packet, prefixed with its first byte and its length. */
  packet(first: number): Uint8Array {
    const length = this.#at - HEAD_BYTES;
    let start = HEAD_BYTES;
    const digits: number[] = [];
    for (let left = length; digits.length === 0 || left > 0; left = Math.floor(left / 0x80)) {
      digits.push(left % 0x80);
    }
    for (const [i, digit] of digits.toReversed().entries()) {
      this.#bytes[--start] = i === 0 ? digit : digit | 0x80;
    }
    this.#bytes[--start] = first;
    return this.#bytes.subarray(start, this.#at);
  }

  #room(more: number): void {
    if (this.#at + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + more));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}
