import type { Reason } from './reason.ts';

export type Qos = 0 | 1 | 2;

/** MQTT 3.1.1 says 4 of itself, MQTT 5 says 5. */
export type ProtocolVersion = 4 | 5;

export type UserProperties = readonly (readonly [name: string, value: string])[];

/** Properties of MQTT 5 by name (table 2-4); intervals in seconds. */
export interface Properties {
  payloadFormatIndicator?: number;
  messageExpiryInterval?: number;
  contentType?: string;
  responseTopic?: string;
  correlationData?: Uint8Array;
  /** One in SUBSCRIBE; in PUBLISH one of each subscription that matched. */
  subscriptionIdentifiers?: readonly number[];
  sessionExpiryInterval?: number;
  assignedClientIdentifier?: string;
  serverKeepAlive?: number;
  authenticationMethod?: string;
  authenticationData?: Uint8Array;
  requestProblemInformation?: number;
  willDelayInterval?: number;
  requestResponseInformation?: number;
  responseInformation?: string;
  serverReference?: string;
  reasonString?: string;
  receiveMaximum?: number;
  topicAliasMaximum?: number;
  topicAlias?: number;
  maximumQos?: number;
  retainAvailable?: number;
  /** In the order in which they came. */
  userProperties?: UserProperties;
  maximumPacketSize?: number;
  wildcardSubscriptionAvailable?: number;
  subscriptionIdentifiersAvailable?: number;
  sharedSubscriptionAvailable?: number;
}

/** What subscribers are given of an application message. */
export interface Message {
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly qos: Qos;
  readonly retain: boolean;
  /** Of MQTT 5, as the publisher set them; without those that are between him and the broker. */
  readonly properties?: MessageProperties;
  /** Epoch milliseconds; it is not delivered from then on. */
  readonly expiresAt?: number;
}

/** Properties that go with a message from its publisher to its subscribers. */
export type MessageProperties = Readonly<
  Pick<
    Properties,
    | 'payloadFormatIndicator'
    | 'contentType'
    | 'responseTopic'
    | 'correlationData'
    | 'userProperties'
    | 'subscriptionIdentifiers'
  >
>;

export interface Will {
  readonly message: Message;
  readonly delayS: number;
  /** From its publication on. */
  readonly expiryS?: number;
}

export interface ConnectPacket {
  readonly type: 'connect';
  readonly version: ProtocolVersion;
  readonly cleanStart: boolean;
  /** 0: never. */
  readonly keepAliveS: number;
  readonly clientId: string;
  readonly will?: Will;
  readonly username?: string;
  readonly password?: Uint8Array;
  readonly properties: Properties;
}

export interface PublishPacket {
  readonly type: 'publish';
  readonly qos: Qos;
  readonly dup: boolean;
  readonly retain: boolean;
  readonly topic: string;
  /** 0 where the quality of service is 0. */
  readonly packetId: number;
  readonly properties: Properties | undefined;
  readonly payload: Uint8Array;
}

export type AckType = 'puback' | 'pubrec' | 'pubrel' | 'pubcomp';

export interface AckPacket {
  readonly type: AckType;
  readonly packetId: number;
  readonly reason: number;
}

export interface SubscriptionRequest {
  readonly filter: string;
  readonly qos: Qos;
  /** Not what the client published itself. */
  readonly noLocal: boolean;
  readonly retainAsPublished: boolean;
  /** 0: retained messages now; 1: only where the subscription is new; 2: none. */
  readonly retainHandling: 0 | 1 | 2;
}

export interface SubscribePacket {
  readonly type: 'subscribe';
  readonly packetId: number;
  readonly identifier: number | undefined;
  readonly requests: readonly SubscriptionRequest[];
}

export interface UnsubscribePacket {
  readonly type: 'unsubscribe';
  readonly packetId: number;
  readonly filters: readonly string[];
}

export interface DisconnectPacket {
  readonly type: 'disconnect';
  readonly reason: number;
  readonly sessionExpiryS: number | undefined;
}

/** What a client may send. */
export type ClientPacket =
  | ConnectPacket
  | PublishPacket
  | AckPacket
  | SubscribePacket
  | UnsubscribePacket
  | DisconnectPacket
  | { readonly type: 'pingreq' }
  | { readonly type: 'auth' };

/** What the broker answers a CONNECT with. */
export interface Connack {
  readonly sessionPresent: boolean;
  readonly reason: Reason;
  readonly properties?: Properties;
}
