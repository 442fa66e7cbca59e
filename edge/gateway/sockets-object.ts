import { DurableObject, RpcTarget } from 'cloudflare:workers';
import { areLive } from '../access/live-credentials.ts';
import type { Env } from '../env.ts';
import type { Caller } from '../http/caller.ts';
import { holderOf, Tally } from '../http/ownership.ts';
import type { CountResult, StreamCounter } from './sockets-stub.ts';
import { callerIn, fullAnswer, SOCKET_CALLER, socketRefusal } from './socket-quota.ts';
import { outboundTo } from './upstreams.ts';

/** How often the callers' credentials are checked again. */
const CHECK_EVERY_MS = 3_000;
/** Close code for ended credentials: the client may reconnect with new ones. */
const CREDENTIALS_ENDED = 4401;

/** An open WebSocket, or one being opened; `joined` once it is connected. */
interface Place {
  readonly caller: Caller;
  joined?: JoinedSockets;
}

/**
 * Counts a stream for as long as the sending isolate holds this: if it dies, the count is released.
 */
class CountedStream extends RpcTarget {
  readonly #letGo: () => void;

  constructor(letGo: () => void) {
    super();
    this.#letGo = letGo;
  }

  [Symbol.dispose](): void {
    this.#letGo();
  }
}

/**
 * The WebSockets of one team to services outside of the Worker, and the count of its event streams.
 * It holds the sockets itself, so the count is right whatever happens: they die with it.
 */
export class Sockets extends DurableObject<Env> implements StreamCounter {
  readonly #places = new Set<Place>();
  /** Sockets and streams, by owner. */
  readonly #open = new Tally();
  #isChecking = false;

  /** Forwards an upgrade to the address of the request. */
  override async fetch(request: Request): Promise<Response> {
    const caller = callerIn(request.headers);
    const full = fullAnswer(caller, this.#open.usedBy(holderOf(caller)), this.env.QUOTAS);
    if (full) return full;
    const place: Place = { caller };
    this.#places.add(place);
    this.#open.add(holderOf(caller));
    try {
      return this.#joined(place, await sendOn(request, this.env));
    } finally {
      if (!place.joined) this.#leave(place);
    }
  }

  /** Counts an event stream, or returns the usage where the quota is exhausted. */
  hold(caller: Caller): CountResult {
    const owner = holderOf(caller);
    const used = this.#open.usedBy(owner);
    if (socketRefusal(caller, used, this.env.QUOTAS)) return { kind: 'full', used };
    this.#open.add(owner);
    let isHeld = true;
    const stream = new CountedStream(() => {
      if (isHeld) this.#open.remove(owner);
      isHeld = false;
    });
    return { kind: 'held', stream };
  }

  #leave(place: Place): void {
    if (this.#places.delete(place)) this.#open.remove(holderOf(place.caller));
  }

  #joined(place: Place, answer: Response): Response {
    const { webSocket, headers } = answer;
    if (!webSocket) return answer;
    const joined = joinSockets(webSocket);
    place.joined = joined;
    this.ctx.waitUntil(joined.closed.then(() => this.#leave(place)));
    if (!this.#isChecking) this.ctx.waitUntil(this.#checkWhileOpen());
    return new Response(null, { status: 101, headers, webSocket: joined.client });
  }

  async #checkWhileOpen(): Promise<void> {
    this.#isChecking = true;
    while (this.#places.size > 0) {
      await scheduler.wait(CHECK_EVERY_MS);
      const places = [...this.#places];
      const callers = places.map(({ caller }) => caller);
      const live = await areLive(this.env, callers);
      for (const [i, { joined }] of places.entries()) {
        if (!live[i]) joined?.close(CREDENTIALS_ENDED, 'the credentials have ended');
      }
    }
    this.#isChecking = false;
  }
}

/** Sends a request until the gateway aborts it. */
async function sendOn(
  { url, headers: sent, signal: givenUp }: Request,
  env: Env,
): Promise<Response> {
  const headers = new Headers(sent);
  headers.delete(SOCKET_CALLER);
  // Wired by hand: the runtime accepts the signal of a request and ignores it.
  const stop = new AbortController();
  const giveUp = () => stop.abort();
  givenUp.addEventListener('abort', giveUp);
  try {
    return await outboundTo(env, url)(url, { headers, redirect: 'manual', signal: stop.signal });
  } finally {
    givenUp.removeEventListener('abort', giveUp);
  }
}

/** A WebSocket to a service, relayed to one to its caller. */
interface JoinedSockets {
  /** The caller's end. */
  readonly client: WebSocket;
  /** Closes both. */
  readonly close: (code: number, reason: string) => void;
  /** Resolves once the caller's socket has closed, in whatever way. */
  readonly closed: Promise<void>;
}

/** RFC 6455, section 7.4.1: the other side closed without a code. */
const NO_CODE = 1005;
/** Codes that must not be sent; 1006 reports a broken connection. */
const NOT_FOR_SENDING = [1004, 1006, 1015];
/** The code for a side whose peer broke off, or closed without a valid code. */
const BROKE_OFF = 1011;

/**
 * Relays messages and closing between a service and its caller. The runtime does not report how
 * much a slow reader leaves buffered, so senders must be bounded by acknowledgements of their own.
 */
function joinSockets(service: WebSocket): JoinedSockets {
  const { 0: client, 1: caller } = new WebSocketPair();
  handOn(service, caller);
  handOn(caller, service);
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  caller.addEventListener('close', () => resolve());
  for (const socket of [service, caller]) {
    socket.binaryType = 'arraybuffer';
    // Each side's close is relayed explicitly.
    socket.accept({ allowHalfOpen: true });
  }
  const close = (code: number, reason: string) => {
    for (const socket of [service, caller]) end(socket, code, reason);
  };
  return { client, close, closed };
}

function handOn(from: WebSocket, to: WebSocket): void {
  from.addEventListener('message', ({ data }) => {
    if (to.readyState === WebSocket.OPEN) to.send(data);
  });
  from.addEventListener('close', ({ code, reason }) => end(to, code, reason));
}

/** Closing a closed socket has no effect. */
function end(socket: WebSocket, code: number, reason: string): void {
  if (code === NO_CODE) socket.close();
  else if (isForSending(code)) socket.close(code, reason);
  else socket.close(BROKE_OFF, 'the other side broke off');
}

const isForSending = (code: number): boolean =>
  code >= 1000 && code < 5000 && !NOT_FOR_SENDING.includes(code);
