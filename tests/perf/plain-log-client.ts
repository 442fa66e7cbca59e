import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { LogGap } from '../../edge/logs/contract/log-frames.ts';
import { Ticket } from '../../edge/access/contract/session.ts';

/** Counts of a client that reads the sequence numbers alone. */
export interface PlainTally {
  messages: number;
  /** Messages or gaps that were not just after the last. */
  faults: number;
  gaps: number;
  dropped: number;
  position: number;
}

const ACK_EVERY = 32;
const ACK_AFTER_MS = 250;
const LOG_START = Buffer.from('{"type":"log","id":"log_01JD4XQ2T5W8Z3B6C9E0F2G4H7","seq":').length;
const NEWLINE = 10;
const TYPE_AT = '{"type":"'.length;
const LETTER_L = 'l'.charCodeAt(0);
const LETTER_G = 'g'.charCodeAt(0);

/**
 * Follows the log with as little work a message as there can be: a hundred clients share two cores
 * with the platform here. It reads frames by hand (RFC 6455) and in them only the type and the number.
 */
export async function followPlainly(base: URL, tally: PlainTally): Promise<Socket> {
  const answer = await fetch(new URL('/ws/tickets', base), { method: 'POST' });
  const { ticket } = Ticket.parse(await answer.json());
  const socket = connect(Number(base.port), base.hostname).setNoDelay();
  socket.write(
    `GET /ws/distributed_brain/logs?batch=true&ticket=${ticket} HTTP/1.1\r\nHost: ${base.host}\r\n` +
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  );
  const { promise: greeted, resolve } = Promise.withResolvers<void>();
  let rest: Buffer = Buffer.alloc(0);
  let isOpen = false;
  let unacked = 0;
  socket.on('data', (bytes: Buffer) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    if (!isOpen) {
      const end = rest.indexOf('\r\n\r\n');
      if (end === -1) return;
      isOpen = true;
      rest = rest.subarray(end + 4);
    }
    for (let frame = frameIn(rest); frame; frame = frameIn(rest)) {
      unacked += readFrame(frame.payload, tally);
      rest = rest.subarray(frame.end);
      resolve();
    }
    if (unacked >= ACK_EVERY) acknowledge();
  });
  const acknowledge = () => {
    if (unacked > 0) socket.write(ackOf(tally.position));
    unacked = 0;
  };
  const timer = setInterval(acknowledge, ACK_AFTER_MS);
  socket.on('close', () => clearInterval(timer));
  await greeted;
  return socket;
}

function frameIn(bytes: Buffer): { readonly payload: Buffer; readonly end: number } | undefined {
  if (bytes.length < 2) return undefined;
  const short = (bytes[1] ?? 0) & 127;
  const start = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (bytes.length < start) return undefined;
  const length =
    short === 127
      ? Number(bytes.readBigUInt64BE(2))
      : short === 126
        ? bytes.readUInt16BE(2)
        : short;
  const end = start + length;
  return end > bytes.length ? undefined : { payload: bytes.subarray(start, end), end };
}

/** Counts the lines of a frame; returns how many are to be acknowledged. */
function readFrame(payload: Buffer, tally: PlainTally): number {
  const before = tally.messages;
  for (let start = 0; start < payload.length;) {
    const next = payload.indexOf(NEWLINE, start);
    const end = next === -1 ? payload.length : next;
    const type = payload[start + TYPE_AT];
    if (type === LETTER_L) {
      const seq = numberAt(payload, start + LOG_START);
      moveOn(tally, seq, seq);
      tally.messages += 1;
    } else if (type === LETTER_G) {
      const gap = JSON.parse(payload.toString('utf8', start, end)) as LogGap;
      moveOn(tally, gap.from_seq, gap.to_seq);
      tally.gaps += 1;
      tally.dropped += gap.dropped ?? Number.NaN;
    }
    start = end + 1;
  }
  return tally.messages - before;
}

function moveOn(tally: PlainTally, from: number, to: number): void {
  if (from !== tally.position + 1) tally.faults += 1;
  tally.position = to;
}

function numberAt(bytes: Buffer, start: number): number {
  let value = 0;
  for (let i = start, digit = (bytes[i] ?? 0) - 48; digit >= 0 && digit <= 9;) {
    value = value * 10 + digit;
    i += 1;
    digit = (bytes[i] ?? 0) - 48;
  }
  return value;
}

/** A masked text frame with an acknowledgement; a mask of zeros masks nothing. */
function ackOf(seq: number): Buffer {
  const text = Buffer.from(`{"type":"ack","seq":${seq}}`);
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]);
}
