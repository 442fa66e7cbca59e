import { BrainLoadBalancer } from '../edge/brain/contract/load-balancer.ts';
import { Pfc } from '../edge/brain/contract/pfc.ts';
import type { BrainRoute } from '../edge/brain/contract/reply.ts';
import type { Usage } from '../edge/discovery/contract/brain-node.ts';
import type { MessageLine } from '../edge/discovery/contract/message-line.ts';
import { TIMEOUT_MS } from '../edge/discovery/contract/node-machine.ts';
import { routeTopic } from '../edge/discovery/contract/topics.ts';
import { type BrainNode, type NodePlace, startBrainNode } from './brain-node.ts';
import { PfcRegions, type Reach } from './pfc-regions.ts';

interface PfcNodeOptions {
  readonly place: NodePlace;
  readonly namespace: string;
  /** Opens a line to the broker of a region. */
  readonly connect: (regionId: string) => Promise<MessageLine>;
  /** Other regions that it routes to. */
  readonly reach: Reach;
  /** Listening time before the announcement; by default the timeout of a silent node. */
  readonly settleMs?: number;
  readonly usage?: () => Usage;
  /** Makes the id of a route. */
  readonly makeId: () => string;
  readonly onRoute?: (route: BrainRoute) => void;
  readonly onError: (error: unknown) => void;
}

/** By then every active node has announced itself, and stale retained announcements have expired. */
const SETTLE_MS = TIMEOUT_MS;

/**
 * A node that routes prompts to other nodes, by the rules of `routing.ts`.
 * @throws if the broker refuses its subscriptions
 */
export async function startPfcNode(options: PfcNodeOptions): Promise<BrainNode> {
  const { place, namespace, connect, reach, usage, makeId, onError } = options;
  const { settleMs = SETTLE_MS, onRoute = () => {} } = options;
  const { nodeId, regionId } = place;
  // Nodes may leave while its regions are opened.
  const made: { pfc?: Pfc } = {};
  const nodeLeft = (left: string) => made.pfc?.nodeLeft(left);
  const at = { nodeId, namespace, ownRegion: regionId };
  const regions = await PfcRegions.open({ ...at, connect, reach, nodeLeft, onError });
  const own = regions.own.line;
  const balancer = new BrainLoadBalancer({
    discovery: () => regions.nodes(),
    regionPriority: regions.priority,
  });
  const pfc = new Pfc({
    nodeId,
    regionId,
    balancer,
    makeId,
    send: ({ regionId: where, topic }, prompt, waiting) =>
      regions.to(where).requester.request(topic, JSON.stringify(prompt), waiting),
    onRoute: (route) => {
      own.publish(routeTopic(nodeId), JSON.stringify(route)).catch(onError);
      onRoute(route);
    },
  });
  made.pfc = pfc;
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  const node = await startBrainNode({
    place,
    onError,
    ...(usage && { usage }),
    line: own,
    metadata: { regions: [...regions.priority] },
    answer: (prompt) => pfc.ask(prompt),
  });
  return {
    async close() {
      await node.close();
      await regions.close();
    },
  };
}
