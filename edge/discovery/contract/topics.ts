/** Announcements of nodes that have started. */
export const ANNOUNCE = 'discovery/announce';
/** Prompts for which no other module has an active node: they go to lang-main. */
export const TEXT_PROMPT = 'pfc/text_prompt';

const HEARTBEAT = 'heartbeat/';
const LEAVE = 'discovery/leave/';

/** Heartbeats of a node, every two seconds. */
export const heartbeatTopic = (nodeId: string): string => HEARTBEAT + nodeId;

/** A node announces here that it leaves; otherwise its will does. */
export const leaveTopic = (nodeId: string): string => LEAVE + nodeId;

/** Prompts for a node. */
export const promptTopic = (nodeId: string): string => `node/${nodeId}/prompt`;

/** A shared subscription to `TEXT_PROMPT`: lang-main nodes take turns. */
export const TEXT_PROMPT_SHARE = `$share/lang-main/${TEXT_PROMPT}`;

/** Replies to a client's prompts. */
export const replyTopic = (clientId: string): string => `reply/${clientId}`;

/** The routes of prompts, as a PFC reports them. */
export const routeTopic = (nodeId: string): string => `pfc/routes/${nodeId}`;

/** The filters of clients that observe nodes. */
export const NODE_FILTERS = ['discovery/#', 'heartbeat/+'] as const;

/** The same without announcements: those are retained, possibly by nodes that no longer exist. */
export const LIVE_NODE_FILTERS = ['heartbeat/+', 'discovery/leave/+'] as const;

/** The kind of message about a node, by its topic; an announcement contains the node's id. */
type NodeTopic =
  | { readonly kind: 'announce' }
  | { readonly kind: 'heartbeat' | 'leave'; readonly nodeId: string };

export function nodeTopicOf(topic: string): NodeTopic | undefined {
  if (topic.startsWith(HEARTBEAT))
    return { kind: 'heartbeat', nodeId: topic.slice(HEARTBEAT.length) };
  if (topic === ANNOUNCE) return { kind: 'announce' };
  if (topic.startsWith(LEAVE)) return { kind: 'leave', nodeId: topic.slice(LEAVE.length) };
  return undefined;
}
