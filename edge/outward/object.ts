import { DurableObject } from 'cloudflare:workers';
import { areLive } from '../access/live-credentials.ts';
import { CONNECTION_CLOSE, PING, PONG, SILENCE_MS } from './contract/connection.ts';
import { FrameFault, readFrame, writeFrame } from './contract/frames.ts';
import type { Env } from '../env.ts';
import {
  CONNECT_HOST,
  CONNECTION_STATE,
  type ConnectionState,
  connectingIn,
  type Connecting,
} from './connected-stub.ts';
import { gatewayOf } from '../gateway/gateway-stub.ts';
import { OutwardClient } from './outward-client.ts';
import { rawPathOf } from '../http/safe-path.ts';
import type { NewConnected } from './connected-table.ts';

/** How often the key and the service's pings are checked. */
const CHECK_EVERY_MS = 2_500;
/** How often the instance is renewed in the gateway's table. */
const RENEW_EVERY_MS = 30_000;

/** Persisted with a socket while the object hibernates. */
interface Attachment extends Connecting {
  readonly openedAt: number;
  readonly renewedAt: number;
  /** Whether it is already removed from the gateway's table. */
  readonly isLeaving: boolean;
}

/**
 * One instance of a service that connected outwards: holds its WebSocket, and sends it the
 * gateway's requests.
 *
 * The socket survives hibernation; requests do not: none is in flight then. If the object dies
 * with some, they fail, and the service is notified to drop them.
 */
export class ConnectedService extends DurableObject<Env> {
  readonly #requests = new Map<WebSocket, OutwardClient>();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
  }

  override fetch(request: Request): Response | Promise<Response> {
    const isOpening = new URL(request.url).host === CONNECT_HOST;
    return isOpening ? this.#open(connectingIn(request.headers)) : this.#ask(request);
  }

  /** One socket per object: with two, the runtime was seen to crash when one closed. */
  async #open(connecting: Connecting): Promise<Response> {
    const isTaken = () => this.ctx.getWebSockets().length > 0;
    if (isTaken()) return refusal('taken');
    if ((await gatewayOf(this.env).join(placeOf(connecting))) === 'full') return refusal('full');
    if (isTaken()) return refusal('taken');
    const { 0: client, 1: server } = new WebSocketPair();
    const now = Date.now();
    this.ctx.acceptWebSocket(server);
    keep(server, { ...connecting, openedAt: now, renewedAt: now, isLeaving: false });
    this.#requests.set(server, requestsOver(server));
    await this.ctx.storage.setAlarm(now + CHECK_EVERY_MS);
    return new Response(null, { status: 101, webSocket: client });
  }

  async #ask(request: Request): Promise<Response> {
    const socket = this.#socket();
    if (!socket) return refusal('gone');
    const requests = this.#requestsOf(socket);
    if (requests.isFull) return refusal('busy');
    const { search } = new URL(request.url);
    try {
      const { response, over } = requests.ask(request, rawPathOf(request.url) + search);
      this.ctx.waitUntil(over);
      return await response;
    } catch (error) {
      return refusal(error instanceof FrameFault ? 'headers' : 'broke');
    }
  }

  override webSocketMessage(socket: WebSocket, data: ArrayBuffer | string): void | Promise<void> {
    if (typeof data === 'string') return this.#misbehaved(socket, 'a text came, expected a frame');
    const bytes = new Uint8Array(data);
    try {
      if (isGoaway(bytes)) return this.#leave(socket);
      this.#requestsOf(socket).receive(bytes);
    } catch (error) {
      if (!(error instanceof FrameFault)) throw error;
      return this.#misbehaved(socket, error.message);
    }
    return undefined;
  }

  override async webSocketClose(socket: WebSocket): Promise<void> {
    this.#close(socket, CONNECTION_CLOSE.done, '');
    await this.#left(attachmentOf(socket));
  }

  override webSocketError(socket: WebSocket): Promise<void> {
    return this.webSocketClose(socket);
  }

  /** Closes the connection where necessary, and keeps the gateway's table up to date. */
  override async alarm(): Promise<void> {
    const socket = this.#socket();
    if (!socket) return;
    try {
      await this.#check(socket);
    } finally {
      if (this.#socket()) await this.ctx.storage.setAlarm(Date.now() + CHECK_EVERY_MS);
    }
  }

  async #check(socket: WebSocket): Promise<void> {
    const attachment = attachmentOf(socket);
    const { caller, openedAt, renewedAt, isLeaving } = attachment;
    const [isLive] = await areLive(this.env, [caller]);
    if (!isLive) {
      this.#close(socket, CONNECTION_CLOSE.credentialsEnded, 'the credentials have ended');
      return this.#left(attachment);
    }
    const now = Date.now();
    const heardAt = this.ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? openedAt;
    if (now - heardAt > SILENCE_MS) {
      this.#close(socket, CONNECTION_CLOSE.silent, 'nothing was heard of the service');
      return this.#left(attachment);
    }
    if (isLeaving || now - renewedAt < RENEW_EVERY_MS) return undefined;
    await gatewayOf(this.env).join(placeOf(attachment));
    keep(socket, { ...attachment, renewedAt: now });
    return undefined;
  }

  /** Requests are still accepted until all gateways know that it leaves. */
  #leave(socket: WebSocket): Promise<void> {
    const attachment = attachmentOf(socket);
    keep(socket, { ...attachment, isLeaving: true });
    return this.#left(attachment);
  }

  #left({ service, instance }: Attachment): Promise<void> {
    return gatewayOf(this.env).leave({ service, instance });
  }

  async #misbehaved(socket: WebSocket, why: string): Promise<void> {
    this.#close(socket, CONNECTION_CLOSE.misbehaved, why.slice(0, 100));
    await this.#left(attachmentOf(socket));
  }

  #close(socket: WebSocket, code: number, reason: string): void {
    this.#requests.get(socket)?.fail(new Error('the connection is gone'));
    this.#requests.delete(socket);
    keep(socket, { ...attachmentOf(socket), isLeaving: true });
    if (socket.readyState < WebSocket.CLOSING) socket.close(code, reason);
    else if (socket.readyState === WebSocket.CLOSING) socket.close();
  }

  #socket(): WebSocket | undefined {
    return this.ctx.getWebSockets().findLast(({ readyState }) => readyState === WebSocket.OPEN);
  }

  /** Requests from before hibernation or a crash are no longer in flight. */
  #requestsOf(socket: WebSocket): OutwardClient {
    const known = this.#requests.get(socket);
    if (known) return known;
    socket.send(writeFrame('restart', 0));
    const requests = requestsOver(socket);
    this.#requests.set(socket, requests);
    return requests;
  }
}

const placeOf = ({ service, instance, version, tags }: Connecting): NewConnected => ({
  service,
  instance,
  version,
  tags,
});

const requestsOver = (socket: WebSocket): OutwardClient =>
  new OutwardClient((frame) => socket.send(frame));

const isGoaway = (bytes: Uint8Array<ArrayBuffer>) => readFrame(bytes).kind === 'goaway';

const attachmentOf = (socket: WebSocket): Attachment => socket.deserializeAttachment();

const keep = (socket: WebSocket, attachment: Attachment): void =>
  socket.serializeAttachment(attachment);

const refusal = (state: ConnectionState): Response =>
  new Response(null, { status: 503, headers: { [CONNECTION_STATE]: state } });
