import type { MessageLine } from './message-line.ts';
import { leaveText } from './node-connection.ts';
import { HEARTBEAT_MS } from './node-machine.ts';
import type { NodeMetadata } from './node-message.ts';
import { ANNOUNCE, heartbeatTopic, leaveTopic } from './topics.ts';

/** The identity of a node. Its id is the client id of its line. */
interface NodeDescription {
  readonly nodeId: string;
  readonly moduleType: string;
  readonly host: string;
  readonly regionId?: string;
  /** Metadata that the node announces, such as its model. */
  readonly metadata?: NodeMetadata;
}

/** The usage of a machine, in percent; unknown values are left out. */
export interface Usage {
  readonly cpu_percent?: number;
  readonly memory_percent?: number;
  readonly disk_percent?: number;
}

interface NodePresenceOptions {
  readonly line: MessageLine;
  readonly node: NodeDescription;
  /** Called before each heartbeat. */
  readonly usage?: () => Usage;
  /** Epoch milliseconds. */
  readonly now?: () => number;
  readonly everyMs?: number;
  /** Called for a heartbeat that could not be sent; the next one is sent all the same. */
  readonly onError?: (error: unknown) => void;
}

/** The presence of a node in its brain. */
export interface NodePresence {
  /**
   * Sets the metadata of the next heartbeats: counters, the current task, `error` where it is
   * unhealthy.
   */
  note(metadata: NodeMetadata): void;
  /** Sends a heartbeat now, besides the regular ones. */
  heartbeat(): Promise<void>;
  /** Stops the heartbeats and announces that the node leaves. The line stays open. */
  leave(): Promise<void>;
}

/** Announces a node whenever its line connects, and sends its heartbeats until it leaves. */
export function joinBrain(options: NodePresenceOptions): NodePresence {
  const { line, node, usage = () => ({}), now = Date.now } = options;
  const { everyMs = HEARTBEAT_MS, onError = () => {} } = options;
  const { nodeId, moduleType, host, regionId } = node;
  const who = { node_id: nodeId, module_type: moduleType, host };
  const place = regionId === undefined ? {} : { region_id: regionId };
  let noted: NodeMetadata = { step_count: 0, active_task: false };

  const heartbeat = () => {
    const metadata = { ...place, ...noted, ...usage() };
    const text = JSON.stringify({ ...who, timestamp: now() / 1000, metadata });
    return line.publish(heartbeatTopic(nodeId), text);
  };
  const announce = async () => {
    const metadata = { ...place, ...node.metadata };
    await line.publish(ANNOUNCE, JSON.stringify({ ...who, metadata }), { retain: true });
    await heartbeat();
  };
  const stopAnnouncing = line.onUp(() => void announce().catch(onError));
  const timer = setInterval(() => void heartbeat().catch(onError), everyMs);
  return {
    note(metadata) {
      noted = { ...noted, ...metadata };
    },
    heartbeat,
    async leave() {
      clearInterval(timer);
      stopAnnouncing();
      await line.publish(leaveTopic(nodeId), leaveText(nodeId), { qos: 1 });
    },
  };
}
