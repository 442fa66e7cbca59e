import { allows, type Caller } from '../../http/caller.ts';
import { ANNOUNCE, heartbeatTopic, leaveTopic } from '../../contract/discovery/topics.ts';
import type { Message } from '../../contract/mqtt/packet.ts';
import type { TopicFilter } from './topic.ts';

/** Topics on which nodes say how they are. */
const OF_NODES: ReadonlySet<string> = new Set(['discovery', 'heartbeat']);

/**
 * Whether a client may publish there. A node speaks for itself only: its client id is its node id,
 * on `heartbeat/<id>`, on `discovery/leave/<id>`, and inside of what it announces.
 */
export function mayPublish(caller: Caller, clientId: string, message: Message): boolean {
  const { topic } = message;
  if (!allows(caller, 'infer')) return false;
  const [first = ''] = topic.split('/', 1);
  if (first.startsWith('$')) return false;
  if (!OF_NODES.has(first)) return true;
  if (topic === heartbeatTopic(clientId) || topic === leaveTopic(clientId)) return true;
  // An empty message takes a retained one away, whoever it speaks of.
  return topic === ANNOUNCE && (message.payload.length === 0 || namesItself(clientId, message));
}

function namesItself(clientId: string, { payload }: Message): boolean {
  try {
    const announced: unknown = JSON.parse(new TextDecoder().decode(payload));
    return (announced as { node_id?: unknown } | null)?.node_id === clientId;
  } catch {
    return false;
  }
}

/** Whether a client may read there: who is about needs `discovery:read`, all else `infer` too. */
export function maySubscribe(caller: Caller, { levels }: TopicFilter): boolean {
  const [first = ''] = levels;
  if (first.startsWith('$')) return false;
  const seesNodes = OF_NODES.has(first);
  const seesAll = first === '+' || first === '#';
  if ((seesNodes || seesAll) && !allows(caller, 'discovery:read')) return false;
  return seesNodes || allows(caller, 'infer');
}
