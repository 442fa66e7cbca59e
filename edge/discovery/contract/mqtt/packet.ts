import type { Reason } from './reason.ts';

export type Qos = 0 | 1 | 2;

/** The protocol level: 4 for MQTT 3.1.1, 5 for MQTT 5. */
export type ProtocolVersion = 4 | 5;

type UserProperties = readonly (readonly [name: string, value: string])[];

/** Properties of MQTT 5 by name (table 2-4); intervals in seconds. */
export interface Properties {
  payloadFormatIndicator?: number;
  messageExpiryInterval?: number;
  contentType?: string;
  responseTopic?: string;
  correlationData?: Uint8Array;
  /** One in SUBSCRIBE; in PUBLISH one for each matching subscription. */
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
  /** In order of arrival. */
  userProperties?: UserProperties;
  maximumPacketSize?: number;
  wildcardSubscriptionAvailable?: number;
  subscriptionIdentifiersAvailable?: number;
  sharedSubscriptionAvailable?: number;
}

/** An application message, as subscribers receive it. */
export interface Message {
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly qos: Qos;
  readonly retain: boolean;
  /** The end-to-end properties of MQTT 5, as the publisher set them. */
  readonly properties?: MessageProperties;
  /** Epoch milliseconds; not delivered from then on. */
  readonly expiresAt?: number;
}

/** Properties that a message carries from its publisher to its subscribers. */
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
  /** In seconds, from its publication. */
  readonly expiryS?: number;
}

export interface ConnectPacket {
  readonly type: 'connect';
  readonly version: ProtocolVersion;
  readonly cleanStart: boolean;
  /** 0 for no limit. */
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
  /** 0 for quality of service 0. */
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
  /** Without the client's own messages. */
  readonly noLocal: boolean;
  readonly retainAsPublished: boolean;
  /** Retained messages: 0 now, 1 only for a new subscription, 2 never. */
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

/** A packet of a client. */
export type ClientPacket =
  | ConnectPacket
  | PublishPacket
  | AckPacket
  | SubscribePacket
  | UnsubscribePacket
  | DisconnectPacket
  | { readonly type: 'pingreq' }
  | { readonly type: 'auth' };

/** The broker's response to a CONNECT. */
export interface Connack {
  readonly sessionPresent: boolean;
  readonly reason: Reason;
  readonly properties?: Properties;
}
