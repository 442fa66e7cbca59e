import type { Caller } from '../../http/caller.ts';
import { type Bucket, type BucketPolicy, takeToken } from '../../http/token-bucket.ts';
import { encodeDisconnect, PINGRESP, type TopicAlias } from '../contract/mqtt/encode.ts';
import type { ProtocolVersion, Will } from '../contract/mqtt/packet.ts';
import { type MqttFault, REASON } from '../contract/mqtt/reason.ts';
import type { Session } from './session.ts';
import { PacketSplitter } from '../contract/mqtt/splitter.ts';

/** A network connection, as the broker sees it. */
export interface Link {
  send(bytes: Uint8Array): void;
  close(code: number, reason: string): void;
  /** Keeps something beside the connection, for when the broker is taken out of memory. */
  keep(kept: KeptConnection | undefined): void;
}

/** What a connection needs to go on after the broker was taken out of memory. */
export interface KeptConnection {
  readonly clientId: string;
  readonly caller: Caller;
  readonly version: ProtocolVersion;
  readonly keepAliveS: number;
  readonly expiryS: number;
  /** Of the client's. */
  readonly receiveMaximum: number;
  readonly maximumPacketSize: number;
  /** How many aliases of topics it is sent; what was kept by an earlier release does not say. */
  readonly topicAliasMaximum?: number | undefined;
  readonly will: Will | undefined;
  readonly openedAt: number;
  /** The begin of a packet; `lost` where it is too long to be kept. */
  readonly rest: Uint8Array | 'lost' | undefined;
}

/** What a client said of itself when it connected. */
export type Opened = Pick<
  KeptConnection,
  'caller' | 'version' | 'keepAliveS' | 'receiveMaximum' | 'maximumPacketSize' | 'topicAliasMaximum'
>;

/** A message as one client is sent it. */
export interface EncodedMessage {
  readonly bytes: Uint8Array;
  readonly topic: string;
  readonly alias: TopicAlias | undefined;
}

const KEPT_REST_BYTES = 600;
/** A client may be silent for one and a half times its keep alive (MQTT-3.1.2-22). */
const GRACE = 1.5;

/** Codes of RFC 6455, and our own for credentials that ended. */
const CLOSED = { normal: 1000, protocol: 1002, policy: 1008, tooLarge: 1009 } as const;

/** One client's connection, from its first byte on. */
export class Connection {
  readonly link: Link;
  readonly splitter: PacketSplitter;
  readonly openedAt: number;
  /** Set once its CONNECT was accepted. */
  opened: Opened | undefined;
  session: Session | undefined;
  /** Packets that came while it was looked up who sends them. */
  waiting: { readonly first: number; readonly body: Uint8Array }[] | undefined;
  isOpen = true;
  lastHeardAt: number;
  /** Bytes of quality of service 0 sent since. */
  unansweredBytes = 0;
  /** Where its node's heartbeats go: the topic of nearly all that it publishes. */
  heartbeatTopic = '';
  /** By topic. After an eviction they are told anew, which the standard lets a sender do. */
  readonly #aliases = new Map<string, number>();
  #bucket: Bucket | undefined;
  #keepsRest = false;

  constructor(
    link: Link,
    { maxBytes, now, rest }: { maxBytes: number; now: number; rest?: Uint8Array },
  ) {
    this.link = link;
    this.openedAt = now;
    this.lastHeardAt = now;
    this.splitter = new PacketSplitter(maxBytes, rest);
  }

  get version(): ProtocolVersion {
    return this.opened?.version ?? 4;
  }

  /** When it counts as broken unless something is heard of it; Infinity: never. */
  get silentUntil(): number {
    const { keepAliveS = 0 } = this.opened ?? {};
    return keepAliveS === 0 ? Infinity : this.lastHeardAt + keepAliveS * 1000 * GRACE;
  }

  /** Counts a packet. @returns false for one too many */
  take(policy: BucketPolicy, now: number): boolean {
    const { isAllowed, bucket } = takeToken(this.#bucket, policy, now);
    this.#bucket = bucket;
    return isAllowed;
  }

  /** @returns whether it was sent: a client gets no packet larger than it takes (MQTT-3.1.2-24) */
  send(bytes: Uint8Array): boolean {
    if (!this.isOpen || bytes.length > (this.opened?.maximumPacketSize ?? Infinity)) return false;
    this.link.send(bytes);
    return true;
  }

  /** The alias that a topic goes by, or is to go by from now on; undefined where it has none (MQTT-3.1.2-26, 3.1.2-27). */
  aliasOf(topic: string): TopicAlias | undefined {
    const known = this.#aliases.get(topic);
    if (known !== undefined) return { value: known, isNew: false };
    const value = this.#aliases.size + 1;
    return value <= (this.opened?.topicAliasMaximum ?? 0) ? { value, isNew: true } : undefined;
  }

  /** Sends a message; its alias holds once its topic is on its way. */
  sendMessage({ bytes, topic, alias }: EncodedMessage): void {
    if (this.send(bytes) && alias) this.#aliases.set(topic, alias.value);
  }

  answerPing(): void {
    this.send(PINGRESP);
  }

  /** Ends it: an MQTT 5 client is told why (MQTT-4.13.2-1), others see it close. */
  fail({ reason, message }: Pick<MqttFault, 'reason' | 'message'>): void {
    if (!this.isOpen) return;
    if (this.opened?.version === 5) this.send(encodeDisconnect(reason, message.slice(0, 200)));
    this.close(closeCodeOf(reason), message);
  }

  close(code: number = CLOSED.normal, reason = ''): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.link.keep(undefined);
    this.link.close(code, reason.slice(0, 100));
  }

  /** Keeps beside the link what it needs to go on. */
  keep(): void {
    if (!this.opened || !this.session || !this.isOpen) return;
    const { rest } = this.splitter;
    this.#keepsRest = rest.length > 0;
    const { clientId, expiryS, will, keepsWillAside } = this.session;
    this.link.keep({
      ...this.opened,
      clientId,
      expiryS,
      will: keepsWillAside ? will : undefined,
      openedAt: this.openedAt,
      rest: rest.length === 0 ? undefined : rest.length > KEPT_REST_BYTES ? 'lost' : rest.slice(),
    });
  }

  /** After each chunk: half a packet is kept, and no longer once it is whole. */
  keepRest(): void {
    if (this.#keepsRest || !this.splitter.isBetweenPackets) this.keep();
  }
}

export function closeCodeOf(reason: number): number {
  switch (reason) {
    case REASON.packetTooLarge:
      return CLOSED.tooLarge;
    case REASON.malformedPacket:
    case REASON.protocolError:
      return CLOSED.protocol;
    case REASON.sessionTakenOver:
    case REASON.keepAliveTimeout:
      return CLOSED.normal;
    default:
      return CLOSED.policy;
  }
}
