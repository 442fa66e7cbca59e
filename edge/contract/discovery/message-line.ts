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
}

export type MessageListener = (topic: string, payload: Uint8Array) => void;

/** As much of a client of the package `mqtt` as a line needs, in Node and in a page alike. */
export interface MqttClientLike {
  readonly connected: boolean;
  publishAsync(topic: string, payload: string, options: PublishOptions): Promise<unknown>;
  subscribeAsync(filter: string, options: { readonly qos: 0 | 1 | 2 }): Promise<unknown>;
  endAsync(): Promise<unknown>;
  on(event: 'message', listener: (topic: string, payload: Uint8Array) => void): unknown;
  on(event: 'connect', listener: () => void): unknown;
  removeListener(event: string, listener: (...args: never[]) => void): unknown;
}

/** A line over a client that was connected with `nodeConnection`'s options, or others. */
export function mqttLine(client: MqttClientLike): MessageLine {
  return {
    async publish(topic, payload, { qos = 0, retain = false } = {}) {
      // The client's own type of a payload is Node's; it takes any bytes.
      await client.publishAsync(topic, payload as string, { qos, retain });
    },
    async subscribe(filter, qos = 0) {
      await client.subscribeAsync(filter, { qos });
    },
    onMessage(listener) {
      client.on('message', listener);
      return () => void client.removeListener('message', listener);
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
