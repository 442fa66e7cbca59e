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
 * Authenticates a CONNECT: its password is an API key or a token, whatever the user name. Without
 * one, it is the caller who opened the WebSocket. Undefined where access is denied.
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
    // Whatever is wrong with a credential, its bearer only learns that it is invalid.
    if (!(error instanceof Problem)) throw error;
    return counted(presenter, error);
  }
}

function counted(presenter: Presenter, refusal: Problem): undefined {
  try {
    countFailure(presenter, refusal);
  } catch {
    // The response is the same; from here on its credentials are not looked up.
  }
}

/** The first levels of topics about nodes. */
const OF_NODES: ReadonlySet<string> = new Set(['discovery', 'heartbeat']);
/**
 * The server's own topics, of which we have none (section 4.7.2), and a prefix that only filters
 * have.
 */
const RESERVED: ReadonlySet<string> = new Set(['$SYS', '$share']);

/**
 * Whether a client may publish a message. A node may publish only about itself: its client id is
 * its node id, on `heartbeat/<id>`, on `discovery/leave/<id>`, and in its announcement.
 */
export function mayPublish(caller: Caller, clientId: string, message: Message): boolean {
  const { topic } = message;
  if (!allows(caller, 'infer')) return false;
  const [first = ''] = topic.split('/', 1);
  if (RESERVED.has(first)) return false;
  if (!OF_NODES.has(first)) return true;
  if (topic === heartbeatTopic(clientId) || topic === leaveTopic(clientId)) return true;
  // An empty message removes a retained one, whichever node it is about.
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

/**
 * Whether a client may subscribe: to topics about nodes with `discovery:read`, to all others with
 * `infer` too.
 */
export function maySubscribe(caller: Caller, { levels }: TopicFilter): boolean {
  const [first = ''] = levels;
  if (RESERVED.has(first)) return false;
  const seesNodes = OF_NODES.has(first);
  const seesAll = first === '+' || first === '#';
  if ((seesNodes || seesAll) && !allows(caller, 'discovery:read')) return false;
  return seesNodes || allows(caller, 'infer');
}
