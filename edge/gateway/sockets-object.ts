import { DurableObject, RpcTarget } from 'cloudflare:workers';
import { accessOf } from '../access/access-stub.ts';
import type { Env } from '../env.ts';
import { type JoinedSockets, joinSockets } from './join-sockets.ts';
import { outboundTo } from './outbound.ts';
import {
  callerIn,
  fullAnswer,
  type HeldResult,
  SOCKET_CALLER,
  socketRefusal,
  type StreamCounter,
} from './socket-holder.ts';
import { type Caller, hasEnded } from '../http/caller.ts';
import { holderOf, Tally } from '../http/ownership.ts';

/** How often the callers' credentials are looked at again. */
const CHECK_EVERY_MS = 3_000;
/** What a client learns with this code: its credentials have ended, with new ones it may come again. */
const CREDENTIALS_ENDED = 4401;

/** One of the WebSockets that may be open at once; `joined` once it is. */
interface Place {
  readonly caller: Caller;
  joined?: JoinedSockets;
}

/** Counts a stream for as long as the isolate that sends it keeps this: if that dies, it is let go. */
class HeldStream extends RpcTarget {
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
 * The WebSockets of one team to services outside of the Worker, and the count of the streams of events
 * that it follows. It holds the sockets itself, so their count is right whatever happens: if it dies,
 * they die with it.
 */
export class Sockets extends DurableObject<Env> implements StreamCounter {
  readonly #places = new Set<Place>();
  /** Sockets and streams, by who opened them. */
  readonly #open = new Tally();
  #isChecking = false;

  /** Sends an upgrade on to the address it names. */
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

  /** Counts a stream of events, or says what there is where that is too much. */
  hold(caller: Caller): HeldResult {
    const owner = holderOf(caller);
    const used = this.#open.usedBy(owner);
    if (socketRefusal(caller, used, this.env.QUOTAS)) return { kind: 'full', used };
    this.#open.add(owner);
    let isHeld = true;
    const stream = new HeldStream(() => {
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
      const live = await this.#areLive(places);
      for (const [i, { joined }] of places.entries()) {
        if (!live[i]) joined?.close(CREDENTIALS_ENDED, 'the credentials have ended');
      }
    }
    this.#isChecking = false;
  }

  /** Where the Access object is silent, only their time says. */
  async #areLive(places: readonly Place[]): Promise<readonly boolean[]> {
    const callers = places.map(({ caller }) => caller);
    try {
      return await accessOf(this.env).areLive(callers);
    } catch (error) {
      const text = String(error);
      console.warn(JSON.stringify({ level: 'warn', event: 'sockets_not_checked', text }));
      return callers.map((caller) => !hasEnded(caller, Date.now()));
    }
  }
}

/** Sends a request on, until the gateway gives it up. */
async function sendOn(
  { url, headers: sent, signal: givenUp }: Request,
  env: Env,
): Promise<Response> {
  const headers = new Headers(sent);
  headers.delete(SOCKET_CALLER);
  // By hand: the runtime takes the signal of a request, and does not act on it.
  const stop = new AbortController();
  const giveUp = () => stop.abort();
  givenUp.addEventListener('abort', giveUp);
  try {
    return await outboundTo(env, url)(url, { headers, redirect: 'manual', signal: stop.signal });
  } finally {
    givenUp.removeEventListener('abort', giveUp);
  }
}
