import * as z from 'zod/mini';

/**
 * Frames between the gateway and a service that connected outwards: one per binary WebSocket
 * message, which delimits them, so that no length field can be wrong.
 *
 *   byte 0: the kind; bytes 1 to 4: the stream, big endian; then the payload
 *
 * A stream is one request and its response. The gateway opens streams, the service responds.
 */
const FRAME = {
  /** Gateway: JSON of `RequestHead`. */
  request: 1,
  /** Service: JSON of `ResponseHead`. */
  response: 2,
  /** Either: bytes of a body. */
  data: 3,
  /** Either: no more bytes of a body. */
  end: 4,
  /** Either: the stream is aborted. */
  reset: 5,
  /** Either: credit for this many more bytes (32 bit). */
  credit: 6,
  /** Service, stream 0: it finishes its requests and accepts no new ones. */
  goaway: 7,
  /** Gateway, stream 0: it has no memory of earlier streams. */
  restart: 8,
} as const;
type FrameKind = keyof typeof FRAME;

export interface Frame {
  readonly kind: FrameKind;
  readonly stream: number;
  readonly payload: Uint8Array<ArrayBuffer>;
}

const HEADER_BYTES = 5;
/** The maximum number of body bytes in one frame. */
export const MAX_DATA_BYTES = 64 * 1024;
/** The maximum frame size; a side that receives a larger one closes the connection. */
export const MAX_FRAME_BYTES = HEADER_BYTES + MAX_DATA_BYTES;

/** A protocol violation, which ends the connection. */
export class FrameFault extends Error {
  override readonly name = 'FrameFault';
}

const KINDS: ReadonlyMap<number, FrameKind> = new Map(
  Object.entries(FRAME).map(([kind, byte]) => [byte, kind as FrameKind]),
);
/** Kinds about the connection rather than a stream. */
const WHOLE: readonly FrameKind[] = ['goaway', 'restart'];
/** Kinds without a payload. */
const EMPTY: readonly FrameKind[] = ['end', 'goaway', 'restart'];

const NOTHING = new Uint8Array();

export function writeFrame(
  kind: FrameKind,
  stream: number,
  payload: Uint8Array = NOTHING,
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_BYTES + payload.length);
  bytes[0] = FRAME[kind];
  new DataView(bytes.buffer).setUint32(1, stream);
  bytes.set(payload, HEADER_BYTES);
  return bytes;
}

/** @throws FrameFault */
export function readFrame(bytes: Uint8Array<ArrayBuffer>): Frame {
  const { length } = bytes;
  if (length < HEADER_BYTES) throw new FrameFault(`a frame of ${length} bytes`);
  if (length > MAX_FRAME_BYTES) throw new FrameFault(`a frame of ${length} bytes`);
  const kind = KINDS.get(bytes[0] ?? 0);
  if (kind === undefined) throw new FrameFault(`a frame of kind ${bytes[0]}`);
  const stream = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
  const payload = bytes.subarray(HEADER_BYTES);
  if (WHOLE.includes(kind) !== (stream === 0)) throw new FrameFault(`${kind} of stream ${stream}`);
  if (EMPTY.includes(kind) && payload.length > 0) throw new FrameFault(`${kind} with a payload`);
  if (kind === 'credit' && payload.length !== 4) throw new FrameFault('a credit of no number');
  return { kind, stream, payload };
}

export function writeCredit(stream: number, bytes: number): Uint8Array<ArrayBuffer> {
  const payload = new Uint8Array(4);
  new DataView(payload.buffer).setUint32(0, bytes);
  return writeFrame('credit', stream, payload);
}

export const readCredit = ({ payload }: Frame): number =>
  new DataView(payload.buffer, payload.byteOffset).getUint32(0);

const Headers = z
  .array(z.tuple([z.string().check(z.maxLength(256)), z.string()]))
  .check(z.maxLength(256));

/** A request: `path` includes its query, `body` says whether one follows. */
export const RequestHead = z.object({
  method: z.string().check(z.regex(/^[A-Z]{1,16}$/)),
  path: z.string().check(z.regex(/^\/[\x21-\x7e]*$/)),
  headers: Headers,
  body: z.boolean(),
});
export type RequestHead = z.infer<typeof RequestHead>;

export const ResponseHead = z.object({
  status: z.int().check(z.gte(200), z.lte(599)),
  headers: Headers,
});
export type ResponseHead = z.infer<typeof ResponseHead>;

/** @throws FrameFault where it is too large for a frame */
export function writeHead(
  kind: 'request' | 'response',
  stream: number,
  head: RequestHead | ResponseHead,
): Uint8Array<ArrayBuffer> {
  const payload = new TextEncoder().encode(JSON.stringify(head));
  if (payload.length > MAX_DATA_BYTES) throw new FrameFault(`headers of ${payload.length} bytes`);
  return writeFrame(kind, stream, payload);
}

/** @throws FrameFault */
export function readHead<T extends RequestHead | ResponseHead>(
  { kind, payload }: Frame,
  schema: z.ZodMiniType<T>,
): T {
  try {
    return schema.parse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload)));
  } catch {
    throw new FrameFault(`${kind} without a head`);
  }
}
