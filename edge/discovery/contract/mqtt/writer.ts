const encoder = new TextEncoder();

/** The first byte and the length, which are known last. */
const HEAD_BYTES = 5;

/** Writes one packet: the data types of MQTT (section 1.5) behind a fixed header. */
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

  /** What was written so far, without a header. */
  body(): Uint8Array {
    return this.#bytes.subarray(HEAD_BYTES, this.#at);
  }

  /** The packet, with its first byte and its length in front. */
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
