/** What the nodes of a brain talk over: a broker of MQTT, as far as they use it. */
export interface MessageLine {
  /** Resolves once the broker has it; rejects where it refuses. */
  publish(topic: string, payload: string | Uint8Array, options?: PublishOptions): Promise<void>;
  subscribe(filter: string, qos?: 0 | 1 | 2): Promise<void>;
  /** Told of every message of what is subscribed to, until the returned function is called. */
  onMessage(listener: MessageListener): () => void;
  /** Told whenever the line is up: at once where it is, and each time it comes back. */
  onUp(listener: () => void): () => void;
  /** Ends it in peace: the broker does not send the will. */
  end(): Promise<void>;
}

export interface PublishOptions {
  readonly qos?: 0 | 1 | 2;
  readonly retain?: boolean;
  /** Where an answer is expected, and what it is told apart by (MQTT 5, section 4.10). */
  readonly reply?: ReplyAddress;
  /** Makes an answer of a message. */
  readonly correlation?: Uint8Array;
}

/** Of a request: the answer carries the same correlation data. */
export interface ReplyAddress {
  readonly topic: string;
  readonly correlation: Uint8Array;
}

/** What a message carries beside its payload. */
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

/** As much of a client of the package `mqtt` as a line needs, in Node and in a page alike. */
export interface MqttClientLike {
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

/** A line over a client that was connected with `nodeConnection`'s options, or others. */
export function mqttLine(client: MqttClientLike): MessageLine {
  return {
    async publish(topic, payload, { qos = 0, retain = false, ...request } = {}) {
      const properties = propertiesOf(request);
      // The client's own type of a payload is Node's; it takes any bytes.
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
