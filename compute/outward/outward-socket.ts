import { WebSocket } from 'ws';
import {
  CONNECTION_CLOSE,
  PING,
  PING_EVERY_MS,
  SILENCE_MS,
} from '../../edge/outward/contract/connection.ts';
import { FrameFault, MAX_FRAME_BYTES, writeFrame } from '../../edge/outward/contract/frames.ts';
import { problemErrorOf } from '../../edge/contract/problem-error.ts';
import { pause } from '../../trainer/index.ts';
import { type Handler, OutwardServer } from './outward-server.ts';

export interface DialOptions {
  /** Without a slash at the end. */
  readonly gateway: string;
  /** With the key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly service: string;
  readonly instance: string;
  readonly version: string;
  readonly tags: readonly string[];
  readonly handle: Handler;
  readonly signal: AbortSignal;
}

/** A connection that stands. */
export interface OutwardSocket {
  /** Settles once it is gone: how it was closed, and why. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  /** Has the gateway take it off its table. */
  leave(): void;
  /** Lets what is under way end for so long, and closes. */
  finish(graceMs: number): Promise<void>;
}

const HANDSHAKE_MS = 10_000;
/** How long the gateway may take to say that it closes, too. */
const FAREWELL_MS = 1_000;
/** The most that is read of a refusal. */
const REFUSAL_CHARACTERS = 64 * 1024;

/** @throws ProblemError where the gateway refuses, and the error of the system where it is not reached */
export async function dial(options: DialOptions): Promise<OutwardSocket> {
  const { headers, handle, signal } = options;
  const socket = new WebSocket(addressOf(options), {
    headers: { ...headers },
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    handshakeTimeout: HANDSHAKE_MS,
  });
  socket.binaryType = 'arraybuffer';
  const giveUp = () => socket.terminate();
  signal.addEventListener('abort', giveUp);
  try {
    const server = new OutwardServer((frame) => socket.send(frame, ignore), handle);
    const closed = listen(socket, server);
    await opened(socket);
    return {
      closed,
      leave: () => socket.send(writeFrame('goaway', 0), ignore),
      finish: (graceMs) => finish(socket, server, graceMs),
    };
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** A socket that has just closed says so by itself. */
const ignore = () => {};

function addressOf({ gateway, service, instance, version, tags }: DialOptions): URL {
  const url = new URL(`${gateway}/services/connect`);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.search = new URLSearchParams({
    service,
    instance,
    version,
    ...(tags.length > 0 && { tags: tags.join() }),
  }).toString();
  return url;
}

function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed at once')));
    socket.once('unexpected-response', async (_, answer) => {
      let text = '';
      for await (const chunk of answer) {
        text += String(chunk);
        if (text.length > REFUSAL_CHARACTERS) break;
      }
      const { statusCode: status = 502 } = answer;
      // Anything but a refusal came from elsewhere.
      reject(await problemErrorOf(new Response(text, { status: status < 400 ? 502 : status })));
      socket.terminate();
    });
  });
}

function listen(socket: WebSocket, server: OutwardServer): OutwardSocket['closed'] {
  let heardAt = Date.now();
  const pulse = setInterval(() => {
    if (Date.now() - heardAt > SILENCE_MS) socket.terminate();
    else if (socket.readyState === WebSocket.OPEN) socket.send(PING, ignore);
  }, PING_EVERY_MS);
  // The reason of the failure is reported by the dialler or by the close code.
  socket.on('error', ignore);
  socket.on('message', (data, isBinary) => {
    heardAt = Date.now();
    if (!isBinary) return;
    try {
      server.receive(new Uint8Array(data as ArrayBuffer));
    } catch (error) {
      if (!(error instanceof FrameFault)) throw error;
      socket.close(CONNECTION_CLOSE.misbehaved, error.message.slice(0, 100));
    }
  });
  return new Promise((resolve) => {
    socket.on('close', (code, reason) => {
      clearInterval(pulse);
      server.fail();
      resolve({ code, reason: reason.toString() });
    });
  });
}

async function finish(socket: WebSocket, server: OutwardServer, graceMs: number): Promise<void> {
  const late = AbortSignal.timeout(Math.max(1, graceMs));
  await Promise.race([server.empty(), pause(graceMs, late)]);
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  if (socket.readyState === WebSocket.CLOSED) return;
  socket.close(CONNECTION_CLOSE.done);
  await Promise.race([gone, pause(FAREWELL_MS)]);
  socket.terminate();
}
