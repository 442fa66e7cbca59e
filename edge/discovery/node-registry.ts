import type { Outbox, PendingEvent } from '../events/outbox.ts';
import { allows, type Caller } from '../http/caller.ts';
import { holderOf } from '../http/ownership.ts';
import type { Message } from './contract/mqtt/packet.ts';
import type { NodeInfo } from './contract/node.ts';
import { type NodeState, TIMEOUT_MS } from './contract/node-machine.ts';
import { type NodeChange, NodeTable } from './contract/node-table.ts';
import { nodeTopicOf } from './contract/topics.ts';
import type { Sender } from './mqtt/ports.ts';
import type { DiscoveryStore, Publisher, Shard } from './store.ts';

/** For nodes stored before publishers were recorded. */
const UNKNOWN_PUBLISHER: Publisher = { owner: '', isEvidence: false };

/**
 * The nodes of a shard by their messages, and which key publishes for each: the first one, until
 * the node is inactive. Changes are collected, to be written and announced together.
 */
export class NodeRegistry {
  readonly #table: NodeTable;
  readonly #publishers: Map<string, Publisher>;
  readonly #store: DiscoveryStore;
  readonly #changed = new Set<string>();
  readonly #events: PendingEvent[] = [];
  #shard: Shard | undefined;

  constructor(store: DiscoveryStore, shard: Shard | undefined) {
    const stored = store.nodesAtWake(Date.now());
    const states = stored.map(({ state }) => state);
    this.#store = store;
    this.#shard = shard;
    this.#table = new NodeTable({ regionId: shard?.region ?? '', stored: states });
    this.#publishers = new Map(stored.map(({ state, publisher }) => [state.nodeId, publisher]));
  }

  set shard(shard: Shard) {
    this.#shard = shard;
    this.#table.regionId = shard.region;
  }

  /** The nodes as lists show them, each with its publisher. */
  infos(): readonly NodeInfo[] {
    return this.#table.infos(Date.now()).map((info) => {
      const { owner, isEvidence: evidence } = this.publisherOf(info.node_id);
      return { ...info, ...(owner !== '' && { owner }), evidence };
    });
  }

  publisherOf(nodeId: string): Publisher {
    return this.#publishers.get(nodeId) ?? UNKNOWN_PUBLISHER;
  }

  /** Nodes heard since a time whose publisher may vouch for the health of their region (`geo:node`). */
  evidenceSince(time: number): readonly NodeState[] {
    return this.#table.heardSince(time).filter(({ nodeId }) => this.publisherOf(nodeId).isEvidence);
  }

  /** Whether any node was heard recently enough to count as active. */
  hasEvidence(): boolean {
    return this.evidenceSince(Date.now() - TIMEOUT_MS).length > 0;
  }

  /**
   * Whether a caller may publish a message about a node. Another key may take over once the node is
   * inactive; an administrator of the team always may.
   */
  mayPublish(caller: Caller, nodeId: string, { topic }: Message): boolean {
    if (nodeTopicOf(topic) === undefined) return true;
    const { owner } = this.publisherOf(nodeId);
    if (owner === '' || owner === holderOf(caller) || allows(caller, 'team:admin')) return true;
    return (this.#table.statusOf(nodeId, Date.now()) ?? 'inactive') === 'inactive';
  }

  /** Takes in a published message. @returns the change it makes, and whether there is anything to write */
  receive({ topic, payload }: Message, sender: Sender) {
    const change = this.#table.receive(topic, payload, Date.now());
    const isOfNode = this.#table.state(sender.clientId) && nodeTopicOf(topic) !== undefined;
    const isNewPublisher = isOfNode ? this.#recordPublisher(sender) : false;
    if (change) this.#note(change);
    return { change, isDirty: isNewPublisher || change !== undefined };
  }

  /** Finds nodes that have been silent for too long. */
  sweep(): readonly NodeChange[] {
    const changes = this.#table.sweep(Date.now());
    for (const change of changes) {
      this.#note(change);
      if (change.to === 'forgotten') this.#publishers.delete(change.nodeId);
    }
    return changes;
  }

  /** When `sweep` finds something next if nothing is heard until then. */
  nextDue(): number {
    return this.#table.nextDue();
  }

  /** Writes the collected changes and hands their events to the outbox. */
  flush(outbox: Outbox): void {
    for (const nodeId of this.#changed) {
      const state = this.#table.state(nodeId);
      if (state) this.#store.saveNode({ state, publisher: this.publisherOf(nodeId) });
      else this.#store.removeNode(nodeId);
    }
    this.#changed.clear();
    for (const event of this.#events.splice(0)) outbox.add(event);
  }

  /** @returns whether the publisher of the node, or what its scopes allow, has changed */
  #recordPublisher({ clientId, owner, isEvidence }: Sender): boolean {
    const before = this.publisherOf(clientId);
    if (before.owner === owner && before.isEvidence === isEvidence) return false;
    this.#publishers.set(clientId, { owner, isEvidence });
    this.#changed.add(clientId);
    return true;
  }

  #note(change: NodeChange): void {
    this.#changed.add(change.nodeId);
    if (change.from === change.to || !this.#shard) return;
    this.#events.push(statusEvent(change, this.#table.state(change.nodeId), this.#shard));
  }
}

/** The `node.status` event of a change; of a forgotten node only the id is known. */
const statusEvent = (
  { nodeId, from, to }: NodeChange,
  state: NodeState | undefined,
  { team, namespace, region }: Shard,
): PendingEvent => ({
  type: 'node.status',
  subject: nodeId,
  time: new Date().toISOString(),
  team,
  data: {
    node_id: nodeId,
    namespace,
    region_id: state?.regionId || region,
    module_type: state?.moduleType ?? null,
    from,
    to,
  },
});
