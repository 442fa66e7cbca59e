import type { Login } from './mqtt/ports.ts';
import { byToken } from '../access/identify.ts';
import { countFailure, type Presenter } from '../access/limits.ts';
import type { Env } from '../env.ts';
import { allows, type Caller } from '../http/caller.ts';
import { holderOf } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import type { Message } from './contract/mqtt/packet.ts';
import { ANNOUNCE, heartbeatTopic, leaveTopic } from './contract/topics.ts';
import type { TopicFilter } from './mqtt/topic.ts';
import type { SocketOwner } from './socket-link.ts';

/**
 * Who a CONNECT comes from: its password is an API key or a token, whatever the user name. Without one
 * it is whoever opened the WebSocket. Undefined: nobody who may be here.
 */
export function authenticate(
  env: Env,
  { password }: Login,
  { caller }: SocketOwner,
): Caller | undefined | Promise<Caller | undefined> {
  if (!password) return caller.kind === 'anonymous' ? undefined : caller;
  return byPassword({ env, from: holderOf(caller) }, new TextDecoder().decode(password));
}

async function byPassword(presenter: Presenter, text: string): Promise<Caller | undefined> {
  try {
    return (await byToken(presenter, text)).caller;
  } catch (error) {
    // Whatever is wrong with a credential, its bearer is told no more than that it does not hold.
    if (!(error instanceof Problem)) throw error;
    return counted(presenter, error);
  }
}

function counted(presenter: Presenter, refusal: Problem): undefined {
  try {
    countFailure(presenter, refusal);
  } catch {
    // He is told the same; from here on nothing is looked up for him.
  }
}

/** Topics on which nodes say how they are. */
const OF_NODES: ReadonlySet<string> = new Set(['discovery', 'heartbeat']);
/** The server's own topics, of which we have none (section 4.7.2), and what only filters begin with. */
const RESERVED: ReadonlySet<string> = new Set(['$SYS', '$share']);

/**
 * Whether a client may publish there. A node speaks for itself only: its client id is its node id,
 * on `heartbeat/<id>`, on `discovery/leave/<id>`, and inside of what it announces.
 */
export function mayPublish(caller: Caller, clientId: string, message: Message): boolean {
  const { topic } = message;
  if (!allows(caller, 'infer')) return false;
  const [first = ''] = topic.split('/', 1);
  if (RESERVED.has(first)) return false;
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
  if (RESERVED.has(first)) return false;
  const seesNodes = OF_NODES.has(first);
  const seesAll = first === '+' || first === '#';
  if ((seesNodes || seesAll) && !allows(caller, 'discovery:read')) return false;
  return seesNodes || allows(caller, 'infer');
}
