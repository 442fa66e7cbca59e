import { setTimeout } from 'node:timers/promises';
import { BrainLoadBalancer } from '../../edge/contract/brain/load-balancer.ts';
import { Pfc } from '../../edge/contract/brain/pfc.ts';
import type { BrainRoute } from '../../edge/contract/brain/reply.ts';
import { openRequester, type Requester } from '../../edge/contract/brain/requester.ts';
import type { MessageLine } from '../../edge/contract/discovery/message-line.ts';
import {
  createNodeDiscovery,
  type NodeDiscovery,
} from '../../edge/contract/discovery/node-discovery.ts';
import { TIMEOUT_MS } from '../../edge/contract/discovery/node-machine.ts';
import { joinInfos } from '../../edge/contract/discovery/node-views.ts';
import { routeTopic } from '../../edge/contract/discovery/topics.ts';
import { ulid } from '../../edge/http/ulid.ts';
import { type BrainNode, type NodePlace, startBrainNode } from './brain-node.ts';

export interface PfcNodeOptions {
  readonly place: NodePlace;
  readonly namespace: string;
  /** To the broker of each region it can reach, its own first; the order is that of preference. */
  readonly lines: ReadonlyMap<string, MessageLine>;
  /** How long it listens before it announces itself; as long as a node may be silent where it is left out. */
  readonly settleMs?: number;
  readonly onRoute?: (route: BrainRoute) => void;
  readonly onError: (error: unknown) => void;
}

/** After so long everybody was heard who is there, and a retained announcement of who is not is stale. */
const SETTLE_MS = TIMEOUT_MS;

/** How a region is reached. Discovery is undefined where it is unavailable: who may not look sees nobody. */
interface Way {
  readonly line: MessageLine;
  readonly requester: Requester;
  readonly discovery: NodeDiscovery | undefined;
}

/**
 * A node that routes prompts to the others, by the rules of `routing.ts`.
 *
 * @throws where the broker refuses to let it answer
 */
export async function startPfcNode(options: PfcNodeOptions): Promise<BrainNode> {
  const { place, lines, onError, settleMs = SETTLE_MS, onRoute = () => {} } = options;
  const { nodeId, regionId } = place;
  const ways = await openWays(options, (left) => pfc.nodeLeft(left));
  const own = ways.get(regionId);
  if (!own) throw new TypeError(`${nodeId} has no line to its own region ${regionId}`);
  const balancer = new BrainLoadBalancer({
    discovery: () => nodesIn(ways),
    regionPriority: [...lines.keys()],
  });
  const pfc: Pfc = new Pfc({
    nodeId,
    regionId,
    balancer,
    makeId: () => `route_${ulid()}`,
    send: ({ regionId: where, topic }, prompt, waiting) =>
      (ways.get(where) ?? own).requester.request(topic, JSON.stringify(prompt), waiting),
    onRoute: (route) => {
      own.line.publish(routeTopic(nodeId), JSON.stringify(route)).catch(onError);
      onRoute(route);
    },
  });
  await setTimeout(settleMs);
  const node = await startBrainNode({
    place,
    onError,
    line: own.line,
    metadata: { regions: [...lines.keys()] },
    answer: (prompt) => pfc.ask(prompt),
  });
  return {
    async close() {
      await node.close();
      for (const { line, requester, discovery } of ways.values()) {
        discovery?.close();
        requester.close();
        if (line !== own.line) await line.end();
      }
    },
  };
}

async function openWays(
  { place, namespace, lines, onError }: PfcNodeOptions,
  nodeLeft: (nodeId: string) => void,
): Promise<ReadonlyMap<string, Way>> {
  const ways = new Map<string, Way>();
  for (const [regionId, line] of lines) {
    const requester = await openRequester(line, place.nodeId);
    const discovery = await createNodeDiscovery(namespace, {
      line,
      regionId,
      onChange: ({ nodeId, to }) => {
        if (to === 'inactive' || to === 'error') nodeLeft(nodeId);
      },
    }).catch((error: unknown) => {
      onError(error);
      return undefined;
    });
    ways.set(regionId, { line, requester, discovery });
  }
  return ways;
}

/** @throws where nothing is known of any region */
function nodesIn(ways: ReadonlyMap<string, Way>) {
  const known = [...ways.values()].flatMap(({ discovery }) => discovery ?? []);
  if (known.length === 0) throw new Error('discovery is unavailable in every region');
  return joinInfos(known.map((discovery) => discovery.getAllNodes()));
}
