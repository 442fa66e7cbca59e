import { closeSocket } from '../../../contract/close-socket.ts';
import type { MessageLine, MessageListener, PublishOptions } from '../message-line.ts';
import type { MqttOptions } from '../node-connection.ts';
import {
  type BrokerPacket,
  decodeBrokerPacket,
  encodeConnect,
  encodeSubscribe,
  PINGREQ,
} from './client-codec.ts';
import { encodeAck, encodeDisconnect, encodePublish } from './codec.ts';
import type { MessageProperties, PublishPacket, Qos } from './packet.ts';
import { FAILURE, REASON } from './reason.ts';
import { PacketSplitter } from './splitter.ts';

/** The part of a WebSocket that a line uses. */
type Socket = Pick<WebSocket, 'binaryType' | 'readyState' | 'close' | 'send' | 'addEventListener'>;

type OpenSocket = (url: string) => Socket;

const VERSION = 5;
const PROTOCOL_ERROR = 4002;
/** The maximum packet size of our broker. */
const PACKET_BYTES = 1024 * 1024;
const MAX_PACKET_ID = 0xffff;

/** A packet that the broker has to acknowledge. */
interface Unacknowledged {
  readonly packet: Uint8Array;
  readonly what: string;
  readonly done: PromiseWithResolvers<void>;
}

/**
 * Connects to an MQTT 5 broker over a WebSocket: with quality of service 0 and 1, and a clean
 * session. The line reconnects by itself, subscribes again, and resends what was not
 * acknowledged.
 *
 * @throws Error where the first connection fails
 */
export async function connectLine(
  url: string,
  options: MqttOptions,
  openSocket: OpenSocket = (address) => new WebSocket(address, 'mqtt'),
): Promise<MessageLine> {
  const line = new SocketLine(url, options, openSocket);
  await line.connected;
  return line;
}

class SocketLine implements MessageLine {
  readonly #url: string;
  readonly #options: MqttOptions;
  readonly #openSocket: OpenSocket;
  readonly #first = Promise.withResolvers<void>();
  readonly #listeners = new Set<MessageListener>();
  readonly #upListeners = new Set<() => void>();
  readonly #subscriptions = new Map<string, Qos>();
  readonly #unacknowledged = new Map<number, Unacknowledged>();
  #socket: Socket;
  #state: 'connecting' | 'up' | 'down' | 'ended' = 'connecting';
  #packetId = 0;
  #isHeard = true;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(url: string, options: MqttOptions, openSocket: OpenSocket) {
    this.#url = url;
    this.#options = options;
    this.#openSocket = openSocket;
    this.#socket = this.#open();
  }

  get connected(): Promise<void> {
    return this.#first.promise;
  }

  /** Quality of service 2 is sent as 1. Messages of 0 are rejected while the line is down. */
  async publish(topic: string, payload: string | Uint8Array, options: PublishOptions = {}) {
    const { qos = 0, retain = false } = options;
    const bytes = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload;
    const message = { topic, payload: bytes, qos, retain, properties: propertiesOf(options) };
    const how = { version: VERSION, retain, now: Date.now() } as const;
    if (qos === 0) {
      if (this.#state !== 'up') throw new Error(`the line to ${this.#url} is down`);
      this.#socket.send(bytesToSend(encodePublish(message, { ...how, qos })));
      return;
    }
    await this.#sendSurely(topic, (packetId) =>
      encodePublish(message, { ...how, qos: 1, packetId }),
    );
  }

  async subscribe(filter: string, qos: Qos = 0): Promise<void> {
    const asked = qos === 0 ? 0 : 1;
    await this.#sendSurely(filter, (packetId) => encodeSubscribe(packetId, filter, asked));
    this.#subscriptions.set(filter, asked);
  }

  onMessage(listener: MessageListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  onUp(listener: () => void): () => void {
    this.#upListeners.add(listener);
    if (this.#state === 'up') listener();
    return () => this.#upListeners.delete(listener);
  }

  async end(): Promise<void> {
    const wasUp = this.#state === 'up';
    this.#state = 'ended';
    clearTimeout(this.#timer);
    if (wasUp) this.#socket.send(bytesToSend(encodeDisconnect(REASON.success)));
    closeSocket(this.#socket, 1000);
    for (const { what, done } of this.#unacknowledged.values()) {
      done.reject(new Error(`${what}: the line was ended`));
    }
    this.#unacknowledged.clear();
  }

  #open(): Socket {
    const { clientId, keepalive, connectTimeout, username, password, will } = this.#options;
    const socket = this.#openSocket(this.#url);
    socket.binaryType = 'arraybuffer';
    const message = will && { ...will, payload: new TextEncoder().encode(will.payload) };
    const hello = encodeConnect({
      clientId,
      username,
      password,
      keepAliveS: keepalive,
      ...(message && { will: { message } }),
    });
    const splitter = new PacketSplitter(PACKET_BYTES);
    socket.addEventListener('open', () => {
      if (this.#state !== 'ended') socket.send(bytesToSend(hello));
    });
    socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
      this.#isHeard = true;
      try {
        splitter.push(new Uint8Array(data), (first, body) =>
          this.#take(decodeBrokerPacket(first, body)),
        );
      } catch {
        socket.close(PROTOCOL_ERROR);
      }
    });
    socket.addEventListener('close', () => this.#closed(socket));
    this.#timer = setTimeout(() => socket.close(), connectTimeout);
    return socket;
  }

  #take(packet: BrokerPacket): void {
    switch (packet.type) {
      case 'connack':
        this.#answered(packet);
        return;
      case 'publish':
        this.#receive(packet);
        return;
      case 'puback':
        this.#acknowledged(packet.packetId, packet.reason);
        return;
      case 'suback':
        this.#acknowledged(packet.packetId, packet.reasons[0] ?? REASON.unspecified);
        return;
      case 'disconnect':
        this.#socket.close();
    }
  }

  #answered({ reason, properties }: Extract<BrokerPacket, { type: 'connack' }>): void {
    if (this.#state === 'ended') return;
    if (reason >= FAILURE) {
      this.#first.reject(
        new Error(`${this.#url} refused ${this.#options.clientId}: ${nameOf(reason)}`),
      );
      this.#socket.close();
      return;
    }
    this.#state = 'up';
    clearTimeout(this.#timer);
    this.#keepAlive(properties.serverKeepAlive ?? this.#options.keepalive);
    this.#first.resolve();
    for (const { packet } of this.#unacknowledged.values()) this.#socket.send(bytesToSend(packet));
    for (const [filter, qos] of this.#subscriptions) {
      // It was granted before; should it be refused now, this client no longer receives these
      // messages.
      this.#sendSurely(filter, (id) => encodeSubscribe(id, filter, qos)).catch(() => undefined);
    }
    for (const listener of this.#upListeners) listener();
  }

  #receive({ topic, payload, qos, packetId, properties = {} }: PublishPacket): void {
    if (qos > 0) {
      const ack = encodeAck('puback', packetId, { version: VERSION });
      this.#socket.send(bytesToSend(ack));
    }
    const { responseTopic, correlationData } = properties;
    // The bytes belong to a message of the socket, which nobody else reads.
    for (const listener of this.#listeners) {
      listener(topic, payload, { responseTopic, correlation: correlationData });
    }
  }

  /**
   * Sends a packet that has to be acknowledged, now or once the line is up. @throws where the
   * broker refuses it
   */
  #sendSurely(what: string, packetOf: (packetId: number) => Uint8Array): Promise<void> {
    if (this.#state === 'ended') return Promise.reject(new Error(`${what}: the line was ended`));
    do {
      this.#packetId = (this.#packetId % MAX_PACKET_ID) + 1;
    } while (this.#unacknowledged.has(this.#packetId));
    const packet = packetOf(this.#packetId);
    const done = Promise.withResolvers<void>();
    this.#unacknowledged.set(this.#packetId, { packet, what, done });
    if (this.#state === 'up') this.#socket.send(bytesToSend(packet));
    return done.promise;
  }

  #acknowledged(packetId: number, reason: number): void {
    const { what, done } = this.#unacknowledged.get(packetId) ?? {};
    this.#unacknowledged.delete(packetId);
    if (reason >= FAILURE) done?.reject(new Error(`${what}: ${nameOf(reason)}`));
    else done?.resolve();
  }

  /** A broker that sends nothing for a whole interval, despite a ping, is gone. */
  #keepAlive(keepAliveS: number): void {
    if (keepAliveS === 0) return;
    this.#timer = setTimeout(() => {
      if (!this.#isHeard) return this.#socket.close();
      this.#isHeard = false;
      this.#socket.send(bytesToSend(PINGREQ));
      this.#keepAlive(keepAliveS);
    }, keepAliveS * 500);
  }

  #closed(socket: Socket): void {
    if (socket !== this.#socket || this.#state === 'ended') return;
    clearTimeout(this.#timer);
    if (this.#state === 'connecting') {
      this.#state = 'ended';
      this.#first.reject(new Error(`no connection to ${this.#url}, or no credentials that hold`));
      return;
    }
    this.#state = 'down';
    this.#isHeard = true;
    this.#timer = setTimeout(() => {
      this.#socket = this.#open();
    }, this.#options.reconnectPeriod);
  }
}

/** None of our buffers is shared, which is all that the type of `send` excludes. */
const bytesToSend = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes as Uint8Array<ArrayBuffer>;

function propertiesOf({ reply, correlation }: PublishOptions): MessageProperties {
  if (reply) return { responseTopic: reply.topic, correlationData: reply.correlation };
  return correlation ? { correlationData: correlation } : {};
}

/** A reason code by its name in table 2-4 of the standard, such as `not authorized (0x87)`. */
function nameOf(reason: number): string {
  const [name = 'a reason of its own'] =
    Object.entries(REASON).find(([, code]) => code === reason) ?? [];
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words} (0x${reason.toString(16)})`;
}
