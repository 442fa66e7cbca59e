/** A connection of a node to an MQTT broker, as far as nodes use it. */
export interface MessageLine {
  /** Resolves once the broker has the message; rejects where it refuses it. */
  publish(topic: string, payload: string | Uint8Array, options?: PublishOptions): Promise<void>;
  subscribe(filter: string, qos?: 0 | 1 | 2): Promise<void>;
  /**
   * Calls the listener for every message of the subscriptions, until the returned function is
   * called.
   */
  onMessage(listener: MessageListener): () => void;
  /** Calls the listener whenever the line is up: at once where it is, and at each reconnection. */
  onUp(listener: () => void): () => void;
  /** Disconnects cleanly: the broker does not publish the will. */
  end(): Promise<void>;
}

export interface PublishOptions {
  readonly qos?: 0 | 1 | 2;
  readonly retain?: boolean;
  /**
   * Where a reply is expected, and the correlation data that identifies it (MQTT 5, section 4.10).
   */
  readonly reply?: ReplyAddress;
  /** Marks a message as a reply. */
  readonly correlation?: Uint8Array;
}

/** The address for a reply, which carries the same correlation data. */
interface ReplyAddress {
  readonly topic: string;
  readonly correlation: Uint8Array;
}

/** The properties of a message besides its payload. */
export interface MessageFacts {
  readonly responseTopic?: string | undefined;
  readonly correlation?: Uint8Array | undefined;
}

export type MessageListener = (topic: string, payload: Uint8Array, facts: MessageFacts) => void;

/** The part of a packet of the package `mqtt` that a line reads. */
interface PacketLike {
  readonly properties?:
    | { readonly responseTopic?: string; readonly correlationData?: Uint8Array }
    | undefined;
}

interface PublishSettings {
  readonly qos: 0 | 1 | 2;
  readonly retain: boolean;
  readonly properties?: { responseTopic?: string; correlationData?: Uint8Array };
}

/** The part of a client of the package `mqtt` that a line needs, in Node and in browsers alike. */
interface MqttClientLike {
  readonly connected: boolean;
  publishAsync(topic: string, payload: string, options: PublishSettings): Promise<unknown>;
  subscribeAsync(filter: string, options: { readonly qos: 0 | 1 | 2 }): Promise<unknown>;
  endAsync(): Promise<unknown>;
  on(
    event: 'message',
    listener: (topic: string, payload: Uint8Array, packet: PacketLike) => void,
  ): unknown;
  on(event: 'connect', listener: () => void): unknown;
  removeListener(event: string, listener: (...args: never[]) => void): unknown;
}

/** A line over a connected client. */
export function mqttLine(client: MqttClientLike): MessageLine {
  return {
    async publish(topic, payload, { qos = 0, retain = false, ...request } = {}) {
      const properties = propertiesOf(request);
      // The client's payload type is Node's; it accepts any bytes.
      await client.publishAsync(topic, payload as string, {
        qos,
        retain,
        ...(properties && { properties }),
      });
    },
    async subscribe(filter, qos = 0) {
      await client.subscribeAsync(filter, { qos });
    },
    onMessage(listener) {
      const listen = (topic: string, payload: Uint8Array, { properties }: PacketLike) => {
        const { responseTopic, correlationData: correlation } = properties ?? {};
        listener(topic, payload, { responseTopic, correlation });
      };
      client.on('message', listen);
      return () => void client.removeListener('message', listen);
    },
    onUp(listener) {
      client.on('connect', listener);
      if (client.connected) listener();
      return () => void client.removeListener('connect', listener);
    },
    async end() {
      await client.endAsync();
    },
  };
}

function propertiesOf({ reply, correlation }: PublishOptions): PublishSettings['properties'] {
  if (reply) return { responseTopic: reply.topic, correlationData: reply.correlation };
  return correlation && { correlationData: correlation };
}
