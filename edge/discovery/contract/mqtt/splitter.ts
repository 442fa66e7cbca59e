import { malformed, MqttFault, REASON } from './reason.ts';

const NOTHING = new Uint8Array();
/** The size of a packet is known after its first byte and its length. */
const MAX_HEAD_BYTES = 5;

/** Called with each complete packet: its first byte, and what follows its length. */
type TakePacket = (first: number, body: Uint8Array) => void;

/**
 * Splits the bytes of a connection into packets, which need not align with WebSocket messages
 * (MQTT-6.0.0-2).
 */
export class PacketSplitter {
  /** The maximum size of a packet, with its header. */
  maxBytes: number;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #neededBytes = 0;

  constructor(maxBytes: number, rest: Uint8Array = NOTHING) {
    this.maxBytes = maxBytes;
    if (rest.length > 0) this.#keep(rest, 0);
  }

  /** The beginning of an incomplete packet. */
  get rest(): Uint8Array {
    return this.#pending.length === 0 ? NOTHING : joinChunks(this.#pending);
  }

  get isBetweenPackets(): boolean {
    return this.#pending.length === 0;
  }

  /** @throws MqttFault packetTooLarge as soon as the length is known, malformedPacket */
  push(chunk: Uint8Array, take: TakePacket): void {
    const data = this.#complete(chunk);
    if (!data) return;
    let at = 0;
    while (at < data.length) {
      const next = this.#cut(data, at, take);
      if (next === at) return;
      at = next;
    }
  }

  /** The bytes to examine, or undefined while there are too few. */
  #complete(chunk: Uint8Array): Uint8Array | undefined {
    if (this.#pending.length === 0) return chunk;
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    if (this.#pendingBytes < this.#neededBytes) return undefined;
    const data = this.rest;
    this.#pending = [];
    return data;
  }

  /** Emits the packet that begins at an offset, and returns the offset of the next one. */
  #cut(data: Uint8Array, at: number, take: TakePacket): number {
    let length = 0;
    let start = at + 1;
    for (let scale = 1; ; scale *= 0x80) {
      if (start - at >= MAX_HEAD_BYTES) throw malformed('the length has more than four bytes');
      const byte = data[start];
      if (byte === undefined) return this.#wait(data, at, start - at + 1);
      start += 1;
      length += (byte & 0x7f) * scale;
      if (byte >= 0x80) continue;
      if (byte === 0 && scale > 1) throw malformed('the length has more bytes than it needs');
      break;
    }
    const end = start + length;
    if (end - at > this.maxBytes) {
      throw new MqttFault(
        REASON.packetTooLarge,
        `a packet of ${end - at} bytes, expected at most ${this.maxBytes}`,
      );
    }
    if (end > data.length) return this.#wait(data, at, end - at);
    take(data[at] ?? 0, data.subarray(start, end));
    return end;
  }

  #wait(data: Uint8Array, at: number, neededBytes: number): number {
    this.#keep(data.subarray(at), neededBytes);
    return at;
  }

  #keep(rest: Uint8Array, neededBytes: number): void {
    this.#pending = [rest];
    this.#pendingBytes = rest.length;
    this.#neededBytes = neededBytes;
  }
}

export function joinChunks(chunks: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.length;
  }
  return joined;
}
