import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AskedBrain, askPfc } from '../../edge/brain/contract/ask-pfc.ts';
import { Attempts, openRequester } from '../../edge/brain/contract/requester.ts';
import type { BrainPrompt } from '../../edge/brain/contract/prompt.ts';
import type { BrainAnswered } from '../../edge/brain/endpoints.ts';
import type { MessageLine } from '../../edge/discovery/contract/message-line.ts';
import {
  createNodeDiscovery,
  type NodeDiscovery,
} from '../../edge/discovery/contract/node-discovery.ts';
import { TIMEOUT_MS } from '../../edge/discovery/contract/node-machine.ts';
import { LIVE_NODE_FILTERS, promptTopic } from '../../edge/discovery/contract/topics.ts';
import { connectOutside } from '../discovery/outside-broker.ts';

/** Where a brain is asked that has no gateway. */
interface ExternalBrain {
  /** The address of its broker. */
  readonly broker: string;
  readonly namespace: string;
}

/**
 * Gives a prompt to a PFC on an outside broker, as the gateway does on its own.
 *
 * @throws ProblemError where the broker cannot be reached, and Problem as `askPfc`
 */
export async function askExternal(
  brain: ExternalBrain,
  prompt: BrainPrompt,
): Promise<BrainAnswered> {
  const clientId = `spikegrid-ask-${randomUUID()}`;
  const line = await connectOutside({ url: brain.broker, clientId, version: 5 });
  try {
    return await askOver(line, { ...brain, clientId }, prompt);
  } finally {
    await line.end();
  }
}

async function askOver(
  line: MessageLine,
  { namespace, clientId }: { readonly namespace: string; readonly clientId: string },
  prompt: BrainPrompt,
): Promise<BrainAnswered> {
  const requester = await openRequester(line, clientId);
  const attempts = new Attempts();
  const discovery = await listenToPfc(line, namespace, (nodeId) => attempts.nodeLeft(nodeId));
  const brain: AskedBrain = {
    namespace,
    nodes: () => discovery.getAllNodes(),
    ask: ({ node_id: nodeId }, text, patience) =>
      attempts.during(nodeId, (signal) =>
        requester.request(promptTopic(nodeId), text, { ...patience, signal }),
      ),
  };
  try {
    return await askPfc(brain, prompt);
  } finally {
    discovery.close();
    requester.close();
  }
}

/** Settles once a PFC is discovered, or after the time in which any running one would have been. */
async function listenToPfc(
  line: MessageLine,
  namespace: string,
  nodeLeft: (nodeId: string) => void,
): Promise<NodeDiscovery> {
  const isHeard = new AbortController();
  // Nodes may be discovered before all subscriptions are granted.
  const made: { discovery?: NodeDiscovery } = {};
  const look = () => {
    const pfcs = made.discovery?.getNodesByType('pfc') ?? [];
    if (pfcs.some(({ status }) => status === 'active')) isHeard.abort();
  };
  const discovery = await createNodeDiscovery(namespace, {
    line,
    filters: LIVE_NODE_FILTERS,
    onChange: ({ nodeId, to }) => {
      if (to === 'inactive') nodeLeft(nodeId);
      look();
    },
  });
  made.discovery = discovery;
  look();
  await sleep(TIMEOUT_MS, undefined, { signal: isHeard.signal }).catch(() => {});
  return discovery;
}
