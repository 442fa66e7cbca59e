/** What a broker lets its clients do; what they all hold together must fit into one object's memory. */
export interface BrokerLimits {
  /** Of a packet with its header, once a client is known. */
  readonly packetBytes: number;
  /** Of what comes before that. */
  readonly connectBytes: number;
  /** How long a client may take until its CONNECT is there. */
  readonly connectMs: number;
  /** Connections and stored sessions, each. */
  readonly clients: number;
  readonly clientIdLength: number;
  readonly subscriptionsPerClient: number;
  /** Messages of quality of service 2 from one client that are not released yet. */
  readonly receiveMaximum: number;
  /** Messages to one client that are neither acknowledged nor of quality of service 0. */
  readonly queuedPerClient: number;
  /** Their payloads together. */
  readonly queuedBytesPerClient: number;
  readonly retained: number;
  readonly retainedBytes: number;
  /** The longest a session outlives its connection. */
  readonly sessionExpiryS: number;
  /** Topics of which a client is sent an alias at most, however many more it takes. */
  readonly topicAliases: number;
  /** What MQTT 5 clients are told that would be silent for longer. */
  readonly keepAliveS: number;
  /** Messages of quality of service 0 to a client since anything was last heard of it. */
  readonly unansweredBytes: number;
  readonly packetsPerSecond: number;
  readonly packetBurst: number;
}

const MIB = 1024 * 1024;

export const BROKER_LIMITS: BrokerLimits = {
  packetBytes: MIB,
  connectBytes: 32 * 1024,
  connectMs: 5_000,
  clients: 10_000,
  clientIdLength: 128,
  subscriptionsPerClient: 100,
  receiveMaximum: 64,
  queuedPerClient: 1000,
  queuedBytesPerClient: 2 * MIB,
  retained: 10_000,
  retainedBytes: 16 * MIB,
  sessionExpiryS: 24 * 3600,
  topicAliases: 32,
  keepAliveS: 60,
  unansweredBytes: 8 * MIB,
  packetsPerSecond: 200,
  packetBurst: 1000,
};
