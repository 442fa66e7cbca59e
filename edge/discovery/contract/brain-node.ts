import type { MessageLine } from './message-line.ts';
import { leaveText } from './node-connection.ts';
import { HEARTBEAT_MS } from './node-machine.ts';
import type { NodeMetadata } from './node-message.ts';
import { ANNOUNCE, heartbeatTopic, leaveTopic } from './topics.ts';

/** Who a node is. Its id is the client id of its line. */
export interface NodeDescription {
  readonly nodeId: string;
  readonly moduleType: string;
  readonly host: string;
  readonly regionId?: string;
  /** What it announces of itself, such as its model. */
  readonly metadata?: NodeMetadata;
}

/** What a machine has used of what it has, in percent; what is not known is left out. */
export interface Usage {
  readonly cpu_percent?: number;
  readonly memory_percent?: number;
  readonly disk_percent?: number;
}

export interface NodePresenceOptions {
  readonly line: MessageLine;
  readonly node: NodeDescription;
  /** Asked before each heartbeat. */
  readonly usage?: () => Usage;
  /** Epoch milliseconds. */
  readonly now?: () => number;
  readonly everyMs?: number;
  /** Told of a heartbeat that could not be sent; the next one is tried all the same. */
  readonly onError?: (error: unknown) => void;
}

/** A node among the others. */
export interface NodePresence {
  /** What the next heartbeats say: counters, the task at hand, `error` where it is not well. */
  note(metadata: NodeMetadata): void;
  /** Sends a heartbeat now, beside the regular ones. */
  beat(): Promise<void>;
  /** Stops, and says that it goes. The line stays. */
  leave(): Promise<void>;
}

/** Announces a node whenever its line comes up, and sends its heartbeats until it leaves. */
export function joinBrain(options: NodePresenceOptions): NodePresence {
  const { line, node, usage = () => ({}), now = Date.now } = options;
  const { everyMs = HEARTBEAT_MS, onError = () => {} } = options;
  const { nodeId, moduleType, host, regionId } = node;
  const who = { node_id: nodeId, module_type: moduleType, host };
  const place = regionId === undefined ? {} : { region_id: regionId };
  let noted: NodeMetadata = { step_count: 0, active_task: false };

  const beat = () => {
    const metadata = { ...place, ...noted, ...usage() };
    const text = JSON.stringify({ ...who, timestamp: now() / 1000, metadata });
    return line.publish(heartbeatTopic(nodeId), text);
  };
  const announce = async () => {
    const metadata = { ...place, ...node.metadata };
    await line.publish(ANNOUNCE, JSON.stringify({ ...who, metadata }), { retain: true });
    await beat();
  };
  const stopAnnouncing = line.onUp(() => void announce().catch(onError));
  const timer = setInterval(() => void beat().catch(onError), everyMs);
  return {
    note(metadata) {
      noted = { ...noted, ...metadata };
    },
    beat,
    async leave() {
      clearInterval(timer);
      stopAnnouncing();
      await line.publish(leaveTopic(nodeId), leaveText(nodeId), { qos: 1 });
    },
  };
}
