import { BROKER_LIMITS } from './mqtt/ports.ts';
import { byToken } from '../access/identify.ts';
import { countFailure, type Presenter, presenterOf } from '../access/limits.ts';
import type { Env } from '../env.ts';
import type { Call } from '../http/call.ts';
import type { Caller } from '../http/caller.ts';
import { Problem } from '../http/problem.ts';
import { encodeConnack } from './contract/mqtt/codec.ts';
import type { ConnectPacket, ProtocolVersion } from './contract/mqtt/packet.ts';
import { MqttFault, protocolError, REASON, type Reason } from './contract/mqtt/reason.ts';
import { joinChunks, PacketSplitter } from './contract/mqtt/splitter.ts';
import { decodePacket, UnsupportedVersion } from './mqtt/decode.ts';
import { closeCodeOf } from './mqtt/session.ts';

/** The maximum number of unauthenticated sockets per isolate. */
const MAX_UNPROVEN = 1_000;
/** The assumed version until a CONNECT is decoded. */
const UNKNOWN_VERSION = 5;

let unproven = 0;

/** Opens the WebSocket of the broker's object. @throws Problem where the caller may not use it */
type OpenBroker = (caller: Caller) => Promise<Response>;

/**
 * Accepts a WebSocket without credentials, as plain MQTT programs open it: they are in its
 * CONNECT. No Durable Object is reached, let alone created, before they are verified here; from
 * then on bytes are relayed. A silent client is closed after `BROKER_LIMITS.connectMs`.
 *
 * @throws Problem overloaded while too many such sockets are open
 */
export function acceptUnauthenticated(call: Call<Env>, openBroker: OpenBroker): Response {
  if (unproven >= MAX_UNPROVEN) {
    throw new Problem(
      'overloaded',
      `${MAX_UNPROVEN} connections have not sent their CONNECT yet: try again in some seconds.`,
      { headers: { 'retry-after': String(Math.ceil(BROKER_LIMITS.connectMs / 1000)) } },
    );
  }
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  server.binaryType = 'arraybuffer';
  const relayed = new UnauthenticatedSocket(call, server, openBroker).relay();
  call.ctx.waitUntil(relayed);
  const headers = { 'sec-websocket-protocol': 'mqtt' };
  return new Response(null, { status: 101, headers, webSocket: client });
}

class UnauthenticatedSocket {
  readonly #call: Call<Env>;
  readonly #socket: WebSocket;
  readonly #openBroker: OpenBroker;
  readonly #splitter = new PacketSplitter(BROKER_LIMITS.connectBytes);
  /** All bytes received, to be passed to the broker unchanged. */
  readonly #received: Uint8Array[] = [];
  #receivedBytes = 0;
  #isRead = false;
  readonly #connect = Promise.withResolvers<ConnectPacket>();
  #version: ProtocolVersion = 4;
  #broker: WebSocket | undefined;

  constructor(call: Call<Env>, socket: WebSocket, openBroker: OpenBroker) {
    this.#call = call;
    this.#socket = socket;
    this.#openBroker = openBroker;
    socket.addEventListener('message', ({ data }) => this.#receive(data));
    socket.addEventListener('close', ({ code }) => this.#closed(code));
    socket.addEventListener('error', () => this.#closed(1006));
  }

  /** Ends once the broker has the connection, or it is closed. */
  async relay(): Promise<void> {
    unproven += 1;
    const late = setTimeout(
      () => this.#connect.reject(new MqttFault(REASON.notAuthorized, 'there was no CONNECT')),
      BROKER_LIMITS.connectMs,
    );
    try {
      const packet = await this.#connect.promise;
      this.#version = packet.version;
      const caller = await this.#callerOf(packet);
      if (!caller) return;
      const { webSocket, status } = await this.#openBroker(caller);
      if (!webSocket) throw new Error(`the broker answered ${status}`);
      this.#join(webSocket);
    } catch (error) {
      this.#fail(error);
    } finally {
      clearTimeout(late);
      unproven -= 1;
    }
  }

  #fail(error: unknown): void {
    if (error instanceof UnsupportedVersion) this.#refuse(error.level > 4 ? 5 : 4, error.reason);
    else if (error instanceof Problem) this.#turnAway(error);
    else if (error instanceof MqttFault) this.#close(closeCodeOf(error.reason), error.message);
    else this.#close(1011, 'the broker cannot be reached');
  }

  /** Refuses a caller whose broker may not be created, or belongs to another team. */
  #turnAway({ code, message }: Problem): void {
    const reason = code === 'forbidden' ? REASON.notAuthorized : REASON.quotaExceeded;
    this.#refuse(this.#version, reason, message);
  }

  /** Undefined where it was refused, in the way the broker refuses (MQTT-3.2.2-7). */
  async #callerOf({ password, version }: ConnectPacket): Promise<Caller | undefined> {
    const presenter = presenterOf(this.#call);
    try {
      if (password) return (await byToken(presenter, new TextDecoder().decode(password))).caller;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (isOneTooMany(presenter, error)) {
        this.#close(1008, 'too many credentials that do not hold came from this address');
        return undefined;
      }
    }
    this.#refuse(version, password ? REASON.badUserNameOrPassword : REASON.notAuthorized);
    return undefined;
  }

  #refuse(version: ProtocolVersion, reason: Reason, text?: string): void {
    const properties = text === undefined ? {} : { reasonString: text };
    this.#socket.send(encodeConnack({ sessionPresent: false, reason, properties }, version));
    this.#close(1008, text?.slice(0, 100) ?? `the CONNECT was refused with reason ${reason}`);
  }

  #receive(data: string | ArrayBuffer | Blob): void {
    if (!(data instanceof ArrayBuffer)) {
      this.#connect.reject(new MqttFault(REASON.malformedPacket, 'a text came, expected bytes'));
      return;
    }
    const bytes = new Uint8Array(data);
    if (this.#broker) this.#broker.send(bytes);
    else this.#keep(bytes);
  }

  /** Only the first packet is read here; the broker judges the rest. */
  #keep(bytes: Uint8Array): void {
    this.#received.push(bytes);
    this.#receivedBytes += bytes.length;
    try {
      if (this.#receivedBytes > BROKER_LIMITS.packetBytes)
        throw new MqttFault(REASON.quotaExceeded, 'too much came before the CONNACK');
      if (!this.#isRead) this.#splitter.push(bytes, (...packet) => this.#read(...packet));
    } catch (error) {
      this.#connect.reject(error);
    }
  }

  #read(first: number, body: Uint8Array): void {
    if (this.#isRead) return;
    this.#isRead = true;
    const packet = decodePacket(first, body, UNKNOWN_VERSION);
    if (packet.type !== 'connect')
      throw protocolError(`the first packet is ${packet.type.toUpperCase()}, expected CONNECT`);
    this.#connect.resolve(packet);
  }

  #join(broker: WebSocket): void {
    broker.accept();
    broker.binaryType = 'arraybuffer';
    this.#broker = broker;
    broker.addEventListener('message', ({ data }) => {
      if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(data as ArrayBuffer);
    });
    broker.addEventListener('close', ({ code, reason }) => this.#close(code, reason));
    broker.send(joinChunks(this.#received.splice(0)));
    if (this.#socket.readyState !== WebSocket.OPEN) closeQuietly(broker, 1000, '');
  }

  #closed(code: number): void {
    this.#connect.reject(new MqttFault(REASON.unspecified, 'the client has gone'));
    this.#close(code, '');
    if (this.#broker) closeQuietly(this.#broker, code, '');
  }

  #close(code: number, reason: string): void {
    closeQuietly(this.#socket, code, reason);
  }
}

function isOneTooMany(presenter: Presenter, refusal: Problem): boolean {
  if (refusal.code === 'rate_limited') return true;
  try {
    countFailure(presenter, refusal);
    return false;
  } catch {
    return true;
  }
}

/** Codes that only a runtime may report (RFC 6455, section 7.4.1) are sent as a normal close. */
function closeQuietly(socket: WebSocket, code: number, reason: string): void {
  const isReserved = code < 1000 || [1004, 1005, 1006, 1015].includes(code);
  try {
    socket.close(isReserved ? 1000 : code, reason);
  } catch {
    // It was closed already.
  }
}
