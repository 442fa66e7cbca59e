/** Where a node says that it has started, and what it is. */
export const ANNOUNCE = 'discovery/announce';
/** Where prompts go for which no other module has an active node: the way of lang-main. */
export const TEXT_PROMPT = 'pfc/text_prompt';

const HEARTBEAT = 'heartbeat/';
const LEAVE = 'discovery/leave/';

/** Where a node says every two seconds that it is alive. */
export const heartbeatTopic = (nodeId: string): string => HEARTBEAT + nodeId;

/** Where a node says that it goes; its will says it where it cannot. */
export const leaveTopic = (nodeId: string): string => LEAVE + nodeId;

/** Where a node takes prompts that are for it. */
export const promptTopic = (nodeId: string): string => `node/${nodeId}/prompt`;

/** What is sent to `TEXT_PROMPT` goes to one lang-main, which take turns. */
export const TEXT_PROMPT_SHARE = `$share/lang-main/${TEXT_PROMPT}`;

/** Where a client takes the answers to what it asked. */
export const replyTopic = (clientId: string): string => `reply/${clientId}`;

/** Where a PFC tells the way that each prompt took. */
export const routeTopic = (nodeId: string): string => `pfc/routes/${nodeId}`;

/** What whoever watches the nodes subscribes to. */
export const NODE_FILTERS = ['discovery/#', 'heartbeat/+'] as const;

/** The same without announcements: those are retained, and who made the last one may be gone. */
export const LIVE_NODE_FILTERS = ['heartbeat/+', 'discovery/leave/+'] as const;

/** What a message says of a node, by its topic; `nodeId` is in an announcement itself. */
export type NodeTopic =
  | { readonly kind: 'announce' }
  | { readonly kind: 'heartbeat' | 'leave'; readonly nodeId: string };

export function nodeTopicOf(topic: string): NodeTopic | undefined {
  if (topic.startsWith(HEARTBEAT))
    return { kind: 'heartbeat', nodeId: topic.slice(HEARTBEAT.length) };
  if (topic === ANNOUNCE) return { kind: 'announce' };
  if (topic.startsWith(LEAVE)) return { kind: 'leave', nodeId: topic.slice(LEAVE.length) };
  return undefined;
}
