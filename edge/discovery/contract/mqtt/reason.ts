/** Reason codes of MQTT 5 (table 2-6). */
export const REASON = {
  success: 0x00,
  disconnectWithWill: 0x04,
  noMatchingSubscribers: 0x10,
  noSubscriptionExisted: 0x11,
  unspecified: 0x80,
  malformedPacket: 0x81,
  protocolError: 0x82,
  unsupportedProtocolVersion: 0x84,
  clientIdNotValid: 0x85,
  badUserNameOrPassword: 0x86,
  notAuthorized: 0x87,
  serverBusy: 0x89,
  badAuthenticationMethod: 0x8c,
  keepAliveTimeout: 0x8d,
  sessionTakenOver: 0x8e,
  topicFilterInvalid: 0x8f,
  topicNameInvalid: 0x90,
  packetIdentifierInUse: 0x91,
  packetIdentifierNotFound: 0x92,
  receiveMaximumExceeded: 0x93,
  topicAliasInvalid: 0x94,
  packetTooLarge: 0x95,
  messageRateTooHigh: 0x96,
  quotaExceeded: 0x97,
  connectionRateExceeded: 0x9f,
} as const;
export type Reason = (typeof REASON)[keyof typeof REASON];

/** Reason codes from here on are failures. */
export const FAILURE = 0x80;

/** MQTT 3.1.1, table 3.1: the return codes of a refused CONNECT. */
const RETURN_CODES: Readonly<Partial<Record<Reason, number>>> = {
  [REASON.success]: 0,
  [REASON.unsupportedProtocolVersion]: 1,
  [REASON.clientIdNotValid]: 2,
  [REASON.badUserNameOrPassword]: 4,
  [REASON.notAuthorized]: 5,
};
/** "Server unavailable", for reasons that 3.1.1 has no code for. */
const UNAVAILABLE = 3;

export const returnCodeOf = (reason: Reason): number => RETURN_CODES[reason] ?? UNAVAILABLE;

/** A fault that ends a connection: the reason code for its client, and a text for people. */
export class MqttFault extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, message: string) {
    super(message);
    this.name = 'MqttFault';
    this.reason = reason;
  }
}

export const malformed = (what: string): MqttFault => new MqttFault(REASON.malformedPacket, what);

export const protocolError = (what: string): MqttFault => new MqttFault(REASON.protocolError, what);
