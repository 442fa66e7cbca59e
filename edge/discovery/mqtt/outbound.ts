import type { Message } from '../contract/mqtt/packet.ts';

/**
 * The delivery of a message of quality of service 1 or 2 to one client.
 *
 *   queued --sent, with a packet id--> sent --PUBACK (1)--> gone
 *                                       |--PUBREC (2)--> released --PUBCOMP--> gone
 */
export interface Delivery {
  /** The order of deliveries to a client. */
  readonly seq: number;
  /** With the quality of service and the retain flag of its delivery. */
  readonly message: Message;
  readonly phase: 'queued' | 'sent' | 'released';
  /** 0 while it is queued. */
  readonly packetId: number;
}

/** Stores deliveries, so that they survive eviction. */
interface DeliveryStore {
  save(delivery: Delivery): void;
  remove(delivery: Delivery): void;
}

const MAX_PACKET_ID = 0xffff;

/** The deliveries to one client: order, packet ids, acknowledgements (sections 4.3, 4.4, 4.6). */
export class Outbound {
  readonly #store: DeliveryStore;
  readonly #queued: Delivery[] = [];
  /** By packet id, in the order of their first sending. */
  readonly #inFlight = new Map<number, Delivery>();
  #bytes = 0;
  #lastSeq = 0;
  #lastId = 0;

  constructor(store: DeliveryStore, kept: readonly Delivery[] = []) {
    this.#store = store;
    for (const delivery of kept.toSorted((a, b) => a.seq - b.seq)) {
      this.#lastSeq = delivery.seq;
      this.#bytes += delivery.message.payload.length;
      if (delivery.phase === 'queued') this.#queued.push(delivery);
      else this.#inFlight.set(delivery.packetId, delivery);
    }
    this.#lastId = [...this.#inFlight.keys()].at(-1) ?? 0;
  }

  get size(): number {
    return this.#queued.length + this.#inFlight.size;
  }

  /** Of the payloads. */
  get bytes(): number {
    return this.#bytes;
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** All deliveries, the oldest first. */
  all(): readonly Delivery[] {
    return [...this.#inFlight.values(), ...this.#queued];
  }

  /** Queues a message; `next` returns it. */
  push(message: Message, mayGo: boolean): void {
    this.#lastSeq += 1;
    this.#bytes += message.payload.length;
    const delivery: Delivery = { seq: this.#lastSeq, message, phase: 'queued', packetId: 0 };
    this.#queued.push(delivery);
    // One that is sent at once is stored when it has its packet id.
    if (!mayGo) this.#store.save(delivery);
  }

  /** The next message to send, with a packet id; expired messages are skipped. */
  next(now: number): Delivery | undefined {
    for (;;) {
      const queued = this.#queued.shift();
      if (!queued) return undefined;
      if ((queued.message.expiresAt ?? Infinity) <= now) {
        this.#remove(queued);
        continue;
      }
      const sent: Delivery = { ...queued, phase: 'sent', packetId: this.#freeId() };
      this.#inFlight.set(sent.packetId, sent);
      this.#store.save(sent);
      return sent;
    }
  }

  /** PUBACK. @returns the completed delivery, if any */
  acknowledge(packetId: number): Delivery | undefined {
    return this.#end(packetId, (delivery) => delivery.message.qos === 1);
  }

  /**
   * PUBREC: the receiver has the message, or refuses it.
   *
   * @returns whether to send a PUBREL, and with which reason
   */
  receive(packetId: number, isRefused: boolean): 'release' | 'ended' | 'unknown' {
    const delivery = this.#inFlight.get(packetId);
    if (delivery?.message.qos !== 2) return 'unknown';
    if (isRefused && delivery.phase === 'sent') {
      this.#end(packetId, () => true);
      return 'ended';
    }
    if (delivery.phase === 'sent') {
      const released: Delivery = { ...delivery, phase: 'released' };
      this.#inFlight.set(packetId, released);
      this.#store.save(released);
    }
    return 'release';
  }

  /** PUBCOMP. @returns the completed delivery, if any */
  complete(packetId: number): Delivery | undefined {
    return this.#end(packetId, (delivery) => delivery.phase === 'released');
  }

  /** Drops a delivery that its client cannot accept. */
  drop(packetId: number): Delivery | undefined {
    return this.#end(packetId, () => true);
  }

  #end(packetId: number, isMeant: (delivery: Delivery) => boolean): Delivery | undefined {
    const delivery = this.#inFlight.get(packetId);
    if (!delivery || !isMeant(delivery)) return undefined;
    this.#inFlight.delete(packetId);
    this.#remove(delivery);
    return delivery;
  }

  #remove(delivery: Delivery): void {
    this.#bytes -= delivery.message.payload.length;
    this.#store.remove(delivery);
  }

  #freeId(): number {
    do this.#lastId = (this.#lastId % MAX_PACKET_ID) + 1;
    while (this.#inFlight.has(this.#lastId));
    return this.#lastId;
  }
}
