import type {
  BrokerStore,
  RetainedMessage,
  SessionRow,
  Stored,
  Subscription,
} from './mqtt/ports.ts';
import type { Delivery } from './mqtt/outbound.ts';
import type { Message } from './contract/mqtt/packet.ts';
import { TableStore } from '../storage/table-store.ts';

type Row = Readonly<Record<string, SqlStorageValue>>;

/**
 * The broker's state in the object's SQL. Every turn that writes costs a disk sync, so what no
 * client was promised is deferred: retained messages of quality of service 0 are written with the
 * next `flush`.
 */
export class MqttStore extends TableStore implements BrokerStore {
  readonly #waiting = new Map<string, RetainedMessage>();
  readonly #onWaiting: () => void;

  /** @param onWaiting called when a write is deferred */
  constructor(sql: SqlStorage, onWaiting: () => void = () => {}) {
    super(sql);
    this.#onWaiting = onWaiting;
  }

  /** Writes what was deferred. */
  flush(): void {
    for (const message of this.#waiting.values()) this.#writeRetained(message);
    this.#waiting.clear();
  }

  load(): Stored {
    return {
      sessions: this.#rows('mqtt_sessions').map(({ session }) => unpack<SessionRow>(session)),
      subscriptions: byClient(this.#rows('mqtt_subscriptions'), ({ subscription }) =>
        unpack<Subscription>(subscription),
      ),
      deliveries: byClient(this.#rows('mqtt_deliveries'), deliveryIn),
      received: byClient(this.#rows('mqtt_received'), ({ packet_id: id }) => Number(id)),
      retained: this.#rows('mqtt_retained').map((row) => ({
        ...messageIn(row),
        owner: String(row['owner']),
      })),
    };
  }

  saveSession(row: SessionRow): void {
    this.run`INSERT OR REPLACE INTO mqtt_sessions VALUES (${row.clientId}, ${pack(row)})`;
  }

  removeSession(clientId: string): void {
    for (const table of ['sessions', 'subscriptions', 'deliveries', 'received']) {
      this.run(`DELETE FROM mqtt_${table} WHERE client_id = ?`, clientId);
    }
  }

  saveSubscription(clientId: string, subscription: Subscription): void {
    this.run`INSERT OR REPLACE INTO mqtt_subscriptions
      VALUES (${clientId}, ${subscription.filter}, ${pack(subscription)})`;
  }

  removeSubscription(clientId: string, filter: string): void {
    this.run`DELETE FROM mqtt_subscriptions WHERE client_id = ${clientId} AND filter = ${filter}`;
  }

  saveDelivery(clientId: string, { seq, phase, packetId, message }: Delivery): void {
    const { payload, ...rest } = message;
    this.run`INSERT OR REPLACE INTO mqtt_deliveries
      VALUES (${clientId}, ${seq}, ${phase}, ${packetId}, ${pack(rest)}, ${payload})`;
  }

  removeDelivery(clientId: string, seq: number): void {
    this.run`DELETE FROM mqtt_deliveries WHERE client_id = ${clientId} AND seq = ${seq}`;
  }

  saveReceived(clientId: string, packetId: number): void {
    this.run`INSERT OR REPLACE INTO mqtt_received VALUES (${clientId}, ${packetId})`;
  }

  removeReceived(clientId: string, packetId: number): void {
    this.run`DELETE FROM mqtt_received WHERE client_id = ${clientId} AND packet_id = ${packetId}`;
  }

  saveRetained(message: RetainedMessage): void {
    this.#waiting.delete(message.topic);
    if (message.qos > 0) {
      this.#writeRetained(message);
      return;
    }
    this.#waiting.set(message.topic, message);
    this.#onWaiting();
  }

  #writeRetained({ owner, payload, ...rest }: RetainedMessage): void {
    this.run`INSERT OR REPLACE INTO mqtt_retained (topic, message, payload, owner)
      VALUES (${rest.topic}, ${pack(rest)}, ${payload}, ${owner})`;
  }

  removeRetained(topic: string): void {
    this.#waiting.delete(topic);
    this.run`DELETE FROM mqtt_retained WHERE topic = ${topic}`;
  }

  #rows(table: string): readonly Row[] {
    return this.rows(`SELECT * FROM ${table}`);
  }
}

function byClient<T>(rows: readonly Row[], valueOf: (row: Row) => T): ReadonlyMap<string, T[]> {
  const values = new Map<string, T[]>();
  for (const row of rows) {
    const clientId = String(row['client_id']);
    const list = values.get(clientId) ?? [];
    list.push(valueOf(row));
    values.set(clientId, list);
  }
  return values;
}

const deliveryIn = (row: Row): Delivery => ({
  seq: Number(row['seq']),
  phase: row['phase'] as Delivery['phase'],
  packetId: Number(row['packet_id']),
  message: messageIn(row),
});

const messageIn = ({ message, payload }: Row): Message => ({
  ...unpack<Omit<Message, 'payload'>>(message),
  payload: new Uint8Array(payload as ArrayBuffer),
});

/** JSON in which bytes are `{"$bytes": […]}`; no text of a client is ever a name in it. */
const pack = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner instanceof Uint8Array ? { $bytes: [...inner] } : inner,
  );

function unpack<T>(text: SqlStorageValue | undefined): T {
  return JSON.parse(String(text), (_, inner: unknown) => {
    const isBytes = typeof inner === 'object' && inner !== null && '$bytes' in inner;
    return isBytes ? Uint8Array.from(inner.$bytes as number[]) : inner;
  }) as T;
}
