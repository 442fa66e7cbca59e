import type { BrokerStore, Sender, SessionRow, Subscription } from './broker-state.ts';
import { allows, type Caller } from '../../http/caller.ts';
import type { Connection } from './connection.ts';
import { type Delivery, Outbound } from './outbound.ts';
import type { Will } from '../contract/mqtt/packet.ts';

/** A will of more than this is stored, as a connection itself cannot keep it. */
const KEPT_WILL_BYTES = 600;

/** What a session has from the time before. */
export interface KeptSession {
  readonly subscriptions: readonly Subscription[];
  readonly deliveries: readonly Delivery[];
  readonly received: readonly number[];
}

/** What the broker knows of a client beyond one connection (section 4.1). */
export class Session implements Sender {
  readonly clientId: string;
  readonly owner: string;
  isBound = true;
  isEvidence = false;
  readonly subscriptions = new Map<string, Subscription>();
  readonly outbound: Outbound;
  /** Packet ids of quality of service 2 that were received and are not released. */
  readonly received: Set<number>;
  connection: Connection | undefined;
  /** How long it outlives its connection. */
  expiryS = 0;
  will: Will | undefined;
  /** Epoch milliseconds, while nobody is connected. */
  willAt: number | undefined;
  endsAt: number | undefined;
  readonly #store: BrokerStore;
  /** Whether anything of it is stored. */
  #isStored: boolean;
  #hasRow = false;

  constructor(
    store: BrokerStore,
    { clientId, owner }: Pick<SessionRow, 'clientId' | 'owner'>,
    kept?: KeptSession,
  ) {
    this.#store = store;
    this.clientId = clientId;
    this.owner = owner;
    this.received = new Set(kept?.received);
    this.#isStored = kept !== undefined;
    this.outbound = new Outbound(
      {
        save: (delivery) => this.#note(() => store.saveDelivery(clientId, delivery)),
        remove: ({ seq }) => store.removeDelivery(clientId, seq),
      },
      kept?.deliveries,
    );
  }

  /** As it was stored. */
  static restored(store: BrokerStore, row: SessionRow, kept: KeptSession): Session {
    const session = new Session(store, row, kept);
    const { expiryS, will, willAt, endsAt, isBound = true, isEvidence = false } = row;
    Object.assign(session, { expiryS, will, willAt, endsAt, isBound, isEvidence });
    session.#hasRow = true;
    return session;
  }

  /** Who connects is the one who speaks from now on. */
  takeCaller(caller: Caller): void {
    this.isBound = !allows(caller, 'admin');
    this.isEvidence = allows(caller, 'geo:node');
  }

  subscribe(subscription: Subscription): void {
    this.subscriptions.set(subscription.filter, subscription);
    this.#note(() => this.#store.saveSubscription(this.clientId, subscription));
  }

  unsubscribe(filter: string): void {
    this.subscriptions.delete(filter);
    this.#store.removeSubscription(this.clientId, filter);
  }

  receive(packetId: number): void {
    this.received.add(packetId);
    this.#note(() => this.#store.saveReceived(this.clientId, packetId));
  }

  /** Whether the packet id was known. */
  release(packetId: number): boolean {
    const isKnown = this.received.delete(packetId);
    if (isKnown) this.#store.removeReceived(this.clientId, packetId);
    return isKnown;
  }

  /** Whether a connection can keep its will itself, and it needs no row for it. */
  get keepsWillAside(): boolean {
    return this.expiryS === 0 && (!this.will || sizeOf(this.will) <= KEPT_WILL_BYTES);
  }

  /** Stores what is to be stored of it now. A session that ends with its connection costs no write. */
  save(): void {
    const isPending = this.willAt !== undefined;
    if (this.keepsWillAside && !isPending && !this.#hasRow) return;
    const { clientId, owner, isBound, isEvidence, expiryS, will, willAt, endsAt } = this;
    this.#hasRow = true;
    const row = { clientId, owner, isBound, isEvidence, expiryS, will, willAt, endsAt };
    this.#note(() => this.#store.saveSession(row));
  }

  remove(): void {
    if (this.#isStored) this.#store.removeSession(this.clientId);
    this.#isStored = false;
    this.#hasRow = false;
  }

  #note(write: () => void): void {
    this.#isStored = true;
    write();
  }
}

function sizeOf({ message: { topic, payload, properties } }: Will): number {
  const { correlationData, ...rest } = properties ?? {};
  const carried = (correlationData?.length ?? 0) + JSON.stringify(rest).length;
  return payload.length + topic.length * 3 + carried;
}
