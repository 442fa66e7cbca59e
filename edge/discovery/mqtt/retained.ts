import type { BrokerLimits, RetainedMessage, RetainedStore } from './ports.ts';
import type { Message } from '../contract/mqtt/packet.ts';
import { Tally, type Used } from '../../http/ownership.ts';
import { levelsOf, matchesTopic, type TopicFilter } from './topic.ts';

/** The last retained message of each topic. */
export class Retained {
  readonly #store: RetainedStore;
  readonly #limits: Pick<BrokerLimits, 'retained' | 'retainedBytes'>;
  readonly #byTopic = new Map<string, RetainedMessage>();
  readonly #held = new Tally();
  #bytes = 0;

  constructor(
    store: RetainedStore,
    limits: Pick<BrokerLimits, 'retained' | 'retainedBytes'>,
    kept: readonly RetainedMessage[] = [],
  ) {
    this.#store = store;
    this.#limits = limits;
    for (const message of kept) this.#set(message);
  }

  get count(): number {
    return this.#byTopic.size;
  }

  /**
   * An owner's usage where retaining a message adds to it; undefined where it replaces one of its
   * own.
   */
  usedWith({ topic, payload }: Message, owner: string): Used | undefined {
    const known = this.#byTopic.get(topic);
    if (payload.length === 0 || known?.owner === owner) return undefined;
    const used = this.#held.usedBy(owner);
    return known ? { ...used, team: used.team - 1 } : used;
  }

  /**
   * Retains a message in place of the previous one of its topic; an empty one removes that
   * (MQTT-3.3.1-6, MQTT-3.3.1-7).
   *
   * @returns whether there was room
   */
  put(message: RetainedMessage): boolean {
    const { topic, payload } = message;
    if (payload.length === 0) {
      this.remove(topic);
      return true;
    }
    const known = this.#byTopic.get(topic);
    const count = this.#byTopic.size + (known ? 0 : 1);
    const bytes = this.#bytes + payload.length - (known?.payload.length ?? 0);
    if (count > this.#limits.retained || bytes > this.#limits.retainedBytes) return false;
    // The payload is a view of a larger buffer, which would be retained with it.
    const own = { ...message, payload: payload.slice() };
    this.#set(own);
    this.#store.saveRetained(own);
    return true;
  }

  remove(topic: string): void {
    const known = this.#byTopic.get(topic);
    if (!known) return;
    this.#bytes -= known.payload.length;
    this.#byTopic.delete(topic);
    this.#held.remove(known.owner);
    this.#store.removeRetained(topic);
  }

  /** The messages whose topics match a filter, without expired ones. */
  matching({ levels }: TopicFilter, now: number): readonly Message[] {
    const isPlain = !levels.includes('+') && levels.at(-1) !== '#';
    const one = isPlain ? this.#byTopic.get(levels.join('/')) : undefined;
    const found = isPlain ? (one ? [one] : []) : this.#search(levels);
    return found.filter((message) => {
      const isLive = (message.expiresAt ?? Infinity) > now;
      if (!isLive) this.remove(message.topic);
      return isLive;
    });
  }

  #search(levels: readonly string[]): readonly RetainedMessage[] {
    return [...this.#byTopic.values()].filter(({ topic }) => matchesTopic(levels, levelsOf(topic)));
  }

  #set(message: RetainedMessage): void {
    const known = this.#byTopic.get(message.topic);
    this.#bytes += message.payload.length - (known?.payload.length ?? 0);
    if (known) this.#held.remove(known.owner);
    this.#held.add(message.owner);
    this.#byTopic.set(message.topic, message);
  }
}
