import type { DiscoveryStatus } from '../../edge/discovery/contract/node.ts';
import { type NodeChange, NodeTable } from '../../edge/discovery/contract/node-table.ts';
import { ANNOUNCE, heartbeatTopic, leaveTopic } from '../../edge/discovery/contract/topics.ts';

export const START = Date.UTC(2026, 10, 22, 10);

export const bytes = (value: unknown) =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));

/** Nodes on a clock that is set. */
export class Watched {
  now = START;
  table = new NodeTable({ regionId: 'tokyo' });

  announce(id: string, moduleType = 'visual', metadata = {}): NodeChange | undefined {
    const said = { node_id: id, module_type: moduleType, host: 'h', metadata };
    return this.table.receive(ANNOUNCE, bytes(said), this.now);
  }

  /** @param more members in place of the usual ones */
  beat(id: string, metadata: object = {}, more: object = {}): NodeChange | undefined {
    const who = { node_id: id, module_type: 'visual', host: 'h', timestamp: this.now / 1000 };
    return this.table.receive(heartbeatTopic(id), bytes({ ...who, metadata, ...more }), this.now);
  }

  say(id: string, text: string): NodeChange | undefined {
    return this.table.receive(heartbeatTopic(id), bytes(text), this.now);
  }

  leave(id: string): NodeChange | undefined {
    return this.table.receive(leaveTopic(id), bytes(''), this.now);
  }

  info(id: string) {
    return this.table.infos(this.now).find(({ node_id: other }) => other === id);
  }

  status(id: string): DiscoveryStatus | undefined {
    return this.info(id)?.status;
  }
}
