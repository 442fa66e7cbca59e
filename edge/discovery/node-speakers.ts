import type { DiscoveryStatus, NodeInfo } from './contract/node.ts';
import { allows, type Caller } from '../http/caller.ts';
import { holderOf } from '../http/ownership.ts';
import type { Sender } from './mqtt/broker-state.ts';

/** Who speaks for a node, and whether that counts as evidence of its region's health. */
export type Speaker = Pick<Sender, 'owner' | 'isEvidence'>;

/** Of nodes from before it was noted who speaks for them. */
const NOBODY: Speaker = { owner: '', isEvidence: false };

/** Which key speaks for which of a team's nodes: the first one, until the node is silent or has left. */
export class NodeSpeakers {
  readonly #speakers: Map<string, Speaker>;
  readonly #statusOf: (nodeId: string) => DiscoveryStatus | undefined;

  /** @param statusOf how a node is now; undefined where it is not known */
  constructor(
    kept: Iterable<readonly [nodeId: string, speaker: Speaker]>,
    statusOf: (nodeId: string) => DiscoveryStatus | undefined,
  ) {
    this.#speakers = new Map(kept);
    this.#statusOf = statusOf;
  }

  of(nodeId: string): Speaker {
    return this.#speakers.get(nodeId) ?? NOBODY;
  }

  /** Whether a caller may speak for a node: another key's only once it is silent, or as its team's administrator. */
  maySpeak(caller: Caller, nodeId: string): boolean {
    const { owner } = this.of(nodeId);
    if (owner === '' || owner === holderOf(caller) || allows(caller, 'team:admin')) return true;
    return (this.#statusOf(nodeId) ?? 'inactive') === 'inactive';
  }

  /** Notes who spoke. @returns whether that is somebody else than before, or with other scopes */
  spoke({ clientId, owner, isEvidence }: Sender): boolean {
    const before = this.of(clientId);
    if (before.owner === owner && before.isEvidence === isEvidence) return false;
    this.#speakers.set(clientId, { owner, isEvidence });
    return true;
  }

  forget(nodeId: string): void {
    this.#speakers.delete(nodeId);
  }

  /** A node as lists show it, with who speaks for it. */
  shown(info: NodeInfo): NodeInfo {
    const { owner, isEvidence: evidence } = this.of(info.node_id);
    return { ...info, ...(owner !== '' && { owner }), evidence };
  }
}
